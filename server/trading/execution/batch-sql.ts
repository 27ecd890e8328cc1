import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow, hasRow, listRows } from '#server/db/rows.ts';
import type { MemberClass } from '#server/ledger/index.ts';
import type { BatchOutcome, Filled, SidePrice } from '../core/execution/batch-outcome.ts';
import type { BatchPlan, Quote, Wanted } from '../core/execution/batch-plan.ts';
import { type Chunk, coins, isUnfinished, tradeFeeOf } from '../session/opening-sql.ts';
import type { VenueFill } from './venue-port.ts';

export type BatchState = 'planned' | 'sent' | 'filled' | 'booked' | 'withdrawn';

/** A batch as it is stored; quantities and prices are decimal text. */
export type Batch = {
  readonly id: bigint;
  readonly symbol: string;
  readonly day: string;
  /** `close`: part of the closing sale. `house`: a sale of the house's own coins, without trades. */
  readonly kind: 'orders' | 'close' | 'house';
  readonly state: BatchState;
  readonly quote: Quote;
  readonly takerFee: string;
  readonly spreadBps: number;
  readonly wanted: Wanted;
  readonly plan: BatchPlan;
  /** Null without an order. */
  readonly clientOrderId: string | null;
  /** How often sending was attempted, and when last; null when the request certainly never reached the exchange. */
  readonly sends: number;
  readonly sentAt: Date | null;
  readonly exchangeOrderId: string | null;
  readonly plannedAt: Date;
  readonly filled: Filled;
  readonly buy: SidePrice | null;
  readonly sell: SidePrice | null;
  readonly openMicros: bigint | null;
  readonly settleCoins: string | null;
  readonly filledAt: Date | null;
  /** Why it was withdrawn. */
  readonly reason: string | null;
};

const columns = sql`
  b.id, b.symbol, to_char(b.session_day, 'YYYY-MM-DD') as day, b.kind, b.state, b.taker_fee::text as "takerFee", b.spread_bps as "spreadBps",
  jsonb_build_object('bid', b.bid::text, 'ask', b.ask::text, 'mark', b.mark::text) as quote,
  b.buy_micros as "buyMicros", b.sell_coins::text as "sellCoins", b.residual::text as residual,
  jsonb_build_object('buyCoins', b.buy_coins::text, 'isWhole', b.is_whole, 'order', case when b.side is not null then
    jsonb_build_object('side', b.side, 'quantity', b.quantity::text, 'limitPrice', b.limit_price::text) end) as plan,
  b.client_order_id as "clientOrderId", b.sends, b.sent_at as "sentAt", b.exchange_order_id as "exchangeOrderId", b.planned_at as "plannedAt",
  jsonb_build_object('quantity', b.filled::text, 'coins', b.coins::text, 'cost', b.cost::text, 'dollars', b.dollars::text) as filled,
  case when b.buy_price is not null then
    jsonb_build_object('fill', b.buy_fill::text, 'net', b.buy_net::text, 'price', b.buy_price::text) end as buy,
  case when b.sell_price is not null then
    jsonb_build_object('fill', b.sell_fill::text, 'net', b.sell_net::text, 'price', b.sell_price::text) end as sell,
  b.open_micros as "openMicros", b.settle_coins::text as "settleCoins", b.filled_at as "filledAt", b.reason`;

const withoutTrades = sql`open_ids = '{}', close_ids = '{}'`;

type Row = Omit<Batch, 'wanted'> & Wanted;
const toBatch = ({ buyMicros, sellCoins, residual, ...row }: Row): Batch => ({
  ...row,
  wanted: { buyMicros, sellCoins, residual },
});

/** Batches not booked yet, at most one per asset. */
export const listUnfinished = async (db: Db): Promise<Batch[]> =>
  (
    await listRows(db)<Row>`
      select ${columns} from trading.batch b where ${isUnfinished} order by b.symbol`
  ).map(toBatch);

export const getBatch = async (db: Db, id: bigint): Promise<Batch> =>
  toBatch(await getRow(db)<Row>`select ${columns} from trading.batch b where b.id = ${id}`);

export const lockBatch = async (tx: Tx, id: bigint): Promise<Batch> =>
  toBatch(await getRow(tx)<Row>`select ${columns} from trading.batch b where b.id = ${id} for update`);

export const hasUnfinished = (tx: Tx, symbol: string) =>
  hasRow(tx)`select 1 from trading.batch b where b.symbol = ${symbol} and ${isUnfinished}`;

/** Whether the last order of the asset, or the last one before a batch, was a purchase that the exchange did not take. */
export const wasPurchaseRefused = (tx: Tx, symbol: string, before: bigint | null = null) =>
  hasRow(tx)`
    select 1 from (
      select state, side from trading.batch
      where symbol = ${symbol} and (${before}::bigint is null or id < ${before}::bigint) order by id desc limit 1) as last
    where state = 'withdrawn' and side = 'buy'`;

export type NewBatch = Pick<
  Batch,
  'symbol' | 'day' | 'kind' | 'quote' | 'takerFee' | 'spreadBps' | 'wanted' | 'plan'
> & {
  readonly clientOrderId: string | null;
  readonly at: Date;
  readonly plannedAt: Date;
  /** Trades to open and to close, in PostgreSQL's text form, ascending; empty for a closing sale. */
  readonly trades?: Pick<Due, 'openIds' | 'closeIds'> | undefined;
};

export async function insertBatch(tx: Tx, batch: NewBatch): Promise<Batch> {
  const { quote, wanted, plan } = batch;
  const row = await getRow(tx)<Row>`
    insert into trading.batch as b (symbol, session_day, kind, at, planned_at, mark, bid, ask, taker_fee, spread_bps, buy_micros, buy_coins,
      sell_coins, residual, side, quantity, limit_price, is_whole, client_order_id, open_ids, close_ids)
    values (${batch.symbol}, ${batch.day}::date, ${batch.kind}, ${batch.at}, ${batch.plannedAt}, ${quote.mark}::numeric, ${quote.bid}::numeric,
      ${quote.ask}::numeric, ${batch.takerFee}::numeric, ${batch.spreadBps}, ${wanted.buyMicros}, ${plan.buyCoins}::numeric,
      ${wanted.sellCoins}::numeric, ${wanted.residual}::numeric, ${plan.order?.side ?? null}, ${plan.order?.quantity ?? null}::numeric,
      ${plan.order?.limitPrice ?? null}::numeric, ${plan.isWhole}, ${batch.clientOrderId}, ${batch.trades?.openIds ?? '{}'}::text::bigint[],
      ${batch.trades?.closeIds ?? '{}'}::text::bigint[])
    returning ${columns}`;
  return toBatch(row);
}

/** Trades that may open or close now: requested before this market time, in assets without an unfinished batch. */
export const listDue = (db: Db, marketAt: Date) =>
  listRows(db)<{ readonly symbol: string; readonly ids: string }>`
    select symbol, array_agg(id)::text as ids from (
      select symbol, id from trading.trade where state = 'queued' and requested_at < ${marketAt}
      union all
      select symbol, id from trading.trade
      where state = 'open' and close_requested_at is not null and close_requested_at < ${marketAt} and not carried) as due
    where symbol not in (select b.symbol from trading.batch b where ${isUnfinished})
    group by symbol order by symbol`;

/** Of those trades, the ones that can still open and close. */
export type Due = {
  readonly buyMicros: bigint;
  readonly sellCoins: string;
  readonly openIds: string;
  readonly closeIds: string;
};

/** Coins of a position still to be sold. */
const unsold = sql`${coins} - coalesce(sold_coins, 0)`;

/** The caller holds `lockPlanning`. Trades are locked only when they open, which saves a write per row. */
export const findDue = (
  tx: Tx,
  ids: string,
  marketAt: Date,
  {
    tradeBps,
    mayOpen,
    barredIds,
  }: { readonly tradeBps: number; readonly mayOpen: boolean; readonly barredIds: readonly bigint[] },
) =>
  getRow(tx)<Due>`
    with due as materialized (
      select t.id, t.state, t.amount - ${tradeFeeOf(sql`t.amount`, tradeBps)} as opening, null::bigint as net, null::numeric as open_price,
        null::numeric as sold_coins
      from trading.trade t
      where t.state = 'queued' and t.id = any(${ids}::text::bigint[]) and not t.carried and t.requested_at < ${marketAt} and ${mayOpen}::boolean
        and t.member_id <> all(${[...barredIds]}::bigint[])
      union all
      select t.id, t.state, null, t.amount - t.fee, t.open_price, t.sold_coins
      from trading.trade t
      where t.state = 'open' and t.id = any(${ids}::text::bigint[]) and not t.carried and t.close_requested_at < ${marketAt})
    select coalesce(sum(opening) filter (where state = 'queued'), 0)::bigint as "buyMicros",
      coalesce(sum(${unsold}) filter (where state = 'open'), 0)::text as "sellCoins",
      coalesce(array_agg(id order by id) filter (where state = 'queued'), '{}')::text as "openIds",
      coalesce(array_agg(id order by id) filter (where state = 'open'), '{}')::text as "closeIds"
    from due`;

/**
 * Records that the order is about to be sent. Only one of two workers that read the same order succeeds.
 *
 * @returns whether this call may send it
 */
export const claimSend = (db: Db, batch: Batch, sentAt: Date) =>
  hasRow(db)`
    update trading.batch set sends = sends + 1, sent_at = ${sentAt}
    where id = ${batch.id} and state = 'planned' and sends = ${batch.sends} returning 1`;

/** The exchange rejected this request without accepting the order. */
export const updateNotSent = (db: Db, id: bigint, sends: number) =>
  execute(db)`update trading.batch set sent_at = null where id = ${id} and state = 'planned' and sends = ${sends}`;

/** The exchange has accepted the order: from now on it is only queried, never sent again. */
export const updateAccepted = (db: Db, id: bigint, exchangeOrderId: string) =>
  execute(db)`
    update trading.batch set state = 'sent', exchange_order_id = ${exchangeOrderId} where id = ${id} and state = 'planned'`;

/**
 * Returns its trades to the queue.
 *
 * @returns whether the batch was still unfinished: only one of two workers withdraws it
 */
export const updateWithdrawn = (tx: Tx, { id, sends }: Batch, reason: string) =>
  hasRow(tx)`
    update trading.batch set state = 'withdrawn', reason = ${reason}, ${withoutTrades}
    where id = ${id} and state = 'planned' and sends = ${sends} returning 1`;

export type NewFill = VenueFill & { readonly feeValue: bigint | null; readonly isFeeInCoin: boolean };

export const insertFill = (tx: Tx, batchId: bigint, fill: NewFill) =>
  execute(tx)`
    insert into trading.batch_fill (batch_id, exchange_trade_id, quantity, cost, fee_quantity, fee_coin, is_fee_in_coin, fee_value, filled_at)
    values (${batchId}, ${fill.tradeId}, ${fill.quantity}::numeric, ${fill.cost}::numeric, ${fill.feeQuantity}::numeric, ${fill.feeCoin}::text,
      ${fill.isFeeInCoin}, ${fill.feeValue}::bigint, ${fill.filledAt})`;

export const updateFilled = (
  tx: Tx,
  id: bigint,
  {
    filled,
    outcome,
    at,
    exchangeOrderId,
  }: { filled: Filled; outcome: BatchOutcome; at: Date; exchangeOrderId: string | null },
) =>
  execute(tx)`
    update trading.batch set state = 'filled', filled = ${filled.quantity}::numeric, coins = ${filled.coins}::numeric,
      cost = ${filled.cost}::numeric, dollars = ${filled.dollars}::numeric, exchange_order_id = coalesce(exchange_order_id, ${exchangeOrderId}),
      buy_fill = ${outcome.buy?.fill ?? null}::numeric, buy_net = ${outcome.buy?.net ?? null}::numeric, buy_price = ${outcome.buy?.price ?? null}::numeric,
      sell_fill = ${outcome.sell?.fill ?? null}::numeric, sell_net = ${outcome.sell?.net ?? null}::numeric, sell_price = ${outcome.sell?.price ?? null}::numeric,
      open_micros = ${outcome.openMicros}, settle_coins = ${outcome.sellCoins}::numeric, filled_at = ${at}
    where id = ${id}`;

/** Marks a batch that had no order: its coins were sold elsewhere, on the approval of two operators. */
export const updateElsewhere = (tx: Tx, id: bigint, proposalId: bigint) =>
  execute(tx)`update trading.batch set elsewhere_id = ${proposalId} where id = ${id}`;

export const updateBooked = (tx: Tx, id: bigint, at: Date) =>
  execute(tx)`update trading.batch set state = 'booked', booked_at = ${at}, ${withoutTrades} where id = ${id}`;

/** The next trades in the batch to open (`queued`) or to close (`open`), processed or not; undefined after the last. */
export async function findBatchChunk(
  db: Db,
  batchId: bigint,
  state: 'queued' | 'open',
  after: bigint,
  size: number,
): Promise<Chunk | undefined> {
  const { upTo, ids } = await getRow(db)<{ upTo: bigint | null; ids: string | null }>`
    select max(id) as "upTo", array_agg(id)::text as ids from (
      select own.id from trading.batch b, unnest(${sql.ref(state === 'queued' ? 'b.open_ids' : 'b.close_ids')}) as own(id)
      where b.id = ${batchId} and own.id > ${after} order by own.id limit ${size}) as part`;
  return upTo === null || ids === null ? undefined : { after, upTo, ids };
}

export type Edge = {
  readonly id: bigint;
  readonly memberId: bigint;
  readonly amount: bigint;
  readonly net: bigint;
  readonly before: bigint;
  readonly wallet: 'primary' | 'profit';
  readonly source: MemberClass;
};

/** The first opening not filled in full, with the total that opens before it; undefined when all are filled. */
export const findOpeningEdge = (tx: Tx, batchId: bigint, openMicros: bigint, tradeBps: number) =>
  findRow(tx)<Edge>`
    select id, "memberId", amount, net, "until" - net as before, wallet, source from (
      select t.id, t.member_id as "memberId", t.amount, t.amount - ${tradeFeeOf(sql`t.amount`, tradeBps)} as net,
        (sum(t.amount - ${tradeFeeOf(sql`t.amount`, tradeBps)}) over (order by t.id))::bigint as "until", coalesce(p.wallet, t.wallet) as wallet,
        t.wallet as source
      from trading.batch b, unnest(b.open_ids) as own(id) join trading.trade t on t.id = own.id left join trading.plan p on p.id = t.plan_id
      where b.id = ${batchId} and t.state = 'queued') as opening
    where "until" > ${openMicros} order by id limit 1`;

/** Returns openings to the queue, starting at this trade. */
export const releaseOpenings = (tx: Tx, batchId: bigint, from: bigint) =>
  execute(tx)`
    with released as (
      update trading.trade t set tried_at_ms = coalesce(t.tried_at_ms, (select answered_ms from trading.venue))
      from trading.batch b, unnest(b.open_ids) as own(id)
      where b.id = ${batchId} and own.id >= ${from} and t.id = own.id and t.state = 'queued')
    update trading.batch set open_ids = array(select own.id from unnest(open_ids) as own(id) where own.id < ${from} order by own.id) where id = ${batchId}`;

/** @param amount what was filled; the rest returns to where it came from */
export const updateFilledInPart = (tx: Tx, id: bigint, amount: bigint) =>
  execute(tx)`
    update trading.trade set amount = ${amount}, unfilled = amount - ${amount} where id = ${id} and state = 'queued'`;

export const updateOpeningTrimmed = (tx: Tx, id: bigint) =>
  execute(tx)`update trading.batch set open_micros = null where id = ${id}`;

/**
 * Returns to the queue what the batch did not sell in full, in the order of requests; the first of them may be sold in
 * part.
 *
 * @param reach coins that were sold, at these prices
 */
export async function trimClosings(
  tx: Tx,
  batchId: bigint,
  reach: string,
  { fill, net }: Pick<SidePrice, 'fill' | 'net'>,
): Promise<void> {
  await execute(tx)`
    with closing as (
      select id, ${unsold} as needed, sum(${unsold}) over (order by close_requested_at, id) as until
      from (
        select t.id, t.close_requested_at, t.amount - t.fee as net, t.open_price, t.sold_coins
        from trading.batch b, unnest(b.close_ids) as own(id) join trading.trade t on t.id = own.id
        where b.id = ${batchId} and t.state = 'open') as t),
    sold_in_part as (
      update trading.trade t
      set sold_coins = coalesce(t.sold_coins, 0) + part.coins, sold_dollars = coalesce(t.sold_dollars, 0) + part.coins * ${net}::numeric,
        sold_cost = coalesce(t.sold_cost, 0) + part.coins * ${fill}::numeric
      from closing c cross join lateral (select ${reach}::numeric - (c.until - c.needed) as coins) as part
      where t.id = c.id and c.until > ${reach}::numeric and part.coins > 0)
    update trading.batch set settle_coins = null,
      close_ids = array(select c.id from closing c where c.until <= ${reach}::numeric order by c.id)
    where id = ${batchId}`;
}

/** Whether the last purchase paid its fee in the coin, whatever the account setting; undefined before the first. */
export async function findFeeInCoin(tx: Tx): Promise<boolean | undefined> {
  const last = await findRow(tx)<{ isInCoin: boolean }>`
    select f.is_fee_in_coin as "isInCoin" from trading.batch_fill f join trading.batch b on b.id = f.batch_id
    where b.side = 'buy' and f.fee_quantity > 0 order by f.filled_at desc limit 1`;
  return last?.isInCoin;
}

/**
 * Assigns to a session's digest what was filled until it settled and no earlier digest has. Prices are final once a batch
 * is filled, whether it is booked by then or later.
 */
export const digestBatches = (tx: Tx, day: string) =>
  execute(tx)`
    update trading.batch set digested_on = ${day}::date
    where digested_on is null and state in ('filled', 'booked') and kind <> 'house'`;

/** The batches in a session's digest, in order of id. */
export async function listDigestedBatches(tx: Tx, day: string): Promise<Batch[]> {
  const rows = await listRows(tx)<Row>`
    select ${columns} from trading.batch b where b.digested_on = ${day}::date order by b.id`;
  return rows.map(toBatch);
}

/** A fill with its fee by kind: in the coin traded, in dollars, or in a third coin by its value. */
export type StoredFill = {
  readonly batchId: bigint;
  readonly quantity: string;
  readonly cost: string;
  readonly feeInCoin: string;
  readonly feeInDollars: string;
  readonly feeValue: bigint | null;
};

/** Fills of the batches that `listDigestedBatches` returns. */
export const listFills = (tx: Tx, day: string) =>
  listRows(tx)<StoredFill>`
    select f.batch_id as "batchId", f.quantity::text, f.cost::text, f.fee_value as "feeValue",
      case when f.fee_value is null and f.is_fee_in_coin then f.fee_quantity else 0 end::text as "feeInCoin",
      case when f.fee_value is null and not f.is_fee_in_coin then f.fee_quantity else 0 end::text as "feeInDollars"
    from trading.batch_fill f join trading.batch b on b.id = f.batch_id
    where b.digested_on = ${day}::date
    order by f.batch_id, f.exchange_trade_id`;
