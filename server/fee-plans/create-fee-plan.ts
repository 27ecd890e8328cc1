import type { FeePlan, FeePlanTerms } from '#contract/fee-plan.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { checkWaterfall, readTerms } from './core/fee-plan.ts';
import { findOpenedPlanId, insertPlan, lockNewestFeePlan, showFeePlan } from './fee-plans.ts';

export type NewFeePlanInput = {
  readonly terms: FeePlanTerms;
  readonly note: string;
  /** Two different operators. */
  readonly proposedBy: bigint;
  readonly approvedBy: bigint;
  /** IP address of the approving operator. */
  readonly address: string;
  readonly now: Date;
};

/**
 * Creates a fee plan (docs/product.md, section 6). It applies from the next session to open; an open session keeps its
 * plan. Of two plans created concurrently the higher id is the newer. The audit log records the previous plan as
 * `before`, and both operators.
 *
 * @throws Refused fee_plan_over_100, fee_plan_ranks
 */
export async function createFeePlan(tx: Tx, input: NewFeePlanInput): Promise<FeePlan> {
  const { terms, note, proposedBy, approvedBy, address, now } = input;
  const read = readTerms(terms);
  const refusal = checkWaterfall(read);
  if (refusal !== undefined) throw new Refused(refusal);
  const before = await lockNewestFeePlan(tx);
  const plan = await insertPlan(tx, { terms: read, note, operatorId: proposedBy, createdAt: now });
  const ids = { newestId: plan.id, currentId: (await findOpenedPlanId(tx)) ?? plan.id };
  const shown = showFeePlan(plan, ids);
  await writeAudit(tx, {
    actor: { kind: 'operator', id: approvedBy },
    action: 'fee_plan.create',
    subject: `fee_plan:${plan.id}`,
    before: logged(showFeePlan(before, ids)),
    after: { ...logged(shown), proposedBy, approvedBy },
    address,
  });
  return shown;
}

const logged = ({ id, terms, note }: FeePlan) => ({ id, terms, note });
