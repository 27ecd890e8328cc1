import type { Tx } from '#server/db/connect.ts';
import type { FeePlan } from './core/fee-plan.ts';
import { lockPlans } from './fee-plan-sql.ts';
import { findFeePlans } from './find-fee-plans.ts';

/** The newest plan, which stays the newest until the transaction ends or writes another itself. */
export async function lockNewestFeePlan(tx: Tx): Promise<FeePlan> {
  await lockPlans(tx);
  const { current, next } = await findFeePlans(tx);
  return next ?? current;
}
