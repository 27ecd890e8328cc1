import type { FeePlan, FeePlanTerms } from '#contract/fee-plan.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { checkWaterfall, readTerms } from './core/fee-plan.ts';
import { findOpenedPlanId, insertPlan, lockPlans } from './fee-plan-sql.ts';
import { findFeePlans } from './find-fee-plans.ts';
import { showFeePlan } from './show-fee-plan.ts';

export type NewFeePlanInput = { readonly terms: FeePlanTerms; readonly note: string };

/**
 * Writes a fee plan (product.md section 6): in force from the next session that opens, while one that is open keeps its own.
 * Of two written at once the later id is the newer one; the audit log has the plan it follows as `before`.
 *
 * @throws Refused fee_plan_over_100, fee_plan_ranks
 */
export async function createFeePlan(
  context: Context,
  operatorId: bigint,
  { terms, note }: NewFeePlanInput,
  address: string,
): Promise<FeePlan> {
  const read = readTerms(terms);
  const refusal = checkWaterfall(read);
  if (refusal !== undefined) throw new Refused(refusal);
  return inTransaction(context.db, async (tx) => {
    await lockPlans(tx);
    const { current, next } = await findFeePlans(tx);
    const before = next ?? current;
    const plan = await insertPlan(tx, { terms: read, note, operatorId, createdAt: context.now() });
    const ids = { newestId: plan.id, currentId: (await findOpenedPlanId(tx)) ?? plan.id };
    const shown = showFeePlan(plan, ids);
    await writeAudit(tx, {
      actor: { kind: 'operator', id: operatorId },
      action: 'fee_plan.create',
      subject: `fee_plan:${plan.id}`,
      before: logged(showFeePlan(before, ids)),
      after: logged(shown),
      address,
    });
    return shown;
  });
}

const logged = ({ id, terms, note }: FeePlan) => ({ id, terms, note });
