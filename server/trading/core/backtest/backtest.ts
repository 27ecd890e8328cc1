import { buyPrice, sellPrice } from '../price.ts';
import { findNextWindow, findSessionWindow, type SessionWindow } from '../session-window.ts';
import { settle, tradeFee } from '../settlement.ts';
import { lookbackCandles } from '../strategies.ts';
import {
  type AssetCandles,
  type ClosingMark,
  decimalText,
  type MarketRules,
  readSession,
  type SessionPrices,
} from './backtest-prices.ts';
import { type AssetOrder, type Capital, type SimulatedSession, simulateSession } from './backtest-session.ts';

/** The result of one session of one asset; money in micros. */
export type AssetSession = Pick<SimulatedSession, 'trades' | 'waits'> & {
  readonly day: string;
  readonly closesAtMs: number;
  /** Whether the session had any price. */
  readonly hasPrice: boolean;
  /** Principal plus gains taken, after the session. */
  readonly value: bigint;
  /** Value of buy and hold, if sold then. */
  readonly hold: bigint;
};

/** An asset between two sessions. */
export type AssetState = {
  readonly capital: Capital;
  readonly hold: { readonly openPrice: string; readonly fee: bigint } | null;
  readonly holdValue: bigint;
};

/** Before the first session: all money available, nothing held. */
export const initialState = (amount: bigint): AssetState => ({
  capital: { principal: amount, gains: 0n },
  hold: null,
  holdValue: amount,
});

/**
 * Every session from day `from` to day `to`, inclusive, that closed before an instant.
 *
 * From 2026-03-04 to 2026-03-05, known until 2026-03-05 17:00: the one of 2026-03-04.
 */
export function listWindows(from: string, to: string, knownUntilMs: number): SessionWindow[] {
  const windows: SessionWindow[] = [];
  let window = findSessionWindow(new Date(`${from}T00:00:00Z`));
  while (window.day <= to && window.closesAt.getTime() <= knownUntilMs) {
    windows.push(window);
    window = findNextWindow(window, window.closesAt);
  }
  return windows;
}

/**
 * The next session of an asset (docs/trading.md, "Backtests"). Sessions run in order, each continuing from the previous
 * state.
 *
 * @param candles those after the session are used only when no price was fresh at its close, as a live settlement would
 */
export function simulateAssetSession(
  order: AssetOrder,
  state: AssetState,
  candles: AssetCandles,
  window: SessionWindow,
  rules: MarketRules,
): { state: AssetState; session: AssetSession } {
  const prices = readSession(candles, window, lookbackCandles(order.setting), rules);
  const { capital, trades, waits } = simulateSession(order, state.capital, prices);
  const hold = state.hold ?? startHolding(order, prices);
  const holdValue =
    hold === null || prices.closing === null ? state.holdValue : valueHolding(order, hold, prices.closing);
  const session: AssetSession = {
    day: prices.day,
    closesAtMs: prices.closesAtMs,
    hasPrice: findFirstOpen(prices) !== undefined,
    trades,
    waits,
    value: capital.principal + capital.gains,
    hold: holdValue,
  };
  return { state: { capital, hold, holdValue }, session };
}

/** Buy and hold buys once, at the first open of the first session, for the same fee. */
function startHolding(order: AssetOrder, prices: SessionPrices): AssetState['hold'] {
  const first = findFirstOpen(prices);
  if (first === undefined) return null;
  return {
    openPrice: buyPrice(decimalText(first), order.spreadBps),
    fee: tradeFee(order.amount, order.rates.tradeBps),
  };
}

const findFirstOpen = (prices: SessionPrices) =>
  prices.boundaries.find(({ candles }) => candles.length > 0)?.candles[0]?.open;

/** Buy and hold pays no performance fee. */
function valueHolding(order: AssetOrder, hold: NonNullable<AssetState['hold']>, closing: ClosingMark): bigint {
  const closePrice = sellPrice(closing.mark, order.spreadBps);
  return settle({ amount: order.amount, ...hold, closePrice, performanceBps: 0 }).proceeds;
}
