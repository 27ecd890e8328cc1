import type { FeedCandle } from './candle.ts';

export type CandleTick = { readonly atMs: number; readonly price: number };

/**
 * The four prices a candle is played as (docs/product.md, section 3, "Ticks"): open at t, low then high at t + s/4 and
 * t + s/2, close at t + 3s/4; high before low when the candle closes below its open.
 *
 * Worked: the minute of 12:30:00 (open 100, high 104, low 99, close 103) is 100 at 12:30:00, 99 at :15, 104 at :30,
 * 103 at :45. With close 99.5 it is 100, 104, 99, 99.5.
 */
export function tickPath(candle: FeedCandle, stepSeconds: number): readonly CandleTick[] {
  const quarterMs = stepSeconds * 250;
  const falls = candle.close < candle.open;
  const prices = [candle.open, falls ? candle.high : candle.low, falls ? candle.low : candle.high, candle.close];
  return prices.map((price, index) => ({ atMs: candle.atMs + index * quarterMs, price }));
}
