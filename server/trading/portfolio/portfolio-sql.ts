import { type RawBuilder, sql } from 'kysely';
import type { PlanState, PlanStateReason } from '#contract/trading/plan.ts';
import type { StrategyName } from '#contract/trading/strategy.ts';
import type { TradeSource } from '#contract/trading/trading.ts';
import type { Db } from '#server/db/connect.ts';
import { getRow, listRows } from '#server/db/rows.ts';
import type { Quotes } from '../orders/show-trade.ts';
import { performanceBpsOf } from '../session/session-sql.ts';
import { settledColumns } from '../session/settlement-sql.ts';

const CURRENT = sql`(select ${performanceBpsOf} from trading.session s where s.state <> 'settled')`;

/** Current sell prices as a relation `symbol, sell`. */
const quoteRows = (quotes: Quotes): RawBuilder<unknown> => sql`
  unnest(${[...quotes.keys()]}::text[], ${[...quotes.values()].map((quote) => quote.sell)}::numeric[]) as quote(symbol, sell)`;

export type Position = {
  readonly symbol: string;
  /** Open trades, the member's own and those of plans. */
  readonly trades: number;
  readonly plans: number;
  /** N: the amount in escrow. */
  readonly cost: bigint;
  readonly fees: bigint;
  /** Gain or loss against the cost if sold now, after the performance fee. */
  readonly change: bigint;
  /** Cost and change of plans' trades only. */
  readonly inPlans: bigint;
};

/** A member's open trades as a relation for `settledColumns`, at current sell prices, or at cost without a price. */
const openRows = (memberId: bigint, quotes: Quotes): RawBuilder<unknown> => sql`
  select t.id, t.symbol, t.plan_id, t.amount, t.fee, t.open_price, coalesce(quote.sell, t.open_price) as close_price
  from trading.trade t left join ${quoteRows(quotes)} on quote.symbol = t.symbol
  where t.member_id = ${memberId} and t.state = 'open'`;

/** Open trades by asset, at current sell prices; without a price they are valued at cost. */
export const listPositions = (db: Db, memberId: bigint, quotes: Quotes) =>
  listRows(db)<Position>`
    select symbol, (count(*) filter (where plan_id is null))::int as trades,
      (count(*) filter (where plan_id is not null))::int as plans, sum(amount - fee)::bigint as cost, sum(fee)::bigint as fees,
      sum(gross - performance_fee)::bigint as change,
      coalesce(sum(amount - fee + gross - performance_fee) filter (where plan_id is not null), 0)::bigint as "inPlans"
    from (${settledColumns(openRows(memberId, quotes), CURRENT)}) as s
    group by symbol order by symbol`;

export type Placed = {
  readonly wallet: TradeSource;
  readonly state: 'queued' | 'open';
  readonly amount: bigint;
  readonly fees: bigint;
};

/** Amounts placed in unsettled trades, by source and state. */
export const listPlaced = (db: Db, memberId: bigint) =>
  listRows(db)<Placed>`
    select wallet, state, sum(amount)::bigint as amount, coalesce(sum(fee), 0)::bigint as fees from trading.trade
    where member_id = ${memberId} and state in ('queued', 'open') group by wallet, state`;

export type Totals = {
  readonly trades: bigint;
  readonly winning: bigint;
  readonly losing: bigint;
  readonly volume: bigint;
  readonly result: bigint;
  /** Trade fees of settled trades. */
  readonly tradeFees: bigint;
  readonly performanceFees: bigint;
  readonly bestTradeId: bigint | null;
  readonly worstTradeId: bigint | null;
};

/** Sums of all settled trades of a member, from one row per session. */
export const findTotals = (db: Db, memberId: bigint) =>
  getRow(db)<Totals>`
    select coalesce(sum(trades), 0)::bigint as trades, coalesce(sum(winning), 0)::bigint as winning,
      coalesce(sum(losing), 0)::bigint as losing, coalesce(sum(volume), 0)::bigint as volume,
      coalesce(sum(result), 0)::bigint as result, coalesce(sum(trade_fees), 0)::bigint as "tradeFees",
      coalesce(sum(performance_fees), 0)::bigint as "performanceFees",
      (array_agg(best_trade_id order by best_result desc, best_trade_id))[1] as "bestTradeId",
      (array_agg(worst_trade_id order by worst_result, worst_trade_id))[1] as "worstTradeId"
    from trading.daily_result where member_id = ${memberId}`;

/** Sums of settled trades of a day or an asset. */
export type ResultSums = {
  readonly trades: number;
  readonly winning: number;
  readonly losing: number;
  readonly volume: bigint;
  readonly result: bigint;
  readonly tradeFees: bigint;
  readonly performanceFees: bigint;
};
export type Day = ResultSums & { readonly day: string };

/** Realised results of the latest sessions, oldest first. */
export const listDays = (db: Db, memberId: bigint, limit: number) =>
  listRows(db)<Day>`
    select session_day::text as day, trades, winning, losing, volume, result, trade_fees as "tradeFees",
      performance_fees as "performanceFees"
    from (
      select * from trading.daily_result where member_id = ${memberId} order by session_day desc limit ${limit}) as latest
    order by session_day`;

export type AssetSums = ResultSums & { readonly symbol: string };

/**
 * Sums of a member's settled trades by asset. Nothing is precomputed, so every trade is read: about 60 ms for 100 000
 * trades (docs/performance.md).
 */
export const listAssetSums = (db: Db, memberId: bigint) =>
  listRows(db)<AssetSums>`
    select symbol, count(*)::int as trades, (count(*) filter (where result > 0))::int as winning,
      (count(*) filter (where result < 0))::int as losing, sum(amount)::bigint as volume, sum(result)::bigint as result,
      sum(fee)::bigint as "tradeFees", sum(performance_fee)::bigint as "performanceFees"
    from trading.trade where member_id = ${memberId} and state = 'settled'
    group by symbol order by symbol`;

export type EquityPoint = { readonly at: Date; readonly value: bigint };

/** With the snapshot in which balances were read, in PostgreSQL's notation: `10:20:10,14`. */
export type BookedPoint = EquityPoint & { readonly bookedIn: string | null };

/** Equity after each session, oldest first, dated by the scheduled close, or by an earlier end of the recording. */
export const listEquity = (db: Db, memberId: bigint) =>
  listRows(db)<BookedPoint>`
    select least(s.closes_at, s.closed_at) as at, e.value, b.booked_in::text as "bookedIn"
    from trading.equity e join trading.session s on s.day = e.session_day
    left join trading.booked_block b on b.session_day = e.session_day and b.no = e.member_id / 4096
    where e.member_id = ${memberId} order by s.closes_at`;

export type PlanWorth = {
  readonly id: bigint;
  readonly symbol: string;
  readonly strategy: StrategyName;
  readonly state: PlanState;
  readonly state_reason: PlanStateReason | null;
  readonly compounding: boolean;
  readonly amount: bigint;
  readonly value: bigint;
  /** Result of all its settled trades. */
  readonly result: bigint;
  /** Its queued or open trade. */
  readonly trade_id: bigint | null;
};

/** Plans that are not redeemed, newest first: their cash, and the current sale value of their open trade. */
export const listPlanWorth = (db: Db, memberId: bigint, quotes: Quotes, limit: number) =>
  listRows(db)<PlanWorth>`
    with position as materialized (
      select s.plan_id, s.id, s.proceeds - s.performance_fee as worth
      from (${settledColumns(openRows(memberId, quotes), CURRENT)}) as s where s.plan_id is not null
      union all
      select t.plan_id, t.id, t.amount from trading.trade t
      where t.member_id = ${memberId} and t.state = 'queued' and t.plan_id is not null
    ), plan as materialized (
      select * from trading.plan p
      where p.member_id = ${memberId} and p.state in ('active', 'paused') order by p.id desc limit ${limit})
    select p.id, p.symbol, p.strategy, p.state, p.state_reason, p.compounding, p.amount,
      trading.plan_cash(p.id, p.amount) + coalesce(position.worth, 0) as value, position.id as trade_id,
      coalesce((select sum(t.result) from trading.trade t where t.plan_id = p.id and t.state = 'settled'), 0)::bigint as result
    from plan p left join position on position.plan_id = p.id
    order by p.id desc`;

/** Totals of all members' trades in one asset. */
export type AssetPositions = {
  readonly symbol: string;
  readonly open: number;
  /** Coins of open trades, decimal text. */
  readonly quantity: string;
  readonly queued: number;
  /** Amounts of queued trades. */
  readonly queuedAmount: bigint;
};

/** Assets with open or queued trades. Two queries, because each state has its own index. */
export const listAssetPositions = (db: Db) =>
  listRows(db)<AssetPositions>`
    select symbol, sum(open)::int as open, sum(quantity)::text as quantity, sum(queued)::int as queued,
      sum(queued_amount)::bigint as "queuedAmount"
    from (
      select symbol, count(*) as open, sum(round((amount - fee)::numeric / (open_price * 1000000), 12)) as quantity,
        0 as queued, 0 as queued_amount
      from trading.trade where state = 'open' group by symbol
      union all
      select symbol, 0, 0, count(*), sum(amount) from trading.trade where state = 'queued' group by symbol) as part
    group by symbol order by symbol`;
