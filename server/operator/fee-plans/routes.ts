import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { about, deciderOf } from '../decision-call.ts';
import { approveFeePlan } from './approve-fee-plan.ts';
import { rejectFeePlan, withdrawFeePlan } from './end-fee-plan-proposal.ts';
import type { FeePlanProposalRow } from './fee-plan-proposal-sql.ts';
import { listFeePlanProposals } from './list-fee-plan-proposals.ts';
import { proposeFeePlan } from './propose-fee-plan.ts';
import { showFeePlanProposal } from './show-fee-plan-proposals.ts';

export function mountConsoleFeePlans(http: Http, context: Context): void {
  const show = async (decided: Promise<FeePlanProposalRow>) => showFeePlanProposal(context.db, await decided);
  mount(http, endpoints.consoleFeePlans, {
    listFeePlanProposals: ({ query }) => listFeePlanProposals(context, query),
    proposeFeePlan: (call) => proposeFeePlan(context, deciderOf(call), call.body, call.once),
    approveFeePlan: (call) => show(approveFeePlan(context, deciderOf(call), about(call))),
    rejectFeePlan: (call) => show(rejectFeePlan(context, deciderOf(call), about(call))),
    withdrawFeePlan: (call) => show(withdrawFeePlan(context, deciderOf(call), about(call))),
  });
}
