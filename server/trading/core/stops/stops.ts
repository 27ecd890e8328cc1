import type { StopChange, StopPercents } from '#contract/trading/stops.ts';
import { formatPrice, parsePrice } from '../price.ts';

/** Stops in tenths of a percent, as they are stored; null for none (docs/product.md, section 3, "Stops"). */
export type StopPermilles = {
  readonly stopLoss: number | null;
  readonly takeProfit: number | null;
  readonly trailingStop: number | null;
};

export const noStops: StopPermilles = { stopLoss: null, takeProfit: null, trailingStop: null };

/** What a member set, in percent: `{ stop_loss: 2.5 }` is 25 tenths of a percent. */
export const toPermilles = (
  stops: {
    readonly [name in keyof StopPercents]?: number | null | undefined;
  },
): StopPermilles => ({
  stopLoss: toPermille(stops.stop_loss),
  takeProfit: toPermille(stops.take_profit),
  trailingStop: toPermille(stops.trailing_stop),
});

type StoredStops = {
  readonly stop_loss_permille: number | null;
  readonly take_profit_permille: number | null;
  readonly trailing_stop_permille: number | null;
};

/** The stops after a change: what it does not name stays, what it names as null is removed. */
export function changeStops(stored: StoredStops, change: StopChange): StopPermilles {
  const named = toPermilles(change);
  return {
    stopLoss: change.stop_loss === undefined ? stored.stop_loss_permille : named.stopLoss,
    takeProfit: change.take_profit === undefined ? stored.take_profit_permille : named.takeProfit,
    trailingStop: change.trailing_stop === undefined ? stored.trailing_stop_permille : named.trailingStop,
  };
}

const toPermille = (percent: number | null | undefined): number | null =>
  percent == null ? null : Math.round(percent * 10);

export const toPercent = (permille: number | null): number | null => (permille === null ? null : permille / 10);

const WHOLE = 1000n;

/**
 * The mark a stop-loss is triggered at, or under: `stopLossPrice('100.05', 20) === '98.049000000000'`. Rounded half up, as
 * numeric does in SQL. Of a trailing stop the same, measured from the highest mark since it began.
 */
export const stopLossPrice = (openPrice: string, permille: number): string =>
  level(openPrice, WHOLE - BigInt(permille));

/** The mark a take-profit is triggered at, or over: `takeProfitPrice('100.05', 30) === '103.051500000000'`. */
const takeProfitPrice = (openPrice: string, permille: number): string => level(openPrice, WHOLE + BigInt(permille));

const level = (price: string, thousandths: bigint): string =>
  formatPrice((parsePrice(price) * thousandths + WHOLE / 2n) / WHOLE);

/** A mark that no later mark of its asset reached. */
export type High = { readonly symbol: string; readonly price: string; readonly at: Date };

/**
 * The highest mark of an asset since an instant, that instant included; undefined when there was none. Highs come with
 * the highest, which is the oldest, of each asset first: what was passed by a later mark is not among them.
 *
 * Highs of 103 at 12:40 and 101 at 12:55: since 12:30 the highest is 103, since 12:41 it is 101.
 */
export const highestSince = (highs: readonly High[], symbol: string, since: Date): string | undefined =>
  highs.find((high) => high.symbol === symbol && high.at >= since)?.price;

/** Stops of one open position; marks in units of 10⁻¹² dollar, null where the member set none. */
export type StopLevels = {
  readonly stopLoss: bigint | null;
  readonly takeProfit: bigint | null;
  readonly trailingPermille: bigint | null;
};

export const hasStops = (stops: StopPermilles): boolean =>
  stops.stopLoss !== null || stops.takeProfit !== null || stops.trailingStop !== null;

/** The levels of a position by its open price, as live ones have them (`stops.ts`). */
export const stopLevels = (openPrice: string, stops: StopPermilles): StopLevels => ({
  stopLoss: stops.stopLoss === null ? null : parsePrice(stopLossPrice(openPrice, stops.stopLoss)),
  takeProfit: stops.takeProfit === null ? null : parsePrice(takeProfitPrice(openPrice, stops.takeProfit)),
  trailingPermille: stops.trailingStop === null ? null : BigInt(stops.trailingStop),
});

export type StopCode = 'stop_loss' | 'take_profit' | 'trailing_stop';

/** A stop that was triggered, and the mark it is sold at or under: its level, or a price that had jumped over it. */
export type Triggered = { readonly code: StopCode; readonly mark: bigint };

/**
 * Which stop is triggered between a low and a high, of which nobody knows the order, or null. The worse order counts: of a loss
 * and a profit the loss; a trailing stop against the highest mark before, else against the high, as if the high had come first.
 * When it and the stop-loss are triggered at once, the stop-loss is named.
 *
 * Highest 110, trailing 5 %: a low of 104.5 triggers at 104.5, 104.51 does not; with a high of 112 in between it does, at 106.4.
 */
export function findTriggered(
  levels: StopLevels,
  { low, high }: { readonly low: bigint; readonly high: bigint },
  highest: bigint,
): Triggered | null {
  const { stopLoss, takeProfit, trailingPermille } = levels;
  const trail = (top: bigint): Triggered | null =>
    trailingPermille !== null && low * 1000n <= top * (1000n - trailingPermille)
      ? { code: 'trailing_stop', mark: (top * (1000n - trailingPermille) + 500n) / 1000n }
      : null;
  if (stopLoss !== null && low <= stopLoss) return { code: 'stop_loss', mark: stopLoss };
  const before = trail(highest);
  if (before !== null) return before;
  if (takeProfit !== null && high >= takeProfit) return { code: 'take_profit', mark: takeProfit };
  return high > highest ? trail(high) : null;
}
