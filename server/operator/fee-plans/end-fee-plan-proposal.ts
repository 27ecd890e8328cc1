import { consoleFeePlans } from '#contract/operator/fee-plans.ts';
import type { Context } from '#server/context.ts';
import { type ProposalKind, rejectProposal, withdrawProposal } from '../end-proposal.ts';
import type { Decider, Verdict } from '../proposal-decision.ts';
import {
  type FeePlanProposalRow,
  findFeePlanProposal,
  lockFeePlanProposal,
  updateFeePlanProposal,
} from './fee-plan-proposal-sql.ts';

const kind: ProposalKind<FeePlanProposalRow> = {
  find: findFeePlanProposal,
  lock: lockFeePlanProposal,
  roles: consoleFeePlans.approveFeePlan.access,
  update: updateFeePlanProposal,
  action: 'fee_plan',
  subject: 'fee_plan_proposal',
};

/** Rejects a fee plan that another admin proposed. Refuses what every decision does. */
export const rejectFeePlan = (
  context: Context,
  decider: Decider,
  verdict: Verdict & { readonly reason: string },
): Promise<FeePlanProposalRow> => rejectProposal(kind, context, decider, verdict);

/** Takes back a fee plan that one proposed oneself. Refuses what every decision does. */
export const withdrawFeePlan = (context: Context, decider: Decider, verdict: Verdict): Promise<FeePlanProposalRow> =>
  withdrawProposal(kind, context, decider, verdict);
