import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { getMarketTime } from '#server/market/index.ts';
import { findUnsettledDay, listSettledSessions, type SettledSession } from '#server/trading/index.ts';
import { findLastDoneDay } from './bonus-run-sql.ts';
import { payBonuses } from './pay-bonuses.ts';
import { type DuePeriod, findDuePeriod, payPeriod } from './pay-period.ts';

/**
 * Pays all that is due, in its order: settled sessions by their day, and a week or month that ended before the next of
 * them, so that where members stand is as of the period's own last session (docs/incomes.md). What passed while nobody
 * worked is paid late, one after the other, each with its own numbers.
 *
 * @param mayPayPeriod whether weeks and months are paid at all now; while they are not, what follows them waits, too
 */
export async function payDue(context: Context, mayPayPeriod: MayPayPeriod = always): Promise<void> {
  for (let due = await findDue(context.db); due !== undefined; due = await findDue(context.db)) {
    if (due.session !== undefined) await payBonuses(context, due.session);
    else if (await mayPayPeriod()) await payPeriod(context, due.period);
    else return;
  }
}

/** Asked before each week or month: books that are wrong pay nothing out. */
export type MayPayPeriod = () => Promise<boolean>;

const always: MayPayPeriod = async () => true;

/** Whether nothing is left to pay of what was before the session that would open now. */
export const isAllPaid = async (db: Db): Promise<boolean> => (await findDue(db)) === undefined;

type Due =
  | { readonly session: SettledSession; readonly period?: never }
  | { readonly session?: never; readonly period: DuePeriod };

async function findDue(db: Db): Promise<Due | undefined> {
  // Looked at first: a session that another worker settles meanwhile is then among the sessions, or keeps its period waiting.
  const horizon = await findHorizon(db);
  const [session] = await listSettledSessions(db, { after: await findLastDoneDay(db), limit: 1 });
  const period = await findDuePeriod(db, session?.day ?? horizon);
  if (period !== undefined) return { period };
  return session && { session };
}

/** Periods that ended by this day have all their sessions behind them: it is today's, or that of a session which still settles. */
async function findHorizon(db: Db): Promise<string> {
  const today = (await getMarketTime(db)).toISOString().slice(0, 10);
  const unsettled = await findUnsettledDay(db);
  return unsettled !== undefined && unsettled < today ? unsettled : today;
}
