import type { StopChange, StopPercents } from '#contract/trading/stops.ts';
import { formatPrice, parsePrice } from '../price.ts';

/** Stops in tenths of a percent, as stored; null for none (docs/product.md, section 3, "Stops"). */
export type StopPermilles = {
  readonly stopLoss: number | null;
  readonly takeProfit: number | null;
  readonly trailingStop: number | null;
};

export const noStops: StopPermilles = { stopLoss: null, takeProfit: null, trailingStop: null };

/** Converts a member's stops from percent: `{ stop_loss: 2.5 }` is 25 tenths of a percent. */
export const toPermilles = (
  stops: {
    readonly [name in keyof StopPercents]?: number | null | undefined;
  },
): StopPermilles => ({
  stopLoss: toPermille(stops.stop_loss),
  takeProfit: toPermille(stops.take_profit),
  trailingStop: toPermille(stops.trailing_stop),
});

export type StoredStops = {
  readonly stop_loss_permille: number | null;
  readonly take_profit_permille: number | null;
  readonly trailing_stop_permille: number | null;
};

/** Stops after a change: unnamed stops stay, null removes one. */
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
 * A stop-loss triggers at or below this mark: `stopLossPrice('100.05', 20) === '98.049000000000'`. Rounded half up,
 * like numeric in SQL. A trailing stop uses the same formula from the highest mark since it began.
 */
export const stopLossPrice = (openPrice: string, permille: number): string =>
  level(openPrice, WHOLE - BigInt(permille));

/** A take-profit triggers at or above this mark: `takeProfitPrice('100.05', 30) === '103.051500000000'`. */
const takeProfitPrice = (openPrice: string, permille: number): string => level(openPrice, WHOLE + BigInt(permille));

const level = (price: string, thousandths: bigint): string =>
  formatPrice((parsePrice(price) * thousandths + WHOLE / 2n) / WHOLE);

/** A mark not reached again by a later mark of its asset. */
export type High = { readonly symbol: string; readonly price: string; readonly at: Date };

/**
 * The highest mark of an asset since an instant, inclusive; undefined without one. Highs are ordered by asset, highest
 * and thus oldest first; marks exceeded later are not among them.
 *
 * Highs of 103 at 12:40 and 101 at 12:55: since 12:30 the highest is 103, since 12:41 it is 101.
 */
export const highestSince = (highs: readonly High[], symbol: string, since: Date): string | undefined =>
  highs.find((high) => high.symbol === symbol && high.at >= since)?.price;

/** Stops of one open position; marks in units of 10⁻¹² dollar, null for unset stops. */
export type StopLevels = {
  readonly stopLoss: bigint | null;
  readonly takeProfit: bigint | null;
  readonly trailingPermille: bigint | null;
};

export const hasStops = (stops: StopPermilles): boolean =>
  stops.stopLoss !== null || stops.takeProfit !== null || stops.trailingStop !== null;

/** The stop levels of a position from its open price, as for live trades. */
export const stopLevels = (openPrice: string, stops: StopPermilles): StopLevels => ({
  stopLoss: stops.stopLoss === null ? null : parsePrice(stopLossPrice(openPrice, stops.stopLoss)),
  takeProfit: stops.takeProfit === null ? null : parsePrice(takeProfitPrice(openPrice, stops.takeProfit)),
  trailingPermille: stops.trailingStop === null ? null : BigInt(stops.trailingStop),
});

export type StopCode = 'stop_loss' | 'take_profit' | 'trailing_stop';

/** A triggered stop and the highest mark it may be sold at: its level, or a price that gapped past it. */
export type Triggered = { readonly code: StopCode; readonly mark: bigint };

/**
 * The stop triggered between a low and a high of unknown order, or null. The worse order counts: a loss beats a profit,
 * and a trailing stop is tested against the previous high, then against the new high as if it had come first. A
 * stop-loss takes precedence over a trailing stop triggered with it.
 *
 * Highest 110, trailing 5 %: a low of 104.5 triggers at 104.5, 104.51 does not; with a high of 112 in between it does,
 * at 106.4.
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
