import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getValue } from '#server/db/rows.ts';
import { type FlowReason, houseAccount, memberAccount, postingSet } from '#server/ledger/index.ts';
import type { Fill } from '../core/fills.ts';
import { ratedOn } from '../orders/trade-sql.ts';
import {
  type Chunk,
  coins,
  type Funding,
  fillRows,
  findChunk,
  isIn,
  lockRows,
  nameTrades,
  noExposure,
  openingIds,
  sourceWallet,
  tradeFeeOf,
} from './opening-sql.ts';

/**
 * `settle` of core/settlement.ts in SQL: adds its columns to a relation with `amount, fee, open_price, close_price`.
 * `div` truncates exactly, whereas a numeric quotient would be rounded first.
 */
export const settledColumns = (
  trades: RawBuilder<unknown>,
  performanceBps: number | RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select t.*, p.proceeds,
    least(p.proceeds, p.net) as returned,
    greatest(p.net - p.proceeds, 0) as loss,
    greatest(least(p.proceeds, t.amount) - p.net, 0) as gain,
    g.surplus - g.performance_fee as profit,
    g.performance_fee,
    p.proceeds - p.net as gross,
    p.proceeds - t.amount - g.performance_fee as result
  from (${trades}) as t
  cross join lateral (
    select t.amount - t.fee as net, div((t.amount - t.fee) * t.close_price, t.open_price)::bigint as proceeds) as p
  cross join lateral (
    select s.surplus, div(s.surplus::numeric * (${performanceBps})::int, 10000)::bigint as performance_fee
    from (select greatest(p.proceeds - t.amount, 0) as surplus) as s) as g`;

/**
 * Why and at what price trades close: a query of open trades with `id, symbol, member_id, wallet, compounding, amount,
 * fee, open_price, close_price, closed_at, close_reason`.
 */
export type Closing = (chunk: Chunk) => RawBuilder<unknown>;

const openRows = (chunk: Chunk) => sql`t.state = 'open' and ${isIn(chunk)}`;

/** Trades of the chunk to be closed; a later request waits for the next round. */
export const lockClosing = (tx: Tx, chunk: Chunk): Promise<Chunk> =>
  lockRows(tx, chunk, sql`t.state = 'open' and t.close_requested_at is not null`);

/** Everything open at the end of a session. Nothing can join it any more, so the chunk remains a range. */
export async function lockOpen(tx: Tx, chunk: Chunk): Promise<Chunk> {
  await execute(tx)`
    select count(*) from (select from trading.trade t where ${openRows(chunk)} order by t.id for update) as locked`;
  return chunk;
}

/**
 * Requested closes, at the first tick after the request. A stop with a limit waits for the candle after its trigger,
 * and sells at no more than the limit.
 *
 * @param candleAt when the candle of these ticks began
 */
export const closingByRequest =
  (fills: readonly Fill[], candleAt: Date): Closing =>
  (chunk) =>
    sql`
    select t.id, t.symbol, t.member_id, t.wallet, t.compounding, t.amount, t.fee, t.open_price, least(fill.price, t.close_limit) as close_price, fill.at as closed_at,
      t.close_cause as close_reason
    from trading.trade t
    join ${fillRows(fills)} on fill.symbol = t.symbol and t.close_requested_at < fill.at
    where ${openRows(chunk)} and (t.close_limit is null or t.close_requested_at < ${candleAt}::timestamptz)`;

/** Closes at the batch's price at the exchange; when sold in several batches, at the average by coins. */
export const closingByBatch =
  (batchId: bigint): Closing =>
  (chunk) =>
    sql`
  select t.id, t.symbol, t.member_id, t.wallet, t.compounding, t.amount, t.fee, t.open_price,
    ${averageOf(sql`b.sell_net`, sql`b.sell_price`)} as close_price, b.filled_at as closed_at, t.close_cause as close_reason
  from (select *, amount - fee as net from trading.trade) as t join trading.batch b on b.id = ${batchId}
  where b.sell_price is not null and ${openRows(chunk)}`;

/**
 * The price of a position sold in parts: the average by coins, with the markup of the last part.
 *
 * @param net the price of the remaining coins before the markup; `price` includes it
 */
const averageOf = (net: RawBuilder<unknown>, price: RawBuilder<unknown>) => sql`
  case when t.sold_coins is null then ${price}
    else round((t.sold_dollars + (${coins} - t.sold_coins) * ${net}) / ${coins} * ${price} / ${net}, 12) end`;

/** Closes at the closing mark of the asset, if any. A triggered stop waiting for a candle keeps its limit. */
export const closingBySession =
  (day: string): Closing =>
  (chunk) =>
    sql`
    select t.id, t.symbol, t.member_id, t.wallet, t.compounding, t.amount, t.fee, t.open_price,
      least(${averageOf(sql`m.mark`, sql`m.close_price`)}, t.close_limit) as close_price, m.marked_at as closed_at, case when t.close_limit is not null then t.close_cause when m.is_late then 'late_price' else 'session_close' end as close_reason
    from (select *, amount - fee as net from trading.trade) as t
    join trading.closing_mark m on m.session_day = ${day}::date and m.symbol = t.symbol
    where not t.carried and ${openRows(chunk)}`;

/** Closes carried trades at the closing mark of their original session. */
export const closingOfCarried: Closing = (chunk) => sql`
  select t.id, t.symbol, t.member_id, t.wallet, t.compounding, t.amount, t.fee, t.open_price, ${averageOf(sql`m.mark`, sql`m.close_price`)} as close_price,
    m.marked_at as closed_at, 'late_price' as close_reason
  from (select *, amount - fee as net from trading.trade) as t
  join trading.closing_mark m on m.session_day = t.session_day and m.symbol = t.symbol
  where t.carried and ${openRows(chunk)}`;

/** The next carried trades that are sold, or undefined after the last. */
export const findCarriedChunk = (db: Db, after: bigint, size: number): Promise<Chunk | undefined> =>
  findChunk(
    db,
    after,
    sql`
      select t.id from trading.trade t
      where t.state = 'open' and t.carried and t.id > ${after} and exists (
        select from trading.closing_mark m where m.session_day = t.session_day and m.symbol = t.symbol)
      order by t.id limit ${size}`,
  );

/** The next trades with a requested close, or undefined after the last. */
export const findClosingChunk = (db: Db, after: bigint, size: number): Promise<Chunk | undefined> =>
  findChunk(
    db,
    after,
    sql`select id from trading.trade where state = 'open' and close_requested_at is not null and id > ${after} order by id limit ${size}`,
  );

/**
 * The next open trades of assets with a closing mark, or undefined after the last. Assets are passed as an array: with
 * a join, the planner would read and sort every open trade for each chunk instead of scanning the index.
 */
export const findMarkedChunk = (db: Db, day: string, after: bigint, size: number): Promise<Chunk | undefined> =>
  findChunk(
    db,
    after,
    sql`
      select t.id from trading.trade t
      where t.state = 'open' and not t.carried and t.id > ${after}
        and t.symbol = any (array(select m.symbol from trading.closing_mark m where m.session_day = ${day}::date))
      order by t.id limit ${size}`,
  );

/**
 * Whether anything keeps a session from ending: an open trade not carried over or, until the next session is due, one a
 * batch is opening.
 */
export const hasOpenTrades = (db: Db, isNextDue: boolean): Promise<boolean> =>
  getValue(db)<boolean>`
    select exists (select from trading.trade where state = 'open' and not carried)
      or (not ${isNextDue}::boolean and exists (select from trading.trade where state = 'queued' and id in ${openingIds})) as found`;

/**
 * Transfers of a settlement (docs/product.md, section 2, "Money flows"), and the chunk's proceeds, which return from
 * the venue in one transfer.
 */
const draftsOf = (funding: Funding) => {
  const escrow = memberAccount(sql`s.member_id`, 'trade_escrow');
  const venue = houseAccount('venue');
  // A compounding plan's gain stays in it.
  const gainWallet = sql`case when s.compounding then ${memberAccount(sql`s.member_id`, 'investment')} else ${memberAccount(sql`s.member_id`, 'profit')} end`;
  const kind = (name: string, from: RawBuilder<unknown>, to: RawBuilder<unknown>, amount: string, reason: FlowReason) =>
    sql`select ${sql.lit(name)}, ${from}, ${to}, ${sql.ref(amount)}, ${sql.lit(reason)} where ${sql.ref(amount)} > 0`;
  // Not `values`, whose expressions PostgreSQL would prepare again for each trade.
  const kinds = sql.join(
    [
      kind('return', escrow, sourceWallet(sql`s`), 's.returned', 'trade_return'),
      kind('loss', escrow, venue, 's.loss', 'trade_loss'),
      kind('gain', venue, sourceWallet(sql`s`), 's.gain', 'trade_gain'),
      kind('profit', venue, gainWallet, 's.profit', 'trade_profit'),
      kind('performance_fee', venue, houseAccount('performance_fees'), 's.performance_fee', 'performance_fee'),
    ],
    sql` union all `,
  );
  return sql`
    select 'trade/' || s.id || '/' || m.name, m.from_account, m.to_account, m.amount, m.reason, 'trade ' || s.id, s.closed_at, null::text
    from settled s cross join lateral (
      ${kinds}
    ) as m(name, from_account, to_account, amount, reason)
    union all
    select 'trade/' || max(id) || '/venue_return', ${houseAccount('gateway')}, ${venue}, sum(proceeds)::bigint,
      'venue_return', ${nameTrades}, max(closed_at), null
    from settled having sum(proceeds) > 0 and ${funding === 'paper'}::boolean`;
};

/** Adds the chunk to its members' sums of the session. Among equal results the lowest trade id wins. */
const addedResults = (day: string) => sql`
  insert into trading.daily_result as d (member_id, session_day, trades, winning, losing, volume, result, trade_fees,
    performance_fees, compounding_trades, compounding_volume, compounding_result, best_result, best_trade_id, worst_result, worst_trade_id)
  select member_id, ${day}::date, count(*), count(*) filter (where result > 0), count(*) filter (where result < 0),
    ledger.bigint_sum(amount), ledger.bigint_sum(result), ledger.bigint_sum(fee), ledger.bigint_sum(performance_fee),
    count(*) filter (where compounding), ledger.bigint_sum(amount) filter (where compounding),
    ledger.bigint_sum(result) filter (where compounding),
    max(result), -(max(array[result, -id]))[2], min(result), (min(array[result, id]))[2]
  from settled
  group by member_id
  order by member_id
  on conflict (member_id, session_day) do update set
    trades = d.trades + excluded.trades,
    winning = d.winning + excluded.winning,
    losing = d.losing + excluded.losing,
    volume = d.volume + excluded.volume,
    result = d.result + excluded.result,
    trade_fees = d.trade_fees + excluded.trade_fees,
    performance_fees = d.performance_fees + excluded.performance_fees,
    compounding_trades = d.compounding_trades + excluded.compounding_trades,
    compounding_volume = d.compounding_volume + excluded.compounding_volume,
    compounding_result = d.compounding_result + excluded.compounding_result,
    best_trade_id = case when (excluded.best_result, -excluded.best_trade_id) > (d.best_result, -d.best_trade_id)
      then excluded.best_trade_id else d.best_trade_id end,
    best_result = greatest(d.best_result, excluded.best_result),
    worst_trade_id = case when (excluded.worst_result, excluded.worst_trade_id) < (d.worst_result, d.worst_trade_id)
      then excluded.worst_trade_id else d.worst_trade_id end,
    worst_result = least(d.worst_result, excluded.worst_result)`;

/**
 * Subtracts what opening added. Concurrent chunks lock asset rows in the same order.
 *
 * @param settled a relation `symbol, net, open_price, proceeds`, with its alias
 */
const addSettledExposure = (settled: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  update trading.exposure e
  set quantity = e.quantity - c.quantity, members_cash = e.members_cash + c.proceeds
  from (
    select locked.symbol, sums.quantity, sums.proceeds
    from trading.exposure locked
    join (select symbol, sum(${coins}) as quantity, sum(proceeds) as proceeds from ${settled} group by symbol) as sums
      on sums.symbol = locked.symbol
    order by locked.symbol for update of locked) as c
  where e.symbol = c.symbol`;

type Settling = {
  readonly day: string;
  readonly closing: Closing;
  readonly performanceBps: number;
  readonly funding: Funding;
  /** The batch that sold them; none in a closing sale or on paper. */
  readonly batchId?: bigint;
};

/** Moves the money of a chunk, closes its trades and adds up its results, in one statement. */
export async function settleTrades(
  tx: Tx,
  chunk: Chunk,
  { day, closing, performanceBps, funding, batchId }: Settling,
): Promise<void> {
  const exposed = sql`, exposed as (${addSettledExposure(sql`
    (select symbol, amount - fee as net, open_price, proceeds from settled) as sold`)})`;
  await execute(tx)`
    with settled as materialized (${settledColumns(closing(chunk), performanceBps)}),
    results as (${addedResults(day)}),
    closed as (
      update trading.trade t
      set state = 'settled', closed_at = s.closed_at, close_price = s.close_price, close_reason = s.close_reason,
        close_batch_id = ${batchId ?? null}::bigint, session_day = ${day}::date, gross = s.gross, performance_fee = s.performance_fee, result = s.result
      from settled s where t.id = s.id)
    ${funding === 'treasury' ? exposed : noExposure}
    select ${postingSet(draftsOf(funding))}`;
}

/**
 * SQL for the trade fee of trade `t` settled in a session, by the formula of opening: at the session's rate or, if it
 * was ordered in an earlier one, at the rate of that session.
 */
export const feeOfSettled = (day: string, tradeBps: number): RawBuilder<unknown> => sql`
  case when ${ratedOn} = ${day}::date then ${tradeFeeOf(sql`t.amount`, tradeBps)}
    else (select div(t.amount::numeric * o.trade_fee_bps, 10000)::bigint from trading.session o where o.day = ${ratedOn}) end`;

/** The same at another rate. The fee of a trade ordered in an earlier session is changed by no plan any more. */
export const feeUnder = (day: string, tradeBps: number): RawBuilder<unknown> => sql`
  case when ${ratedOn} = ${day}::date then ${tradeFeeOf(sql`t.amount`, tradeBps)} else t.fee end`;
