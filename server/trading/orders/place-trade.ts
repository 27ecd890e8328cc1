import assert from 'node:assert/strict';
import { toMicros } from '#contract/money.ts';
import type { WalletType } from '#contract/rules.ts';
import type { Trade } from '#contract/trading/trading.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { GroupCommit } from '#server/db/group-commit.ts';
import { type Once, refuseOnce } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { refusePlacing } from '../core/placing.ts';
import { type StopPermilles, toPercent, toPermilles } from '../core/stops/stops.ts';
import { depthSince } from '../limits/limit-sql.ts';
import { insertPlaced, type NewTrade } from './trade-sql.ts';
import { isLossLimitReached, readConditions } from './trading-conditions.ts';

export type NewTradeInput = {
  /** The base symbol of an asset, `btc`. */
  readonly tradeId?: string | null | undefined;
  /** Dollars. */
  readonly amount: number;
  readonly wallet_type: WalletType;
  /** Percent, in steps of 0.1; null or left out for none. */
  readonly stop_loss?: number | null | undefined;
  readonly take_profit?: number | null | undefined;
  readonly trailing_stop?: number | null | undefined;
};

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
  const placed = (await placing(context.db, trade).add(trade)) ?? (await placeAlone(context.db, trade));
  if (placed instanceof Refused) throw placed;
  return placed;
}

type PlacedItem = NewTrade & { readonly callerId: bigint };
type Placings = Readonly<Record<'free' | 'limited', GroupCommit<PlacedItem, Trade | Refused>>>;
const placings = new WeakMap<Db, Placings>();

/** Trades that arrive together share one commit. Those with limits wait for each other anyway: one group of them runs at a time. */
function placing(db: Db, { isLimited }: NewTrade): Placings['free'] {
  const groups = placings.get(db) ?? openPlacings(db);
  placings.set(db, groups);
  return groups[isLimited ? 'limited' : 'free'];
}

function openPlacings(db: Db): Placings {
  const commit = (trades: readonly PlacedItem[]) => insertPlaced<Trade>(db, trades, { waiting: false });
  return {
    free: new GroupCommit({ name: 'placing', groups: 2 }, commit),
    limited: new GroupCommit({ name: 'placing with limits', groups: 1 }, commit),
  };
}

/** One whose account is locked, or has too little: it waits for the lock and learns which it is. */
async function placeAlone(db: Db, trade: NewTrade): Promise<Trade | Refused> {
  const [placed] = await insertPlaced<Trade>(db, [trade], { waiting: true });
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
