/** A generated candle for tests of strategies, from a seeded walk whose prices have few digits, like real ones. */
export type MadeCandle = {
  readonly atMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
};

const STEP_MS = 900_000;

/**
 * `count` 15-minute candles from `from` on, around 100 dollars, with moves and wicks of up to 1 %. The same seed gives
 * the same candles.
 */
export function makeCandles(from: string, count: number, seed: number): MadeCandle[] {
  const random = seededRandom(seed);
  const step = (price: number) => cents(price * (1 + (random() - 0.5) / 50));
  const candles: MadeCandle[] = [];
  let close = 100;
  for (let index = 0; index < count; index += 1) {
    const open = step(close);
    close = step(open);
    const high = Math.max(open, close, step(Math.max(open, close)));
    const low = Math.min(open, close, step(Math.min(open, close)));
    candles.push({ atMs: Date.parse(from) + index * STEP_MS, open, high, low, close });
  }
  return candles;
}

const cents = (price: number) => Math.round(Math.max(price, 1) * 100) / 100;

/** A small generator of numbers from 0 to 1, good enough for test prices (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
