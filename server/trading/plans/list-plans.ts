import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import { toDollars, toTotal } from '#contract/money.ts';
import { type Plan, planStates, type plans } from '#contract/trading/plan.ts';
import { cutPage, type Paging, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { orRefuse } from '#server/refused.ts';
import { listLastDecisions } from './decision-sql.ts';
import { findPlan, listPlanEvents, listPlanRows, listPlanTotals } from './plan-sql.ts';
import { showDecision, showPlans } from './show-plan.ts';

const DECISIONS_SHOWN = 100;

type ListPlans = typeof plans.listPlans;

/** A member's plans, newest first. */
export async function listPlans(
  db: Db,
  { memberId, state, cursor, limit }: QueryOf<ListPlans> & { readonly memberId: bigint },
): Promise<DataOf<ListPlans>> {
  const states = state === undefined ? planStates : [state];
  const before = readIdCursor(cursor);
  return inSnapshot(db, async (tx) => {
    const found = await listPlanRows(tx, { memberId, states, before, limit: limit + 1 });
    const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
    return { items: await showPlans(tx, rows), next_cursor: nextCursor };
  });
}

/** One plan with all its events and the latest decisions of its strategy, newest first. */
export function getPlan(db: Db, memberId: bigint, id: bigint) {
  return inSnapshot(db, async (tx) => {
    const row = orRefuse(await findPlan(tx, memberId, id), 'plan_not_found');
    const [plan] = await showPlans(tx, [row]);
    const events = await listPlanEvents(tx, [id]);
    const decisions = await listLastDecisions(tx, row, DECISIONS_SHOWN);
    return {
      plan: plan as Plan,
      events: events.map(({ kind, reason, at }) => ({ kind, reason, at: at.toISOString() })),
      decisions: decisions.map(showDecision),
    };
  });
}

/** Payouts of redeemed compounding plans, newest plan first (*Compounding Investment History*). */
export async function listRedemptions(
  db: Db,
  { memberId, cursor, limit }: Paging & { readonly memberId: bigint },
): Promise<DataOf<typeof plans.listRedemptions>> {
  const found = await listPlanRows(db, {
    memberId,
    states: ['redeemed'],
    compounding: true,
    before: readIdCursor(cursor),
    limit: limit + 1,
  });
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  const totals = await listPlanTotals(
    db,
    rows.map((row) => row.id),
  );
  const items = rows.map((row) => {
    const own = totals.find((sum) => sum.plan_id === row.id);
    return {
      id: row.id.toString(),
      symbol: row.symbol,
      strategy: row.strategy,
      amount: toDollars(row.amount),
      redeemed: toDollars(row.redeemed_amount as bigint),
      result: toTotal(own?.result ?? 0n),
      sessions: Number(own?.sessions ?? 0n),
      created_at: row.created_at.toISOString(),
      redeemed_at: (row.redeemed_at as Date).toISOString(),
    };
  });
  return { items, next_cursor: nextCursor };
}
