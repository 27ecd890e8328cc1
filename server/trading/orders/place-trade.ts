import assert from 'node:assert/strict';
import { type RawBuilder, sql } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import { toDollars, toMicros } from '#contract/money.ts';
import type { WalletType } from '#contract/rules.ts';
import type { Trade, trading } from '#contract/trading/trading.ts';
import { listFrozenMembers, listLossLimits, listPausedMembers } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { GroupCommit } from '#server/db/group-commit.ts';
import { listValues } from '#server/db/rows.ts';
import { type Claimed, type Once, type OnceStatement, refuseOnce, runStatementOnce } from '#server/db/tx.ts';
import {
  accountId,
  freeAccounts,
  lockedAccounts,
  postingEach,
  postingSet,
  refuseOverdraft,
} from '#server/ledger/index.ts';
import { marketTime, readTradable } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { refusePlacing } from '../core/placing.ts';
import { type StopPermilles, toPercent, toPermilles } from '../core/stops/stops.ts';
import { findActiveHalt, listHaltedAssets } from '../halts/halt-trading.ts';
import { depthSince, listLimitedSymbols, takingRoom } from '../limits/limit-sql.ts';
import type { TradeRow } from './trade-sql.ts';

export type NewTradeInput = BodyOf<typeof trading.placeTrade>;

/**
 * *Trade Now* (docs/product.md, section 3): the amount moves to `trade_escrow` at once, and the trade is queued for the
 * first tick of its asset after this market time. A repeated `Idempotency-Key` is answered before any check.
 *
 * @throws Refused in the order of docs/product.md, section 3, "Placing": trade_not_selected,
 * trade_under_primary_minimum or trade_under_profit_minimum, account_frozen, own_pause, own_loss_limit, trading_halted,
 * asset_halted, replay_ended, insufficient_funds, over_asset_limit
 */
export async function placeTrade(
  context: Context,
  memberId: bigint,
  input: NewTradeInput,
  once?: Once,
): Promise<Trade> {
  const conditions = await readConditions(context);
  const symbol = input.tradeId ?? '';
  const amount = toMicros(input.amount);
  const refusal = refusePlacing({
    isTradable: conditions.symbols.has(symbol),
    amount,
    wallet: input.wallet_type,
    isFrozen: conditions.frozenMemberIds.has(memberId),
    isPaused: conditions.pausedMemberIds.has(memberId),
    isLossLimitReached: await isLossLimitReached(context, memberId, conditions),
    isHalted: conditions.isHalted,
    isAssetHalted: conditions.haltedSymbols.has(symbol),
    marketEnded: conditions.hasEnded,
  });
  if (refusal !== undefined) return refuseOnce(context.db, once, new Refused(refusal));
  const placedAt = context.now();
  const stops = toPermilles(input);
  const trade: NewTrade & { callerId: bigint } = {
    callerId: memberId,
    once,
    member_id: memberId,
    symbol,
    wallet: input.wallet_type,
    amount,
    placed_at: placedAt,
    stops,
    isLimited: conditions.limitedSymbols.has(symbol),
    depthSince: depthSince(context),
    reply: showQueued(symbol, input, placedAt, stops),
  };
  const placed = (await groupOf(context.db, trade).add(trade)) ?? (await placeWaiting(context.db, trade));
  if (placed instanceof Refused) throw placed;
  return placed;
}

type PlacedItem = NewTrade & { readonly callerId: bigint };
type Placings = Readonly<Record<'free' | 'limited', GroupCommit<PlacedItem, Trade | Refused>>>;
const placings = new WeakMap<Db, Placings>();

/** Concurrent trades share one commit. Trades with limits block each other, so only one group runs. */
function groupOf(db: Db, { isLimited }: NewTrade): Placings['free'] {
  const groups = placings.get(db) ?? openPlacings(db);
  placings.set(db, groups);
  return groups[isLimited ? 'limited' : 'free'];
}

function openPlacings(db: Db): Placings {
  const commit = (trades: readonly PlacedItem[]) => insertPlaced(db, trades, { waiting: false });
  return {
    free: new GroupCommit({ name: 'placing', groups: 2 }, commit),
    limited: new GroupCommit({ name: 'placing with limits', groups: 1 }, commit),
  };
}

/** Places a trade whose accounts are locked or underfunded: waits for the lock to find out which. */
async function placeWaiting(db: Db, trade: NewTrade): Promise<Trade | Refused> {
  const [placed] = await insertPlaced(db, [trade], { waiting: true });
  assert(placed !== undefined, 'what waits for its accounts is placed or refused');
  return placed;
}

const showQueued = (symbol: string, input: NewTradeInput, placedAt: Date, stops: StopPermilles): Omit<Trade, 'id'> => ({
  symbol,
  wallet_type: input.wallet_type,
  plan_id: null,
  amount: input.amount,
  fee: null,
  state: 'queued',
  placed_at: placedAt.toISOString(),
  opened_at: null,
  open_price: null,
  closed_at: null,
  close_price: null,
  close_reason: null,
  cancel_reason: null,
  gross: null,
  performance_fee: null,
  result: null,
  stops: {
    stop_loss: toPercent(stops.stopLoss),
    take_profit: toPercent(stops.takeProfit),
    trailing_stop: toPercent(stops.trailingStop),
    stop_loss_price: null,
    take_profit_price: null,
    trailing_stop_price: null,
  },
  closing: false,
  closing_cause: null,
  execution: null,
  close_execution: null,
  live: null,
});

type NewTrade = Pick<TradeRow, 'member_id' | 'symbol' | 'amount' | 'placed_at'> & {
  readonly once: Once | undefined;
  readonly wallet: WalletType;
  readonly stops: StopPermilles;
  /** Counts against the limit of its asset, with depths measured since `depthSince`. */
  readonly isLimited: boolean;
  readonly depthSince: Date | null;
  /** The reply without its id. */
  readonly reply: object;
};

const newTradeColumns = {
  member_id: 'bigint',
  symbol: 'text',
  wallet: 'text',
  from_account: 'bigint',
  escrow: 'bigint',
  amount: 'bigint',
  placed_at: 'timestamptz',
  stop_loss: 'int',
  take_profit: 'int',
  trailing_stop: 'int',
  is_limited: 'boolean',
};
type Value = Claimed['columns'][string];

/**
 * Inserts trades and moves their amounts into escrow in one statement, each once per key and dated by the market clock.
 * This is the busiest call.
 *
 * @param waiting whether to wait for locked accounts; otherwise trades with locked or underfunded accounts are left out
 * @returns for each trade the reply, the refusal, or undefined if left out
 * @throws Refused insufficient_funds, over_asset_limit when waiting
 */
export function insertPlaced(
  db: Db,
  trades: readonly NewTrade[],
  { waiting }: { readonly waiting: boolean },
): Promise<(Trade | Refused | undefined)[]> {
  const limited = trades.find(({ isLimited }) => isLimited);
  const isSingle = trades.length === 1;
  const prepared = isSingle ? singleStatement : groupStatement;
  const statement = waiting || limited !== undefined ? placingStatement({ waiting, limited, isSingle }) : prepared;
  const requests = trades.map((trade) => ({ once: trade.once, columns: newTradeRow(trade), reply: trade.reply }));
  return refuseOverLimit(runStatementOnce<Trade>(db, requests, statement));
}

type Placing = { readonly waiting: boolean; readonly limited: NewTrade | undefined; readonly isSingle: boolean };

/** Prepared once, because nearly all trades use them. */
const singleStatement = placingStatement({ waiting: false, limited: undefined, isSingle: true });
const groupStatement = placingStatement({ waiting: false, limited: undefined, isSingle: false });

function placingStatement({ waiting, limited, isSingle }: Placing): OnceStatement {
  const ids = sql`array(select unnest(array[from_account, escrow]) from claimed)`;
  const isWaitingForRoom = waiting && limited !== undefined;
  const parts = [
    ...(waiting && limited === undefined
      ? []
      : [
          sql`free as materialized (${isWaitingForRoom ? lockedAccounts(ids) : freeAccounts(ids)})`,
          sql`
        payable as (
          select c.* from claimed c
          join free source on source.id = c.from_account and source.balance >= c.amount
          join free escrow on escrow.id = c.escrow)`,
        ]),
    ...(limited === undefined
      ? []
      : [sql`room as materialized (${takingRoom(sql`payable where is_limited`, limited.depthSince, waiting)})`]),
  ];
  const hasRoom = limited === undefined ? sql`true` : sql`(not p.is_limited or p.n in (select n from room))`;
  // A waiting trade with too little money is inserted anyway, so that the ledger refuses it.
  const placeable = waiting
    ? sql`select p.* from claimed p ${isWaitingForRoom ? sql`where ${hasRoom} or p.n not in (select n from payable)` : sql``}`
    : sql`select p.* from payable p where ${hasRoom}`;
  const drafts = sql`
    select 'trade/' || id || '/place', from_account, escrow, amount, 'trade_place', 'trade ' || id, market_at, null::text
    from numbered`;
  return {
    columns: newTradeColumns,
    work: sql`
        ${sql.join([...parts, sql``], sql`,`)}
        numbered as materialized (
          select p.*, nextval('trading.trade_id_seq') as id, ${marketTime} as market_at from (${placeable}) as p order by n),
        placed as (
          insert into trading.trade (id, member_id, symbol, wallet, amount, placed_at, requested_at,
            stop_loss_permille, take_profit_permille, trailing_stop_permille)
          overriding system value
          select id, member_id, symbol, wallet, amount, placed_at, market_at, stop_loss, take_profit, trailing_stop from numbered),
        posted as materialized (
          ${isSingle ? sql`select count(*) from ${postingEach(drafts)}` : sql`select ${postingSet(drafts)}`})`,
    added: sql`select n, jsonb_build_object('id', id::text) as added from numbered, posted`,
  };
}

/** Translates the database error for a trade over its limit into the refusal shown to the member. */
async function refuseOverLimit<T>(placed: Promise<T>): Promise<T> {
  try {
    return await refuseOverdraft(placed);
  } catch (error) {
    const { code, detail } = error as { code?: unknown; detail?: unknown };
    if (code !== 'TWL01') throw error;
    throw new Refused('over_asset_limit', { data: { still_possible: toDollars(BigInt(String(detail))) } });
  }
}

const newTradeRow = ({ stops, ...trade }: NewTrade): Record<keyof typeof newTradeColumns, Value> => ({
  member_id: trade.member_id,
  symbol: trade.symbol,
  wallet: trade.wallet,
  from_account: accountId({ memberId: trade.member_id, class: trade.wallet }),
  escrow: accountId({ memberId: trade.member_id, class: 'trade_escrow' }),
  amount: trade.amount,
  placed_at: trade.placed_at.toISOString(),
  stop_loss: stops.stopLoss,
  take_profit: stops.takeProfit,
  trailing_stop: stops.trailingStop,
  is_limited: trade.isLimited,
});

/** What decides whether a member may place a trade, apart from wallet and balance. */
export type Conditions = {
  /** Assets that are active and listed by the venue. */
  readonly symbols: ReadonlySet<string>;
  readonly frozenMemberIds: ReadonlySet<bigint>;
  /** Members on a self-imposed pause. */
  readonly pausedMemberIds: ReadonlySet<bigint>;
  /** Self-imposed daily loss limits in micros, for members who set one. */
  readonly lossLimits: ReadonlyMap<bigint, bigint>;
  /** Assets with size limits; at an exchange all of them, because its order book limits them. */
  readonly limitedSymbols: ReadonlySet<string>;
  /** Whether operators halted trading for everyone. */
  readonly isHalted: boolean;
  /** Assets in which the exchange rejects orders. */
  readonly haltedSymbols: ReadonlySet<string>;
  /** The recording is over: no session follows. */
  readonly hasEnded: boolean;
};

const CONDITIONS_TTL_MS = 1000;
const REFRESH_CONDITIONS_AFTER_MS = 500;
type CachedConditions = { readonly readAt: number; readonly conditions: Promise<Conditions>; isRefreshing: boolean };
const conditionsCache = new WeakMap<Db, CachedConditions>();

/**
 * Cached for one second, because placing is the busiest call and a trade that slips through a freeze, deactivation or
 * halt is cancelled before it opens. Market time is never cached: a backdated trade would fill at a cached price. Calls
 * in the second half of that second trigger a background refresh, so that placing never waits for one.
 */
export function readConditions(context: Context): Promise<Conditions> {
  const now = context.now().getTime();
  const cached = conditionsCache.get(context.db);
  const age = cached === undefined ? Number.POSITIVE_INFINITY : Math.abs(now - cached.readAt);
  if (cached === undefined || age >= CONDITIONS_TTL_MS) {
    const conditions = fetchConditions(context);
    cacheConditions(context, now, conditions);
    conditions.catch(() => conditionsCache.delete(context.db));
    return conditions;
  }
  if (age >= REFRESH_CONDITIONS_AFTER_MS && !cached.isRefreshing) {
    cached.isRefreshing = true;
    const conditions = fetchConditions(context);
    conditions.then(
      () => cacheConditions(context, now, conditions),
      // A failed background refresh is ignored: the first call after expiry reads again and gets the error.
      () => {},
    );
  }
  return cached.conditions;
}

const cacheConditions = ({ db }: Context, readAt: number, conditions: Promise<Conditions>) =>
  conditionsCache.set(db, { readAt, conditions, isRefreshing: false });

/** Reads the conditions for placing now; `readConditions` caches them. */
export async function fetchConditions(context: Context): Promise<Conditions> {
  const { db, now, config } = context;
  const [{ symbols, hasEnded }, frozen, paused, limits, halt, haltedAssets, limitedSymbols] = await Promise.all([
    readTradable(db),
    listFrozenMembers(db),
    listPausedMembers(db, now()),
    listLossLimits(db, now()),
    findActiveHalt(db),
    config.venue === 'ccxt' ? listHaltedAssets(db) : [],
    listLimitedSymbols(context),
  ]);
  return {
    symbols: new Set(symbols),
    frozenMemberIds: new Set(frozen),
    pausedMemberIds: new Set(paused),
    lossLimits: new Map(limits.map((limit) => [limit.memberId, limit.lossDayMicros])),
    limitedSymbols: new Set(limitedSymbols),
    isHalted: halt !== undefined,
    haltedSymbols: new Set(haltedAssets.map(({ symbol }) => symbol)),
    hasEnded,
  };
}

/** Whether a member's realised loss of the market day has reached their self-imposed limit. */
export async function isLossLimitReached({ db }: Context, memberId: bigint, conditions: Conditions): Promise<boolean> {
  const lossDayMicros = conditions.lossLimits.get(memberId);
  if (lossDayMicros === undefined) return false;
  return (await listOverLimit(db, currentDay, [{ memberId, lossDayMicros }])).length > 0;
}

/** The day of the one session that is not settled. */
const currentDay = sql`(select day from trading.session where state <> 'settled')`;

/** Members whose self-imposed pause or daily loss limit forbids trading now (docs/product.md, section 8). */
export async function listLimitedMembers({ db, now }: Context, day: string): Promise<bigint[]> {
  const [paused, limits] = await Promise.all([listPausedMembers(db, now()), listLossLimits(db, now())]);
  return [...paused, ...(limits.length === 0 ? [] : await listOverLimit(db, sql`${day}::date`, limits))];
}

type LossLimit = { readonly memberId: bigint; readonly lossDayMicros: bigint };

/** Members whose realised loss of a market day has reached their limit. */
const listOverLimit = (db: Db, day: RawBuilder<unknown>, limits: readonly LossLimit[]) =>
  listValues(db)<bigint>`
    select d.member_id
    from unnest(${limits.map((limit) => limit.memberId)}::bigint[], ${limits.map((limit) => limit.lossDayMicros)}::bigint[])
      as own(member_id, most)
    join trading.daily_result d on d.member_id = own.member_id and d.session_day = ${day} and d.result <= -own.most`;
