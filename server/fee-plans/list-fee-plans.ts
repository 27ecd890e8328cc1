import { strict as assert } from 'node:assert';
import type { FeePlan } from '#contract/fee-plan.ts';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { findOpenedPlanId, listPlansNewestFirst } from './fee-plan-sql.ts';
import { showFeePlan } from './show-fee-plan.ts';

/** All that were ever written, newest first. */
export function listFeePlans(db: Db): Promise<{ items: FeePlan[] }> {
  return inSnapshot(db, async (tx) => {
    const plans = await listPlansNewestFirst(tx);
    const [newest] = plans;
    assert(newest, 'the first fee plan comes with the schema');
    const ids = { newestId: newest.id, currentId: (await findOpenedPlanId(tx)) ?? newest.id };
    return { items: plans.map((plan) => showFeePlan(plan, ids)) };
  });
}
