import { type RawBuilder, sql } from 'kysely';
import type { FeeRates } from '#contract/fee-plan.ts';
import type { Db } from '#server/db/connect.ts';
import { findValue, getValue, listRows } from '#server/db/rows.ts';
import { feeUnder, settledColumns } from './settlement-sql.ts';

/** A session whose trades are all settled and whose fees can be distributed. */
export type SettledSession = { readonly day: string; readonly closesAt: Date; readonly feePlanId: number };

/**
 * Oldest first.
 *
 * @param after only sessions of later days
 */
export const listSettledSessions = (
  db: Db,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
) =>
  listRows(db)<SettledSession>`
    select day::text, closes_at as "closesAt", fee_plan_id as "feePlanId" from trading.session
    where state = 'settled' and day > coalesce(${after ?? null}::date, '-infinity') order by day limit ${limit}`;

/** The day of the session that is not settled yet: open, settling, or next; undefined before the market started. */
export const findUnsettledDay = (db: Db) =>
  findValue(db)<string>`
    select day::text from trading.session where state <> 'settled'`;

const sums = sql`member_id, session_day, trades, volume, trade_fees, performance_fees, result, compounding_volume, compounding_result`;

/** SQL: one row per member who traded in a settled session. The cost depends only on the range of members read. */
export const dailyResults = (day: string): RawBuilder<unknown> => sql`
  select ${sums} from trading.daily_result where session_day = ${day}::date`;

/** The same for all sessions with `after < day <= upTo`. */
export const dailyResultsBetween = (after: string, upTo: string): RawBuilder<unknown> => sql`
  select ${sums} from trading.daily_result where session_day > ${after}::date and session_day <= ${upTo}::date`;

/** The same for some sessions. */
export const dailyResultsOf = (days: readonly string[]): RawBuilder<unknown> => sql`
  select ${sums} from trading.daily_result where session_day = any(${days}::date[])`;

/**
 * SQL for `member_id, volume, trade_fees, performance_fees` of a settled session at other rates, by the formulas of
 * opening and settlement. At the session's own rates it equals `dailyResults`.
 */
export const dailyResultsUnder = (day: string, { tradeBps, performanceBps }: FeeRates): RawBuilder<unknown> => sql`
  select member_id, sum(amount)::bigint as volume, sum(fee)::bigint as trade_fees, sum(performance_fee)::bigint as performance_fees
   from (${settledColumns(
     sql`
       select t.member_id, t.amount, ${feeUnder(day, tradeBps)} as fee, t.open_price, t.close_price
       from trading.trade t where session_day = ${day}::date and state = 'settled'`,
     performanceBps,
   )}) as settled
   group by member_id`;

/** For reconciliation: SQL for `id, gross` of the settled trades of one session, or of all. */
export const settledTrades = (day: string | undefined): RawBuilder<unknown> => sql`
  select t.id, t.gross from trading.trade t
  where t.state = 'settled' and ${day === undefined ? sql`true` : sql`t.session_day = ${day}::date`}`;

/** SQL for a trade's balance in escrow: the full amount while queued, net of the fee once open. */
export const escrowedAmount: RawBuilder<bigint> = sql<bigint>`(
  coalesce((select sum(t.amount) from trading.trade t where t.state = 'queued'), 0)
  + coalesce((select sum(t.amount - t.fee) from trading.trade t where t.state = 'open'), 0))::bigint`;

/** SQL for one row `trade_fees, performance_fees`: fees collected in sessions after a day, or in all when null. */
export const feesAfter = (day: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select (coalesce(sum(d.trade_fees), 0) + coalesce((select sum(t.fee) from trading.trade t where t.state = 'open'), 0))::bigint as trade_fees,
    coalesce(sum(d.performance_fees), 0)::bigint as performance_fees
  from trading.daily_result d where d.session_day > coalesce(${day}::date, '-infinity')`;

/**
 * The first trade of a session: nothing of the session was posted before it. `id + 0` keeps the planner from walking
 * the primary key.
 */
export async function findFirstTradeId(db: Db, day: string): Promise<bigint | undefined> {
  const id = await getValue(db)<bigint | null>`
    select min(t.id + 0) as id from trading.trade t where t.state = 'settled' and t.session_day = ${day}::date`;
  return id ?? undefined;
}
