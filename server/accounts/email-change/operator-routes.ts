import { consoleEmailChanges } from '#contract/operator/email-changes.ts';
import { actingAs, actorOf, proposalCalls } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { Refused } from '#server/refused.ts';
import { emailChangeKind, listOpenRequests, proposeEmailChange } from './email-change.ts';
import { endEmailRequest } from './request-email-change.ts';

/** Calls for members who lost their mailbox. */
export function mountEmailChanges(http: Http, context: Context): void {
  const { list, approve, reject, withdraw } = proposalCalls(context, emailChangeKind);
  mount(http, consoleEmailChanges, {
    listEmailRequests: () => listOpenRequests(context),
    endEmailRequest: async (call) => {
      const executor = actingAs(actorOf(call));
      const end = { memberId: call.params.id, outcome: 'rejected', executor, why: call.body.why } as const;
      await inTransaction(context.db, async (tx) => {
        if (!(await endEmailRequest(tx, context, end))) throw new Refused('not_found');
      });
    },
    listEmailChanges: list,
    proposeEmailChange: (call) => proposeEmailChange(context, actorOf(call), call.body),
    approveEmailChange: approve,
    rejectEmailChange: reject,
    withdrawEmailChange: withdraw,
  });
}
