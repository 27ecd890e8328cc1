import { endpoints } from '#contract/index.ts';
import { deciderOf, proposalCalls } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { feePlanKind, proposeFeePlan } from './fee-plan-proposal.ts';

/** Plans that wait for a second admin; those that were written stand in `routes.ts`. */
export function mountFeePlanProposals(http: Http, context: Context): void {
  const { list, approve, reject, withdraw } = proposalCalls(context, feePlanKind);
  mount(http, endpoints.consoleFeePlans, {
    listFeePlanProposals: list,
    proposeFeePlan: (call) => proposeFeePlan(context, deciderOf(call), call.body, call.once),
    approveFeePlan: approve,
    rejectFeePlan: reject,
    withdrawFeePlan: withdraw,
  });
}
