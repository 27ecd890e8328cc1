import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { settledColumns } from './settlement-sql.ts';
import type { Quotes } from './show-trade.ts';

const CURRENT = sql`(select s.performance_fee_bps from trading.session s where s.state <> 'settled')`;

/** What each asset would be sold for now, as a relation `symbol, sell`. */
const quoteRows = (quotes: Quotes): RawBuilder<unknown> => sql`
  unnest(${[...quotes.keys()]}::text[], ${[...quotes.values()].map((quote) => quote.sell)}::numeric[]) as quote(symbol, sell)`;

export type Position = {
  readonly symbol: string;
  readonly trades: bigint;
  /** Amounts as placed. */
  readonly placed: bigint;
  /** N: what is in escrow. */
  readonly cost: bigint;
  readonly fees: bigint;
  /** What selling now would add to or take from the cost, after the performance fee. */
  readonly change: bigint;
};

/** Open trades by asset, at the prices they would be sold for now; without a price they are worth what they cost. */
export async function listPositions(db: Db, memberId: bigint, quotes: Quotes): Promise<Position[]> {
  const open = sql`
    select t.symbol, t.amount, t.fee, t.open_price, coalesce(quote.sell, t.open_price) as close_price
    from trading.trade t left join ${quoteRows(quotes)} on quote.symbol = t.symbol
    where t.member_id = ${memberId} and t.state = 'open'`;
  const { rows } = await sql<Position>`
    select symbol, count(*) as trades, sum(amount)::bigint as placed, sum(amount - fee)::bigint as cost, sum(fee)::bigint as fees,
      sum(gross - performance_fee)::bigint as change
    from (${settledColumns(open, CURRENT)}) as s
    group by symbol order by symbol`.execute(db);
  return rows;
}

/** Amounts as placed of trades that are not over, by wallet and state. */
export async function listPlaced(
  db: Db,
  memberId: bigint,
): Promise<{ wallet: 'primary' | 'profit'; state: 'queued' | 'open'; amount: bigint; fees: bigint }[]> {
  const { rows } = await sql<{ wallet: 'primary' | 'profit'; state: 'queued' | 'open'; amount: bigint; fees: bigint }>`
    select wallet, state, sum(amount)::bigint as amount, coalesce(sum(fee), 0)::bigint as fees from trading.trade
    where member_id = ${memberId} and state in ('queued', 'open') group by wallet, state`.execute(db);
  return rows;
}

export type Totals = {
  readonly trades: bigint;
  readonly winning: bigint;
  readonly losing: bigint;
  readonly volume: bigint;
  readonly result: bigint;
  /** Trade and performance fees of settled trades. */
  readonly fees: bigint;
  readonly bestTradeId: bigint | null;
  readonly worstTradeId: bigint | null;
};

/** Sums of all settled trades of a member, from one row a session. */
export async function findTotals(db: Db, memberId: bigint): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select coalesce(sum(trades), 0)::bigint as trades, coalesce(sum(winning), 0)::bigint as winning,
      coalesce(sum(losing), 0)::bigint as losing, coalesce(sum(volume), 0)::bigint as volume,
      coalesce(sum(result), 0)::bigint as result, coalesce(sum(trade_fees + performance_fees), 0)::bigint as fees,
      (array_agg(best_trade_id order by best_result desc, best_trade_id))[1] as "bestTradeId",
      (array_agg(worst_trade_id order by worst_result, worst_trade_id))[1] as "worstTradeId"
    from trading.daily_result where member_id = ${memberId}`.execute(db);
  return rows[0] as Totals;
}

export type Day = { readonly day: string; readonly result: bigint; readonly trades: number };

/** Realised results of the last sessions, oldest first. */
export async function listDays(db: Db, memberId: bigint, limit: number): Promise<Day[]> {
  const { rows } = await sql<Day>`
    select session_day::text as day, result, trades from (
      select session_day, result, trades from trading.daily_result
      where member_id = ${memberId} order by session_day desc limit ${limit}) as latest
    order by session_day`.execute(db);
  return rows;
}

export type EquityPoint = { readonly at: Date; readonly value: bigint };

/** Equity of the last sessions, oldest first, dated by their scheduled close. */
export async function listEquity(db: Db, memberId: bigint, limit: number): Promise<EquityPoint[]> {
  const { rows } = await sql<EquityPoint>`
    select s.closes_at as at, e.value from (
      select session_day, value from trading.equity
      where member_id = ${memberId} order by session_day desc limit ${limit}) as e
    join trading.session s on s.day = e.session_day
    order by s.closes_at`.execute(db);
  return rows;
}
