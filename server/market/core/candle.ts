/**
 * One candle as a feed gives it. Prices are numbers that hold a decimal of at most 15 significant digits, which a
 * number holds exactly and gives back as the same text; nothing is calculated with them but comparisons.
 */
export type FeedCandle = {
  /** Opening time in milliseconds since 1970. */
  readonly atMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Turnover in dollars. */
  readonly volume: number;
};

/** The last candle boundary at or before an instant. `floorToStep(Date.parse('2026-03-04T12:34:56Z'), 900)` is 12:30. */
export const floorToStep = (atMs: number, stepSeconds: number): number => atMs - (atMs % (stepSeconds * 1000));

/** The first candle boundary at or after an instant. */
export const ceilToStep = (atMs: number, stepSeconds: number): number =>
  floorToStep(atMs + stepSeconds * 1000 - 1, stepSeconds);

/**
 * Candles of one coin, oldest first, put together into longer ones: first open, highest high, lowest low, last close,
 * sum of the turnover. A longer candle stands for what came in its time, also when that is not the whole of it.
 *
 * Worked: 12:00 (10, 12, 9, 11, $5) and 12:01 (11, 13, 10, 12, $7) become, at 900 seconds, 12:00 (10, 13, 9, 12, $12).
 */
export function aggregateCandles(candles: readonly FeedCandle[], stepSeconds: number): FeedCandle[] {
  const longer: FeedCandle[] = [];
  let current: { -readonly [K in keyof FeedCandle]: FeedCandle[K] } | undefined;
  for (const candle of candles) {
    const atMs = floorToStep(candle.atMs, stepSeconds);
    if (current?.atMs !== atMs) {
      current = { ...candle, atMs };
      longer.push(current);
      continue;
    }
    if (candle.high > current.high) current.high = candle.high;
    if (candle.low < current.low) current.low = candle.low;
    current.close = candle.close;
    current.volume = roundToCents(current.volume + candle.volume);
  }
  return longer;
}

/** Sums of turnover keep two decimals, so that adding in another order gives the same figure. */
export const roundToCents = (dollars: number): number => Math.round(dollars * 100) / 100;

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

/** docs/product.md, section 3: stale when no tick came for this long after one was due. */
const LEAST_PATIENCE_MS = 60_000;
const PATIENCE_STEPS = 3;

/**
 * The last instant at which a mark still holds. The next tick is due a quarter of the step after it; from then on
 * max(60 s, 3 × step) is waited (docs/product.md, section 3, "Ticks").
 *
 * Worked: one-minute candles, mark of 12:30:45. The next is due at 12:31:00; the mark holds to 12:34:00.
 */
export const freshUntilMs = (markAtMs: number, stepSeconds: number): number =>
  markAtMs + stepSeconds * 250 + Math.max(LEAST_PATIENCE_MS, PATIENCE_STEPS * stepSeconds * 1000);

/** True when there is no mark, or it no longer holds. Worked: the mark above is stale at 12:34:00.001. */
export const isStale = (markAtMs: number | null, atMs: number, stepSeconds: number): boolean =>
  markAtMs === null || atMs > freshUntilMs(markAtMs, stepSeconds);
