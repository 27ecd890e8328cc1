import { Decimal } from 'decimal.js';
import type { SessionWindow } from '../session-window.ts';
import { candleMs, type StrategyCandle } from '../strategies.ts';

/** Closed candles of one asset: of 15 minutes, which decide, and of one minute where they are kept. */
export type AssetCandles = { readonly candles: readonly StrategyCandle[]; readonly minutes: readonly StrategyCandle[] };

type MarketTick = { readonly atMs: number; readonly price: number };
type TextTick = { readonly atMs: number; readonly price: string };

/** How the market makes prices of candles: the very functions of the live market, given from outside. */
export type MarketRules = {
  /** The four prices a 15-minute candle is played as, in time order. */
  readonly ticksOf: (candle: StrategyCandle) => readonly MarketTick[];
  /** Time-weighted over [fromMs, toMs), or null when a mark stopped holding in it. */
  readonly averagePrice: (
    ticks: readonly TextTick[],
    stretch: { fromMs: number; toMs: number; stepSeconds: number },
  ) => string | null;
  /** The average of the first whole minute with fresh prices after `afterMs`, or null. */
  readonly firstFreshMinute: (
    ticks: readonly TextTick[],
    stretch: { afterMs: number; nowMs: number; stepSeconds: number },
  ) => { price: string; fromMs: number } | null;
};

/** The mark that sells what is open at the close; late when the asset was stale and a later price had to count. */
export type ClosingMark = { readonly mark: string; readonly atMs: number; readonly isLate: boolean };

/** One session of one asset, cut into its boundaries of 15 minutes. */
export type SessionPrices = {
  readonly day: string;
  readonly opensAtMs: number;
  readonly closesAtMs: number;
  readonly boundaries: readonly {
    readonly atMs: number;
    /** The last candles closed by then, as many as were asked for. */
    readonly closed: readonly StrategyCandle[];
    /** From the boundary on and before the next: minutes where there are any, else the one candle of 15 minutes. */
    readonly candles: readonly StrategyCandle[];
  }[];
  /** null before the first price of all. */
  readonly closing: ClosingMark | null;
};

const STEP_SECONDS = candleMs / 1000;
const MINUTE_MS = 60_000;

/** Decimal text of a price that came as a number, also of a very small one: `decimalText(1e-7) === '0.0000001'`. */
export const decimalText = (price: number): string => new Decimal(price).toFixed();

/**
 * The prices of one session (docs/product.md, section 3): what could be known at each boundary, the candles that follow
 * it, and the closing mark, which is the time-weighted average of the last minute. A 15-minute candle says its close at
 * 17:26:15, and this mark holds for the whole of 17:29, so the average is that close.
 *
 * @param candles of one asset, closed, oldest first
 * @param minutes of the same asset, as far as there are any, oldest first
 * @param lookback candles a strategy wants to see
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
  // Nothing followed any more: the last price is all there is.
  return { mark: (ticks.at(-1) as TextTick).price, atMs: closesAtMs, isLate: true };
}

const toText = (ticks: readonly MarketTick[]): TextTick[] =>
  ticks.map(({ atMs, price }) => ({ atMs, price: decimalText(price) }));

/** Candles that open before an instant; the list is in time order. */
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
