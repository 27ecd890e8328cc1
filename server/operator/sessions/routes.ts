import { endpoints } from '#contract/index.ts';
import { deciderOf } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { getSessionDetail } from './get-session-detail.ts';
import { listSessions } from './list-sessions.ts';
import { rerunSession } from './rerun-session.ts';

export function mountConsoleSessions(http: Http, context: Context): void {
  mount(http, endpoints.consoleSessions, {
    listSessions: ({ query }) => listSessions(context, query),
    getSessionDetail: ({ params }) => getSessionDetail(context, params.day),
    rerunSession: (call) => rerunSession(context, deciderOf(call), call.params.day),
  });
}
