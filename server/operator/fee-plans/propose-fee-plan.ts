import type { BodyOf } from '#contract/endpoint.ts';
import type { consoleFeePlans, FeePlanProposal } from '#contract/operator/fee-plans.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { checkWaterfall, lockNewestFeePlan, readTerms } from '#server/fee-plans/index.ts';
import { insertUnderNewReference } from '#server/make-reference.ts';
import { Refused } from '#server/refused.ts';
import { actingAs, type Decider } from '../proposal-decision.ts';
import { insertFeePlanProposal } from './fee-plan-proposal-sql.ts';
import { showFeePlanProposal } from './show-fee-plan-proposals.ts';

/**
 * Proposes a fee plan (docs/product.md, sections 6 and 10). No plan is written: another admin has to approve it.
 *
 * Refuses `fee_plan_over_100`, `fee_plan_ranks`, `fee_plan_followed` when the plan it begins from is not the newest.
 */
export async function proposeFeePlan(
  context: Context,
  decider: Decider,
  { base_id, terms, reason }: BodyOf<typeof consoleFeePlans.proposeFeePlan>,
  once?: Once,
): Promise<FeePlanProposal> {
  const refusal = checkWaterfall(readTerms(terms));
  if (refusal !== undefined) throw new Refused(refusal);
  return runOnce(context.db, once, async (tx) => {
    const base = await lockNewestFeePlan(tx);
    if (base_id !== base.id.toString()) throw new Refused('fee_plan_followed');
    const row = await insertUnderNewReference('fee_plan', (reference) =>
      insertFeePlanProposal(tx, {
        reference,
        terms,
        basePlanId: base.id,
        reason,
        by: decider.operatorId,
        now: context.now(),
      }),
    );
    await writeAudit(tx, {
      ...actingAs(decider),
      action: 'fee_plan.propose',
      subject: `fee_plan_proposal:${row.id}`,
      after: { reference: row.reference, basePlanId: base.id, terms, reason },
    });
    return showFeePlanProposal(tx, row);
  });
}
