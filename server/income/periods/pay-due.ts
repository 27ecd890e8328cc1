import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { getMarketTime } from '#server/market/index.ts';
import { findUnsettledDay, listSettledSessions, type SettledSession } from '#server/trading/index.ts';
import { findLastDoneDay } from '../bonus/bonus-run-sql.ts';
import { payBonuses } from '../bonus/pay-bonuses.ts';
import type { Period } from '../core/periods.ts';
import { type IncomeGuard, unguarded } from '../reconciliation/reconcile.ts';
import { computePeriod, findDuePeriod, payComputed } from './pay-period.ts';

/**
 * Pays all that is due, in its order: settled sessions by their day, and a week or month that ended before the next of
 * them, so that where members stand is as of the period's own last session (docs/incomes.md). What passed while nobody
 * worked is paid late, one after the other, each with its own numbers.
 *
 * A week or month is computed when it is due and paid right after; while an alarm holds it, all that follows goes on, and it is
 * paid from its stored lines once the alarm is gone.
 */
export async function payDue(context: Context, guard: IncomeGuard = unguarded): Promise<void> {
  await payComputed(context, guard);
  for (let due = await findDue(context.db); due !== undefined; due = await findDue(context.db)) {
    if (due.session !== undefined) await payBonuses(context, due.session, guard);
    else {
      await computePeriod(context, due.period);
      await payComputed(context, guard);
    }
  }
}

/** Whether all is shared and computed of what was before the session that would open now; what is held does not count. */
export const isAllComputed = async (db: Db): Promise<boolean> => (await findDue(db)) === undefined;

type Due =
  | { readonly session: SettledSession; readonly period?: never }
  | { readonly session?: never; readonly period: Period };

async function findDue(db: Db): Promise<Due | undefined> {
  // Looked at first: a session that another worker settles meanwhile is then among the sessions, or keeps its period waiting.
  const watermark = await findWatermark(db);
  const [session] = await listSettledSessions(db, { after: await findLastDoneDay(db), limit: 1 });
  const period = await findDuePeriod(db, session?.day ?? watermark);
  if (period !== undefined) return { period };
  return session && { session };
}

/** Periods that ended by this day have all their sessions behind them: it is today's, or that of a session which still settles. */
async function findWatermark(db: Db): Promise<string> {
  const today = (await getMarketTime(db)).toISOString().slice(0, 10);
  const unsettled = await findUnsettledDay(db);
  return unsettled !== undefined && unsettled < today ? unsettled : today;
}
