import { endpoints } from '#contract/index.ts';
import { deciderOf } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { endAnnouncement } from './end-announcement.ts';
import { listDeskAnnouncements } from './list-announcements.ts';
import { writeAnnouncement } from './write-announcement.ts';

export function mountConsoleAnnouncements(http: Http, context: Context): void {
  mount(http, endpoints.announcementDesk, {
    listDeskAnnouncements: ({ query }) => listDeskAnnouncements(context, query),
    writeAnnouncement: (call) => writeAnnouncement(context, deciderOf(call), call.body),
    endAnnouncement: (call) => endAnnouncement(context, deciderOf(call), BigInt(call.params.id)),
  });
}
