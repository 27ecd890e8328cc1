import type { StopChange, StopPercents } from '#contract/trading/stops.ts';
import { formatPrice, parsePrice } from '../fill-price.ts';

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
 * The mark a stop-loss is crossed at, or under: `stopLossPrice('100.05', 20) === '98.049000000000'`. Rounded half up, as
 * numeric does in SQL. Of a trailing stop the same, measured from the highest mark since it began.
 */
export const stopLossPrice = (openPrice: string, permille: number): string =>
  level(openPrice, WHOLE - BigInt(permille));

/** The mark a take-profit is crossed at, or over: `takeProfitPrice('100.05', 30) === '103.051500000000'`. */
export const takeProfitPrice = (openPrice: string, permille: number): string =>
  level(openPrice, WHOLE + BigInt(permille));

const level = (price: string, thousandths: bigint): string =>
  formatPrice((parsePrice(price) * thousandths + WHOLE / 2n) / WHOLE);
