import { type CandleTick, type FeedCandle, tickPath } from './candle.ts';
import { type GuardedMark, judgeTick, noMark, type TickRefusal } from './price-guard.ts';

/** The state of one coin between two steps of the engine: its mark, and its forming candle. */
export type PlayState = { readonly mark: GuardedMark; readonly forming: FormingCandle | null };
export type FormingCandle = Omit<FeedCandle, 'volume'>;

export const nothingPlayed: PlayState = { mark: noMark, forming: null };

export type Played = {
  readonly state: PlayState;
  /** Accepted prices, oldest first. */
  readonly ticks: readonly CandleTick[];
  /** Closed candles, built from accepted prices. */
  readonly closed: readonly FeedCandle[];
  readonly refused: readonly (CandleTick & { readonly refusal: TickRefusal })[];
};

/**
 * Plays the candles of one coin over the period (fromMs, toMs] of market time: each price in it is checked and, if
 * accepted, becomes the mark; each candle that ends in it is closed. Two consecutive periods give the same result as
 * both at once.
 *
 * Worked: the minute of 12:30 (100, 104, 99, 103) played over (12:30:00, 12:31:00], its open having been played before,
 * gives the ticks 99, 104, 103 and, the open being in `forming`, the closed candle (100, 104, 99, 103).
 */
export function playCandles(
  state: PlayState,
  candles: readonly FeedCandle[],
  stretch: { readonly stepSeconds: number; readonly fromMs: number; readonly toMs: number },
): Played {
  const { stepSeconds, fromMs, toMs } = stretch;
  let { mark, forming } = state;
  const ticks: CandleTick[] = [];
  const closed: FeedCandle[] = [];
  const refused: (CandleTick & { refusal: TickRefusal })[] = [];
  for (const candle of candles) {
    for (const tick of tickPath(candle, stepSeconds)) {
      if (tick.atMs <= fromMs || tick.atMs > toMs) continue;
      const judged = judgeTick(mark, tick);
      mark = judged.mark;
      if (judged.refusal !== null) {
        refused.push({ ...tick, refusal: judged.refusal });
        continue;
      }
      ticks.push(tick);
      forming = extendCandle(forming, candle.atMs, tick.price);
    }
    const endsMs = candle.atMs + stepSeconds * 1000;
    if (endsMs > fromMs && endsMs <= toMs) {
      if (forming?.atMs === candle.atMs) closed.push({ ...forming, volume: candle.volume });
      forming = null;
    }
  }
  return { state: { mark, forming }, ticks, closed, refused };
}

/** Adds a price to the candle that opens at `atMs`; starts a new one if a different candle was forming. */
export function extendCandle(forming: FormingCandle | null, atMs: number, price: number): FormingCandle {
  if (forming?.atMs !== atMs) return { atMs, open: price, high: price, low: price, close: price };
  return {
    atMs,
    open: forming.open,
    high: Math.max(forming.high, price),
    low: Math.min(forming.low, price),
    close: price,
  };
}
