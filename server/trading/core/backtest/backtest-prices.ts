import { Decimal } from 'decimal.js';
import type { SessionWindow } from '../session-window.ts';
import { candleMs, type StrategyCandle } from '../strategies.ts';

/** Closed candles of one asset: 15-minute candles for decisions, and one-minute candles where retained. */
export type AssetCandles = { readonly candles: readonly StrategyCandle[]; readonly minutes: readonly StrategyCandle[] };

type MarketTick = { readonly atMs: number; readonly price: number };
type TextTick = { readonly atMs: number; readonly price: string };

/** How candles become prices: the functions of the live market, passed in. */
export type MarketRules = {
  /** The four prices that a 15-minute candle is played as, in time order. */
  readonly ticksOf: (candle: StrategyCandle) => readonly MarketTick[];
  /** Time-weighted over [fromMs, toMs), or null when a mark went stale in between. */
  readonly averagePrice: (
    ticks: readonly TextTick[],
    stretch: { fromMs: number; toMs: number; stepSeconds: number },
  ) => string | null;
  /** The average of the first full minute with fresh prices after `afterMs`, or null. */
  readonly firstFreshMinute: (
    ticks: readonly TextTick[],
    stretch: { afterMs: number; nowMs: number; stepSeconds: number },
  ) => { price: string; fromMs: number } | null;
};

/** The mark at which open positions are sold at the close; late when the asset was stale and a later price was used. */
export type ClosingMark = { readonly mark: string; readonly atMs: number; readonly isLate: boolean };

/** One session of one asset, divided at its 15-minute boundaries. */
export type SessionPrices = {
  readonly day: string;
  readonly opensAtMs: number;
  readonly closesAtMs: number;
  readonly boundaries: readonly {
    readonly atMs: number;
    /** The last closed candles, as many as requested. */
    readonly closed: readonly StrategyCandle[];
    /** Candles from this boundary to the next: minutes where available, otherwise the 15-minute candle. */
    readonly candles: readonly StrategyCandle[];
  }[];
  /** Null before the first price ever. */
  readonly closing: ClosingMark | null;
};

const STEP_SECONDS = candleMs / 1000;
const MINUTE_MS = 60_000;

/** Decimal text of a price given as a number, even a tiny one: `decimalText(1e-7) === '0.0000001'`. */
export const decimalText = (price: number): string => new Decimal(price).toFixed();

/**
 * The prices of one session (docs/product.md, section 3): what was known at each boundary, the candles that follow it,
 * and the closing mark, which is the time-weighted average of the last minute. A 15-minute candle ticks its close at
 * 17:26:15, which stays in force for all of 17:29, so the average equals that close.
 *
 * @param candles of one asset, closed, oldest first
 * @param minutes of the same asset where available, oldest first
 * @param lookback number of candles the strategy needs
 */
export function readSession(
  { candles, minutes }: AssetCandles,
  window: SessionWindow,
  lookback: number,
  rules: MarketRules,
): SessionPrices {
  const opensAtMs = window.opensAt.getTime();
  const closesAtMs = window.closesAt.getTime();
  const boundaries: SessionPrices['boundaries'][number][] = [];
  for (let atMs = opensAtMs; atMs < closesAtMs; atMs += candleMs) {
    const count = countBefore(candles, atMs);
    const next = candles[count];
    boundaries.push({
      atMs,
      closed: candles.slice(Math.max(0, count - lookback), count),
      candles: finest(minutes, atMs) ?? (next?.atMs === atMs ? [next] : []),
    });
  }
  return { day: window.day, opensAtMs, closesAtMs, boundaries, closing: findClosing(candles, closesAtMs, rules) };
}

function finest(minutes: readonly StrategyCandle[], atMs: number): readonly StrategyCandle[] | undefined {
  const found = minutes.slice(countBefore(minutes, atMs), countBefore(minutes, atMs + candleMs));
  return found.length === 0 ? undefined : found;
}

function findClosing(candles: readonly StrategyCandle[], closesAtMs: number, rules: MarketRules): ClosingMark | null {
  const count = countBefore(candles, closesAtMs);
  const [last, next] = [candles[count - 1], candles[count]];
  if (last === undefined) return null;
  const fromMs = closesAtMs - MINUTE_MS;
  const ticks = toText(rules.ticksOf(last));
  const inForce = ticks.slice(
    Math.max(
      0,
      ticks.findLastIndex((tick) => tick.atMs <= fromMs),
    ),
  );
  const mark = rules.averagePrice(inForce, { fromMs, toMs: closesAtMs, stepSeconds: STEP_SECONDS });
  if (mark !== null) return { mark, atMs: closesAtMs, isLate: false };
  const late =
    next &&
    rules.firstFreshMinute(toText(rules.ticksOf(next)), {
      afterMs: closesAtMs,
      nowMs: next.atMs + candleMs,
      stepSeconds: STEP_SECONDS,
    });
  if (late) return { mark: late.price, atMs: late.fromMs + MINUTE_MS, isLate: true };
  // No later prices exist: the last price is used.
  return { mark: (ticks.at(-1) as TextTick).price, atMs: closesAtMs, isLate: true };
}

const toText = (ticks: readonly MarketTick[]): TextTick[] =>
  ticks.map(({ atMs, price }) => ({ atMs, price: decimalText(price) }));

/** The number of candles that open before an instant; the list is in time order. */
function countBefore(candles: readonly StrategyCandle[], atMs: number): number {
  let low = 0;
  let high = candles.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((candles[middle] as StrategyCandle).atMs < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
