import { notify } from '#contract/notify.ts';
import { announcements } from '#contract/operator/announcements.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { dismissAnnouncement, listOwnAnnouncements } from './announcements.ts';
import { getMailPreferences, setMailPreferences } from './email/email-preferences.ts';
import { findNotificationPage, markNotificationsRead, showNotification } from './notifications.ts';

export function mountNotify(http: Http, context: Context): void {
  mount(http, notify, {
    listNotifications: async ({ caller, query }) => {
      const page = await findNotificationPage(context.db, caller.memberId, query);
      return { items: page.items.map(showNotification), next_cursor: page.nextCursor, unread: page.unread };
    },
    markNotificationsRead: async ({ caller, body }) => ({
      unread: await markNotificationsRead(context, caller.memberId, BigInt(body.up_to)),
    }),
    getMailPreferences: ({ caller }) => getMailPreferences(context.db, caller.memberId),
    setMailPreferences: ({ caller, body }) => setMailPreferences(context, caller.memberId, body),
  });
  mount(http, announcements, {
    listAnnouncements: async ({ caller }) => ({ items: await listOwnAnnouncements(context, caller.memberId) }),
    dismissAnnouncement: ({ caller, params }) => dismissAnnouncement(context, caller.memberId, params.id),
  });
}
