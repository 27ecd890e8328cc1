import { aggregateCandles, type FeedCandle, floorToStep } from './candle.ts';

/** A historical candle in its own step, as delivered by a live source; the turnover may be unknown. */
export type PastCandle = Omit<FeedCandle, 'volume'> & { readonly volume: number | null; readonly stepSeconds: number };

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;

/** Rounds to 15 significant digits, which candles, ticks and the database all hold exactly. */
export const toPrice = (value: number): number => Number(value.toPrecision(15));

/** Whether prices are positive numbers and low and high enclose open and close. Other candles are left out as gaps. */
export const isWholeCandle = ({ open, high, low, close }: Omit<FeedCandle, 'volume'>): boolean =>
  [open, high, low, close].every(Number.isFinite) &&
  low > 0 &&
  low <= Math.min(open, close) &&
  high >= Math.max(open, close);

/**
 * Builds candles from single prices `[ms, price]`; turnover unknown, only candles complete by `toMs`.
 *
 * Worked, 300 s: 100 at 12:00:04 and 103 at 12:04:58 are the candle of 12:00 (100, 103, 100, 103).
 */
export function candlesOfPoints(
  points: readonly (readonly [atMs: number, price: number])[],
  stepSeconds: number,
  toMs: number,
): PastCandle[] {
  // The last point is "now" and may be dated before its predecessor.
  const single = points
    .toSorted(([one], [other]) => one - other)
    .map(([atMs, value]) => {
      const price = toPrice(value);
      return { atMs, open: price, high: price, low: price, close: price, volume: 0 };
    });
  return aggregateCandles(single.filter(isWholeCandle), stepSeconds)
    .filter((candle) => candle.atMs + stepSeconds * 1000 <= toMs)
    .map((candle) => ({ ...candle, volume: null, stepSeconds }));
}

/**
 * Builds full days from rows `[closing ms, open, high, low, close]` of equal length in time order. Days with a missing
 * row are left out, as is a day not complete at `toMs`.
 *
 * Worked: six rows of four hours that close at 04:00, 08:00, …, 24:00 are one day; it opens at the open of the first.
 */
export function daysOfClosingRows(
  rows: readonly (readonly [closesMs: number, open: number, high: number, low: number, close: number])[],
  toMs: number,
): PastCandle[] {
  const times = rows.map(([closesMs]) => closesMs);
  const rowMs = Math.min(...times.slice(1).map((closesMs, index) => closesMs - (times[index] as number)));
  if (!(rowMs > 0) || DAY_MS % rowMs !== 0) return [];
  const candles = rows.map(([closesMs, ...prices]) => {
    const [open, high, low, close] = prices.map(toPrice) as typeof prices;
    return { atMs: closesMs - rowMs, open, high, low, close, volume: 0 };
  });
  const whole = candles.filter((candle) => candle.atMs % rowMs === 0 && isWholeCandle(candle));
  const ofDays = Map.groupBy(whole, ({ atMs }) => floorToStep(atMs, DAY_SECONDS));
  return aggregateCandles(whole, DAY_SECONDS)
    .filter(({ atMs }) => ofDays.get(atMs)?.length === DAY_MS / rowMs && atMs + DAY_MS <= toMs)
    .map((candle) => ({ ...candle, volume: null, stepSeconds: DAY_SECONDS }));
}
