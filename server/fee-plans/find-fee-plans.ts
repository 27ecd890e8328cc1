import { strict as assert } from 'node:assert';
import type { DataOf } from '#contract/endpoint.ts';
import type { feePlans, FeePlan as ShownPlan } from '#contract/fee-plan.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type FeePlan, showTerms } from './core/fee-plan.ts';
import { findOpenedPlanId, findPlan, listInForce, listPlansNewestFirst, lockPlans } from './fee-plan-sql.ts';

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

/** The newest plan, which stays the newest until the transaction ends or writes another itself. */
export async function lockNewestFeePlan(tx: Tx): Promise<FeePlan> {
  await lockPlans(tx);
  const { current, next } = await findFeePlans(tx);
  return next ?? current;
}

/** A plan by the id that a session, a run or a period carries. */
export async function getFeePlan(db: Db, id: number): Promise<FeePlan> {
  const plan = await findPlan(db, id);
  assert(plan, `fee plan ${id} exists, for something refers to it`);
  return plan;
}

/** All that were ever written, newest first. */
export function listFeePlans(db: Db): Promise<{ items: ShownPlan[] }> {
  return inSnapshot(db, async (tx) => {
    const plans = await listPlansNewestFirst(tx);
    const [newest] = plans;
    assert(newest, 'the first fee plan comes with the schema');
    const ids = { newestId: newest.id, currentId: (await findOpenedPlanId(tx)) ?? newest.id };
    return { items: plans.map((plan) => showFeePlan(plan, ids)) };
  });
}

/**
 * What is taken and where it goes, for everybody to read (docs/product.md, section 6); `next` is null when nothing will
 * change.
 */
export async function getFees(db: Db): Promise<DataOf<typeof feePlans.getFees>> {
  const { current, next } = await findFeePlans(db);
  const ids = { currentId: current.id, newestId: (next ?? current).id };
  return { current: showFeePlan(current, ids), next: next === undefined ? null : showFeePlan(next, ids) };
}

/** Which plans are not past: the newest, and the one of the session that opened last. */
type PlanIds = { readonly newestId: number; readonly currentId: number };

/** A plan as calls show it (contract/fee-plan.ts). A plan that was followed by another before any session opened is past. */
export const showFeePlan = (plan: FeePlan, { newestId, currentId }: PlanIds): ShownPlan => ({
  id: plan.id.toString(),
  terms: showTerms(plan),
  note: plan.note,
  created_at: plan.createdAt.toISOString(),
  state: plan.id === currentId ? 'current' : plan.id === newestId ? 'next' : 'past',
});
