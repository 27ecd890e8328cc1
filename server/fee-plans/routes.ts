import { endpoints } from '#contract/index.ts';
import { actorOf, proposalCalls } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { feePlanKind, proposeFeePlan } from './fee-plan-proposal.ts';
import { getFees, listFeePlans } from './fee-plans.ts';

export function mountFeePlans(http: Http, context: Context): void {
  const { db } = context;
  mount(http, endpoints.feePlans, { getFees: () => getFees(db), listFeePlans: () => listFeePlans(db) });
  const { list, approve, reject, withdraw } = proposalCalls(context, feePlanKind);
  mount(http, endpoints.consoleFeePlans, {
    listFeePlanProposals: list,
    proposeFeePlan: (call) => proposeFeePlan(context, actorOf(call), call.body, call.once),
    approveFeePlan: approve,
    rejectFeePlan: reject,
    withdrawFeePlan: withdraw,
  });
}
