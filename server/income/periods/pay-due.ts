import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { Faults } from '#server/faults.ts';
import { getMarketTime } from '#server/market/index.ts';
import { findUnsettledDay, listSettledSessions, type SettledSession } from '#server/trading/index.ts';
import { findLastDoneDay } from '../bonus/bonus-run-sql.ts';
import { payBonuses } from '../bonus/pay-bonuses.ts';
import type { Period } from '../core/periods.ts';
import { type IncomeGuard, unguarded } from '../reconciliation/reconcile.ts';
import { computePeriod, findDuePeriod, payComputed } from './pay-period.ts';

/**
 * Pays everything due in order: settled sessions by day, and a week or month before the first session after it, so that
 * qualifications are as of the period's last session (docs/incomes.md). After a downtime, everything is paid late in
 * the same order, each with its own figures.
 *
 * A week or month is computed when due and paid right after. While an alarm holds the payment, or it fails, later work
 * continues, and it is paid from its stored lines once it can be.
 *
 * @throws the error of a payment that failed, after the rest
 */
export async function payDue(context: Context, guard: IncomeGuard = unguarded): Promise<void> {
  const faults = new Faults();
  const payPeriods = () => faults.keep(() => payComputed(context, guard));
  await payPeriods();
  for (let due = await findDue(context.db); due !== undefined; due = await findDue(context.db)) {
    if (due.session !== undefined) await payBonuses(context, due.session, guard);
    else {
      await computePeriod(context, due.period);
      await payPeriods();
    }
  }
  faults.throwFirst();
}

/** Whether every earlier session is distributed and every ended period computed; held payments do not count. */
export const isAllComputed = async (db: Db): Promise<boolean> => (await findDue(db)) === undefined;

type Due =
  | { readonly session: SettledSession; readonly period?: never }
  | { readonly session?: never; readonly period: Period };

async function findDue(db: Db): Promise<Due | undefined> {
  // Read first, so that a session settled meanwhile is either listed or keeps its period from being due.
  const watermark = await findWatermark(db);
  const [session] = await listSettledSessions(db, { after: await findLastDoneDay(db), limit: 1 });
  const period = await findDuePeriod(db, session?.day ?? watermark);
  if (period !== undefined) return { period };
  return session && { session };
}

/** All sessions of periods ending by this day are settled: today, or the day of a session that is still settling. */
async function findWatermark(db: Db): Promise<string> {
  const today = (await getMarketTime(db)).toISOString().slice(0, 10);
  const unsettled = await findUnsettledDay(db);
  return unsettled !== undefined && unsettled < today ? unsettled : today;
}
