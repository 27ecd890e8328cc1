import { setImmediate } from 'node:timers/promises';
import { type FeeRates, firstFeePlan } from '#contract/fee-plan.ts';
import { toMicros } from '#contract/money.ts';
import { defaultSpreadBps } from '#contract/rules.ts';
import type { BacktestOrder, BacktestResult } from '#contract/trading/backtest.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { findFeePlans, ratesOf, readTerms } from '#server/fee-plans/index.ts';
import {
  averagePrice,
  firstFreshMinute,
  getFeed,
  listAssets,
  listClosedCandles,
  openRecordedCandles,
  tickPath,
} from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { type AssetSession, initialState, listWindows, simulateAssetSession } from '../core/backtest/backtest.ts';
import type { MarketRules } from '../core/backtest/backtest-prices.ts';
import { type SimulatedAsset, showBacktest } from '../core/backtest/backtest-result.ts';
import type { AssetOrder } from '../core/backtest/backtest-session.ts';
import { minimumMicros } from '../core/placing.ts';
import type { SessionWindow } from '../core/session-window.ts';
import { hasStops, toPermilles } from '../core/stops/stops.ts';
import { candleMs, lookbackCandles, type StrategyCandle, settingOf } from '../core/strategies.ts';

const STEP_SECONDS = candleMs / 1000;
const DAY_MS = 86_400_000;
/** Sessions computed before yielding to other requests: a few milliseconds. */
const SESSIONS_PER_SLICE = 8;

/** The same functions as the live market uses (docs/product.md, section 3, "Ticks"). */
const rules: MarketRules = {
  ticksOf: (candle) => tickPath({ ...candle, volume: 0 }, STEP_SECONDS),
  averagePrice,
  firstFreshMinute,
};

/**
 * Runs a strategy on past prices, asset by asset (docs/trading.md). Yields every few sessions, so that the server keeps
 * responding.
 *
 * @throws Refused asset_not_found, backtest_under_minimum, backtest_no_prices
 */
export async function simulateBacktest(order: BacktestOrder, market: BacktestMarket): Promise<BacktestResult> {
  const assetOrders = order.symbols.map((symbol) => orderAsset(order, symbol, market));
  if (assetOrders.some(({ amount, minimum }) => amount < minimum)) throw new Refused('backtest_under_minimum');
  const windows = listWindows(order.from, order.to, market.knownUntil.getTime());
  const played: SimulatedAsset[] = [];
  for (const assetOrder of assetOrders) played.push(await simulateAsset(assetOrder, windows, market));
  if (!played.some(({ sessions }) => sessions.some((session) => session.hasPrice)))
    throw new Refused('backtest_no_prices');
  await setImmediate();
  return showBacktest(played, market.label);
}

function orderAsset(order: BacktestOrder, symbol: string, { spreads, rates }: BacktestMarket): AssetOrder {
  const spreadBps = spreads.get(symbol);
  if (spreadBps === undefined) throw new Refused('asset_not_found');
  return {
    symbol,
    setting: settingOf(order.strategy, order.params),
    amount: toMicros(order.amount) / BigInt(order.symbols.length),
    minimum: minimumMicros(order.wallet_type),
    compounding: order.compounding,
    stops: toPermilles(order),
    rates,
    spreadBps,
  };
}

async function simulateAsset(
  order: AssetOrder,
  windows: readonly SessionWindow[],
  market: BacktestMarket,
): Promise<SimulatedAsset> {
  const [first, last] = [windows[0], windows.at(-1)];
  if (first === undefined || last === undefined) return { order, sessions: [] };
  const from = new Date(first.opensAt.getTime() - lookbackCandles(order.setting) * candleMs);
  const to = new Date(last.closesAt.getTime() + DAY_MS);
  const candles = await market.listCandles(order.symbol, from, to);
  // Only stops need prices within a quarter of an hour.
  const minutes = hasStops(order.stops) ? await market.listMinutes(order.symbol, from, to) : [];
  const sessions: AssetSession[] = [];
  let state = initialState(order.amount);
  for (const [index, window] of windows.entries()) {
    if (index % SESSIONS_PER_SLICE === 0) await setImmediate();
    const played = simulateAssetSession(order, state, { candles, minutes }, window, rules);
    state = played.state;
    sessions.push(played.session);
  }
  return { order, sessions };
}

/** Members whose backtest is running in this process. */
const running = new WeakMap<Db, Set<bigint>>();

/**
 * Runs a backtest on the stored 15-minute candles, read only. One at a time per member, because it is CPU-bound.
 *
 * @throws Refused backtest_running, asset_not_found, backtest_under_minimum, backtest_no_prices
 */
export async function runBacktest(context: Context, memberId: bigint, order: BacktestOrder): Promise<BacktestResult> {
  const members = running.get(context.db) ?? new Set();
  running.set(context.db, members);
  if (members.has(memberId)) throw new Refused('backtest_running');
  members.add(memberId);
  try {
    return await simulateBacktest(order, await openStoredMarket(context));
  } finally {
    members.delete(memberId);
  }
}

/** Source of past prices for a backtest: the database's market, or a recorded folder. */
type BacktestMarket = {
  /** "Simulated market" or "Replay"; null for prices of a live market. */
  readonly label: string | null;
  /** The end of known prices. */
  readonly knownUntil: Date;
  /** Basis points by symbol, for all available assets. */
  readonly spreads: ReadonlyMap<string, number>;
  /** Rates of the fee plan applied to every session of the backtest, regardless of past plans. */
  readonly rates: FeeRates;
  /** Closed 15-minute candles that open in [from, to), oldest first. */
  readonly listCandles: (symbol: string, from: Date, to: Date) => Promise<readonly StrategyCandle[]>;
  /** Closed one-minute candles while retained; empty for a market with longer candles. */
  readonly listMinutes: (symbol: string, from: Date, to: Date) => Promise<readonly StrategyCandle[]>;
};

/** Minute candles are retained for three days, so none exist before this. */
const MINUTES_RETAINED_MS = 4 * 86_400_000;

/** The market in the database, with the current fee plan. */
export async function openStoredMarket(context: Pick<Context, 'db' | 'config' | 'now'>): Promise<BacktestMarket> {
  const { db } = context;
  const [feed, assets, { current }] = await Promise.all([getFeed(context), listAssets(db), findFeePlans(db)]);
  const knownUntil = new Date(feed.at);
  const minutesFrom = new Date(knownUntil.getTime() - MINUTES_RETAINED_MS);
  return {
    label: feed.label,
    knownUntil,
    spreads: new Map(assets.map((asset) => [asset.symbol, asset.spreadBps])),
    rates: ratesOf(current),
    listCandles: (symbol, from, to) => listClosedCandles(db, { symbol, interval: '15m', from, to }),
    listMinutes: (symbol, from, to) =>
      listClosedCandles(db, { symbol, interval: '1m', from: from > minutesFrom ? from : minutesFrom, to }),
  };
}

/**
 * A replay folder on its own, with the default spread and the first fee plan.
 *
 * @throws BadConfig naming REPLAY_DATA, the file and the line
 */
export async function openRecordedMarket(config: Config['market']): Promise<BacktestMarket> {
  const recorded = await openRecordedCandles(config, candleMs / 1000);
  return {
    label: 'Replay',
    knownUntil: recorded.endsAt,
    spreads: new Map(recorded.symbols.map((symbol) => [symbol, defaultSpreadBps])),
    rates: ratesOf(readTerms(firstFeePlan)),
    listCandles: async (symbol, from, to) => recorded.list(symbol, from, to),
    listMinutes: async (symbol, from, to) => recorded.listMinutes(symbol, from, to),
  };
}
