import { type RawBuilder, sql } from 'kysely';
import type { CancelReason } from '#contract/trading/trading.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getValue, listRows } from '#server/db/rows.ts';
import { houseAccount, memberAccount, postingSet } from '#server/ledger/index.ts';
import { assetMarks } from '#server/market/index.ts';
import type { Fill } from '../core/fills.ts';

/**
 * Trades with `after < id <= upTo`. `ids`, in PostgreSQL's text form, is set once their rows are locked: members may
 * change the set concurrently, and all statements of a chunk must see the same trades.
 */
export type Chunk = { readonly after: bigint; readonly upTo: bigint; readonly ids?: string };

export const isIn = (chunk: Chunk): RawBuilder<unknown> =>
  chunk.ids === undefined
    ? sql`t.id > ${chunk.after} and t.id <= ${chunk.upTo}`
    : sql`t.id = any(${chunk.ids}::text::bigint[])`;

/** The reference of a chunk's venue transfer: `trades 5 to 9`, or `trade 5` for a single one. */
export const nameTrades = sql`
  case when count(*) = 1 then 'trade ' || min(id) else 'trades ' || min(id) || ' to ' || max(id) end`;

/** The next queued trades, or undefined after the last. */
export function findQueuedChunk(db: Db, after: bigint, size: number): Promise<Chunk | undefined> {
  return findChunk(
    db,
    after,
    sql`select id from trading.trade where state = 'queued' and id > ${after} order by id limit ${size}`,
  );
}

export const hasQueuedTrades = (db: Db): Promise<boolean> =>
  getValue(db)<boolean>`
    select exists (select from trading.trade where state = 'queued') as found`;

export const hasQueuedTradesOfPlans = (db: Db): Promise<boolean> =>
  getValue(db)<boolean>`
    select exists (
      select from trading.trade where plan_id is not null and state in ('queued', 'open') and state = 'queued') as found`;

export async function findChunk(db: Db, after: bigint, ids: RawBuilder<unknown>): Promise<Chunk | undefined> {
  const upTo = await getValue(db)<bigint | null>`select max(id) from (${ids}) as part`;
  return upTo === null ? undefined : { after, upTo };
}

/** Whether batch `b` is unfinished: neither booked nor withdrawn. */
export const isUnfinished = sql`b.state in ('planned', 'sent', 'filled')`;

/** Queued trades in unfinished batches: an order was committed for them. */
export const openingIds = sql`(select unnest(b.open_ids) from trading.batch b where ${isUnfinished})`;

const planningLock = (symbol: RawBuilder<unknown>) => sql`hashtextextended('trading.planning/' || ${symbol}, 0)`;

/** Until the transaction ends, no trade of the asset is cancelled, so what its batch is planned for stays queued. */
export const lockPlanning = (tx: Tx, symbol: string) =>
  execute(tx)`select pg_advisory_xact_lock(${planningLock(sql`${symbol}::text`)})`;

/** Until the transaction ends, no batch is planned for the asset, or for any when null: cancelled trades stay out. */
export const lockAgainstPlanning = (tx: Tx, symbol: string | null = null) =>
  execute(tx)`
    select pg_advisory_xact_lock_shared(${planningLock(sql`a.symbol`)})
    from (select m.symbol from ${assetMarks} as m where m.symbol = coalesce(${symbol}::text, m.symbol) order by 1) as a`;

/**
 * Locks the queued trades of a chunk in id order, before any account, as members' cancellations do. Excludes trades
 * that a batch is opening, and blocks new batches meanwhile.
 *
 * @param cancelling locks only trades that it cancels
 * @returns the chunk with exactly these trades
 */
export async function lockQueued(tx: Tx, chunk: Chunk, cancelling?: Cancelling): Promise<Chunk> {
  await lockAgainstPlanning(tx);
  const isSelected = cancelling === undefined ? sql`true` : sql`${cancelReasonOf(cancelling)} is not null`;
  const locked = await lockRows(tx, chunk, sql`t.state = 'queued' and ${isSelected}`);
  const ids = await getValue(tx)<string>`
    select array(select id from unnest(${locked.ids}::text::bigint[]) as id where id not in ${openingIds})::text`;
  return { ...chunk, ids };
}

export async function lockRows(tx: Tx, chunk: Chunk, condition: RawBuilder<unknown>): Promise<Chunk> {
  const ids = await getValue(tx)<string>`
    select coalesce(array_agg(id order by id), '{}')::text as ids
    from (select t.id from trading.trade t where ${condition} and ${isIn(chunk)} order by t.id for update) as locked`;
  return { ...chunk, ids };
}

/** The fills as a relation: `symbol, at, price`. */
export const fillRows = (fills: readonly Fill[]): RawBuilder<unknown> => sql`
  unnest(
    ${fills.map((fill) => fill.symbol)}::text[],
    ${fills.map((fill) => fill.at.toISOString())}::timestamptz[],
    ${fills.map((fill) => fill.price)}::numeric[]
  ) as fill(symbol, at, price)`;

/** Whether positions' cost is moved to the venue in the ledger at opening: on paper only, which has no treasury. */
export type Funding = 'paper' | 'treasury';

/** `tradeFee` of `core/settlement.ts`, word for word in SQL. */
export const tradeFeeOf = (amount: RawBuilder<unknown>, tradeBps: number): RawBuilder<unknown> =>
  sql`div(${amount}::numeric * ${tradeBps}::int, 10000)::bigint`;

/** Queued trades of a chunk that a tick fills, with the fee. */
const filledRows = (chunk: Chunk, fills: readonly Fill[], tradeBps: number) => sql`
  select t.id, t.member_id, t.symbol, t.amount, ${tradeFeeOf(sql`t.amount`, tradeBps)} as fee, fill.at, fill.price, null::bigint as batch_id,
    t.stop_loss_permille, t.take_profit_permille, t.trailing_stop_permille
  from trading.trade t
  join ${fillRows(fills)} on fill.symbol = t.symbol and t.requested_at < fill.at
  where t.state = 'queued' and ${isIn(chunk)}`;

/** The paper venue holds nothing outside, so it adds no exposure. */
export const noExposure = sql``;

export type Opening = {
  readonly day: string;
  readonly fills: readonly Fill[];
  readonly tradeBps: number;
  readonly funding: Funding;
};

/**
 * Coins of a position, from its `net` (amount less fee, micros) and `open_price`. Rounded identically at opening and
 * settlement, so the exposure of an asset without open trades is exactly zero.
 */
export const coins = sql`round(net::numeric / (open_price * 1000000), 12)`;

/**
 * Adds purchased coins to the exposure of their assets, in the statement that opens the trades, so a crash cannot
 * separate the two.
 *
 * @param opened a relation `symbol, net, open_price`, with its alias
 */
const addOpenedExposure = (opened: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into trading.exposure as e (symbol, quantity, members_cash)
  select symbol, sum(${coins}), -sum(net) from ${opened} group by symbol order by symbol
  on conflict (symbol) do update set
    quantity = e.quantity + excluded.quantity, members_cash = e.members_cash + excluded.members_cash`;

type BatchOpening = Pick<Opening, 'day' | 'tradeBps'> & { readonly batchId: bigint };

/** Locks the trades of a chunk, with the price at which the exchange filled their batch, perhaps before the session. */
const batchRows = (chunk: Chunk, { day, batchId, tradeBps }: BatchOpening) => sql`
  select t.id, t.member_id, t.symbol, t.amount, ${tradeFeeOf(sql`t.amount`, tradeBps)} as fee, greatest(b.filled_at, s.opens_at) as at, b.buy_price as price,
    b.id as batch_id, t.stop_loss_permille, t.take_profit_permille, t.trailing_stop_permille
  from trading.trade t join trading.batch b on b.id = ${batchId} join trading.session s on s.day = ${day}::date
  where t.state = 'queued' and b.buy_price is not null and ${isIn(chunk)}
  order by t.id for update of t`;

/** Opens the trades of a chunk at the price at which the exchange filled their batch. */
export const openBatch = (tx: Tx, chunk: Chunk, opening: BatchOpening): Promise<void> =>
  open(tx, batchRows(chunk, opening), { day: opening.day, funding: 'treasury' });

/**
 * Opens the trades of a chunk that a tick fills: charges each fee, sets the stop levels and, on paper, moves the
 * positions' cost to the venue in one transfer.
 */
export const openTrades = (tx: Tx, chunk: Chunk, { day, fills, tradeBps, funding }: Opening): Promise<void> =>
  open(tx, filledRows(chunk, fills, tradeBps), { day, funding });

async function open(
  tx: Tx,
  rows: RawBuilder<unknown>,
  { day, funding }: Pick<Opening, 'day' | 'funding'>,
): Promise<void> {
  const drafts = sql`
    select 'trade/' || id || '/fee', ${memberAccount(sql`member_id`, 'trade_escrow')}, ${houseAccount('trade_fees')}, fee,
      'trade_fee', 'trade ' || id, at, null::text
    from filled where fee > 0
    union all
    select 'trade/' || max(id) || '/venue_fund', ${houseAccount('venue')}, ${houseAccount('gateway')}, sum(amount - fee)::bigint,
      'venue_fund', ${nameTrades}, max(at), null
    from filled having count(*) > 0 and ${funding === 'paper'}::boolean`;
  const exposed = sql`, exposed as (${addOpenedExposure(sql`
    (select symbol, amount - fee as net, price as open_price from filled) as opened`)})`;
  await execute(tx)`
    with filled as materialized (${rows}),
    opened as (
      update trading.trade t
      set state = 'open', session_day = ${day}::date, fee = filled.fee, opened_at = filled.at, open_price = filled.price,
        open_batch_id = filled.batch_id,
        ${stopColumns(sql`filled`, { price: sql`filled.price`, since: sql`filled.at`, trailingSince: sql`filled.at` })}
      from filled where t.id = filled.id)
    ${funding === 'treasury' ? exposed : noExposure}
    select ${postingSet(drafts)}`;
}

/** Assignments of an update: stop levels from the open price (`stopLevels`), and when ticks start to trigger them. */
export const stopColumns = (
  from: RawBuilder<unknown>,
  at: {
    readonly price: RawBuilder<unknown>;
    readonly since: RawBuilder<unknown>;
    readonly trailingSince: RawBuilder<unknown>;
  },
): RawBuilder<unknown> => sql`
  stop_loss_price = round(${at.price} * (1000 - ${from}.stop_loss_permille) / 1000, 12),
  take_profit_price = round(${at.price} * (1000 + ${from}.take_profit_permille) / 1000, 12),
  stops_since = case when num_nonnulls(${from}.stop_loss_permille, ${from}.take_profit_permille, ${from}.trailing_stop_permille) > 0
    then ${at.since} end,
  trailing_since = case when ${from}.trailing_stop_permille is not null then ${at.trailingSince} end`;

/** Which queued trades the system cancels, and why; the first reason that applies. */
export type Cancelling = {
  readonly inactiveSymbols?: readonly string[];
  readonly frozenMemberIds?: readonly bigint[];
  /** Members whose self-imposed pause or loss limit forbids trading. */
  readonly limitedMemberIds?: readonly bigint[];
  /** Trades requested before this market time: trading is halted for them. */
  readonly haltedBefore?: Date;
  /** Plan trades requested before this market time, decided in a closed session: `session_closed`. */
  readonly planDecidedBefore?: Date | undefined;
  /** Trades over the limits of their assets. */
  readonly overLimitIds?: readonly bigint[];
  /** Trades requested before this market time, whose session never had a price: `venue_down`. */
  readonly venueDownBefore?: Date;
  /** Trades first tried before this value of `answered_ms`: the exchange had long enough to fill them. */
  readonly triedBeforeMs?: bigint;
};

const cancelReasonOf = (cancelling: Cancelling): RawBuilder<CancelReason | null> => sql`
  case
    when t.symbol = any(${cancelling.inactiveSymbols ?? []}::text[]) then 'asset_off'
    when t.member_id = any(${cancelling.frozenMemberIds ?? []}::bigint[]) then 'frozen'
    when t.member_id = any(${cancelling.limitedMemberIds ?? []}::bigint[]) then 'own_limit'
    when t.requested_at < ${cancelling.haltedBefore ?? null}::timestamptz then 'halted'
    when t.plan_id is not null and t.requested_at < ${cancelling.planDecidedBefore ?? null}::timestamptz then 'session_closed'
    when t.id = any(${cancelling.overLimitIds ?? []}::bigint[]) then 'over_asset_limit'
    when t.requested_at < ${cancelling.venueDownBefore ?? null}::timestamptz then 'venue_down'
    when t.tried_at_ms <= ${cancelling.triedBeforeMs ?? null}::bigint then 'not_filled'
  end`;

const cancelledRows = (chunk: Chunk, cancelling: Cancelling) => sql`
  select t.id, t.member_id, t.wallet, t.amount, t.requested_at, ${cancelReasonOf(cancelling)} as reason
  from trading.trade t
  where t.state = 'queued' and ${isIn(chunk)} and ${cancelReasonOf(cancelling)} is not null`;

/** Returns the full amount to its source account, dated no earlier than the request. */
export async function cancelTrades(tx: Tx, chunk: Chunk, cancelling: Cancelling, marketAt: Date): Promise<void> {
  const drafts = sql`
    select 'trade/' || id || '/cancel', ${memberAccount(sql`member_id`, 'trade_escrow')}, ${sourceWallet(sql`chosen`)}, amount,
      'trade_cancel', 'trade ' || id, greatest(requested_at, ${marketAt}::timestamptz), reason
    from chosen`;
  await execute(tx)`
    with chosen as materialized (${cancelledRows(chunk, cancelling)}),
    cancelled as (
      update trading.trade t
      set state = 'cancelled', cancelled_at = greatest(chosen.requested_at, ${marketAt}::timestamptz), cancel_reason = chosen.reason
      from chosen where t.id = chosen.id)
    select ${postingSet(drafts)}`;
}

/** Reasons for which the system cancels trades placed by members. */
export type SystemReason = Exclude<CancelReason, 'member' | 'session_closed'>;

/** The chunk's cancelled trades added up by member, asset and reason, except plan trades. */
export const listCancelled = (tx: Tx, chunk: Chunk) =>
  listRows(tx)<{ memberId: bigint; symbol: string; reason: SystemReason; trades: number; amount: bigint }>`
    select t.member_id as "memberId", t.symbol, t.cancel_reason as reason, count(*)::int as trades, sum(t.amount)::bigint as amount
    from trading.trade t
    where t.state = 'cancelled' and t.plan_id is null and ${isIn(chunk)}
    group by t.member_id, t.symbol, t.cancel_reason order by min(t.id)`;

/** The source account of a trade: for a plan's trade, what is invested. */
export const sourceWallet = (trade: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  case ${trade}.wallet
    when 'primary' then ${memberAccount(sql`${trade}.member_id`, 'primary')}
    when 'profit' then ${memberAccount(sql`${trade}.member_id`, 'profit')}
    else ${memberAccount(sql`${trade}.member_id`, 'investment')}
  end`;
