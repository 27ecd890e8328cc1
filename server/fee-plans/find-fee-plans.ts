import { strict as assert } from 'node:assert';
import type { Db } from '#server/db/connect.ts';
import type { FeePlan } from './core/fee-plan.ts';
import { findPlan, listInForce } from './fee-plan-sql.ts';

/** Whose fees are taken now, and whose from the next opening on; undefined when those are the same. */
export type FeePlansInForce = { readonly current: FeePlan; readonly next: FeePlan | undefined };

/**
 * The plan of the session that opened last, whether or not it is still open, and the newest one, which the next session
 * takes (docs/product.md, section 6). Before the first session the newest is both.
 */
export async function findFeePlans(db: Db): Promise<FeePlansInForce> {
  const [newest, opened] = await listInForce(db);
  assert(newest, 'the first fee plan comes with the schema');
  return opened === undefined ? { current: newest, next: undefined } : { current: opened, next: newest };
}

/** A plan by the id that a session, a run or a period carries. */
export async function getFeePlan(db: Db, id: number): Promise<FeePlan> {
  const plan = await findPlan(db, id);
  assert(plan, `fee plan ${id} exists, for something refers to it`);
  return plan;
}
