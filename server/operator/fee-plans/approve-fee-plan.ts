import { consoleFeePlans } from '#contract/operator/fee-plans.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { createFeePlan, lockNewestFeePlan } from '#server/fee-plans/index.ts';
import { Refused } from '#server/refused.ts';
import { actingAs, byAnother, type Decider, decideProposal, type Verdict } from '../proposal-decision.ts';
import {
  type FeePlanProposalRow,
  findFeePlanProposal,
  lockFeePlanProposal,
  updateFeePlanProposal,
} from './fee-plan-proposal-sql.ts';

/**
 * Approves a fee plan that another admin proposed, and writes it: the next session that opens takes it. What was approved
 * are its differences to the plan it was compared with, so that it follows this plan or none.
 *
 * Refuses what every decision does, `fee_plan_followed`, and what writing a plan refuses.
 */
export function approveFeePlan(
  context: Context,
  decider: Decider,
  verdict: Required<Verdict>,
): Promise<FeePlanProposalRow> {
  return decideProposal(context, decider, verdict, {
    find: findFeePlanProposal,
    lock: lockFeePlanProposal,
    who: byAnother,
    roles: consoleFeePlans.approveFeePlan.access,
    restsOnProposer: true,
    carryOut: async (tx, row) => {
      const base = await lockNewestFeePlan(tx);
      if (row.base_plan_id !== base.id) throw new Refused('fee_plan_followed');
      const plan = await createFeePlan(tx, {
        terms: row.terms,
        note: row.reason,
        proposedBy: row.proposed_by,
        approvedBy: decider.operatorId,
        address: decider.address,
        now: context.now(),
      });
      const after = await updateFeePlanProposal(tx, {
        id: row.id,
        state: 'posted',
        by: decider.operatorId,
        now: context.now(),
        planId: Number(plan.id),
      });
      await writeAudit(tx, {
        ...actingAs(decider),
        action: 'fee_plan.approve',
        subject: `fee_plan_proposal:${row.id}`,
        before: { state: row.state },
        after: { state: after.state, planId: after.plan_id, proposedBy: row.proposed_by },
      });
      return after;
    },
  });
}
