import assert from 'node:assert/strict';
import { type CandleTick, floorToStep, isStale } from './candle.ts';
import { extendCandle, type FormingCandle, type PlayState } from './play-candles.ts';
import { judgeTick, type TickRefusal } from './price-guard.ts';

/** A price quoted by a live source, accepted or not. */
export type Quote = {
  readonly symbol: string;
  /** The value reported by the source, even if it is not a valid price. */
  readonly price: number;
  /** The source's own timestamp, or that of its reply without one. */
  readonly atMs: number;
  /** 24-hour turnover in dollars; null when not reported. */
  readonly dayVolume: number | null;
};

export type QuoteRefusal = TickRefusal | 'out_of_date';

export type PlayedQuotes = {
  readonly state: PlayState;
  /** Accepted prices, oldest first, dated as they entered the market, with their own time. */
  readonly ticks: readonly (CandleTick & { readonly quotedAtMs: number })[];
  /** Closed candles, built from accepted prices; their turnover is unknown. */
  readonly closed: readonly FormingCandle[];
  readonly refused: readonly (CandleTick & { readonly refusal: QuoteRefusal })[];
  /** From the last accepted quote; undefined without one. */
  readonly dayVolume: number | null | undefined;
};

/**
 * Applies the quotes of one coin, in order of arrival, to the period (fromMs, toMs] of market time, which is real time
 * (docs/product.md, section 3, "Ticks"). Each is judged by its own time, capped at now: one with the same time as the
 * last is ignored, an earlier one is `out_of_order`, one already stale is `out_of_date`. An accepted quote becomes the
 * mark under its own time. Its tick enters at the first instant that is neither before its own time nor already
 * processed, because a backdated tick could fill a trade that was already passed over. A candle without a tick does not
 * exist.
 *
 * Worked, steps of 60 s: the clock goes from 12:00:58 to 12:01:03, and 104 quoted at 12:00:50 came. The mark is 104 of
 * 12:00:50, the tick 104 enters at 12:00:58.001, and the candle of 12:00 closes at 104. Quoted at 11:50:00 it would be
 * out of date: it held until 11:53:15.
 */
export function playQuotes(
  state: PlayState,
  quotes: readonly Quote[],
  stretch: { readonly stepSeconds: number; readonly fromMs: number; readonly toMs: number },
): PlayedQuotes {
  const { stepSeconds, fromMs, toMs } = stretch;
  assert(fromMs < toMs, 'quotes enter in a stretch of time');
  let { mark, forming } = state;
  let enteredMs = fromMs;
  let dayVolume: number | null | undefined;
  const ticks: (CandleTick & { quotedAtMs: number })[] = [];
  const closed: FormingCandle[] = [];
  const refused: (CandleTick & { refusal: QuoteRefusal })[] = [];
  for (const { price, atMs, dayVolume: quotedVolume } of quotes) {
    const quoted = { price, atMs: Math.min(atMs, toMs) };
    const entersMs = Math.max(quoted.atMs, enteredMs + 1);
    if (quoted.atMs === mark.atMs || entersMs > toMs) continue;
    const judged = judgeTick(mark, quoted);
    const refusal = isStale(quoted.atMs, toMs, stepSeconds) ? 'out_of_date' : judged.refusal;
    if (refusal !== 'out_of_date') mark = judged.mark;
    if (refusal !== null) {
      refused.push({ price, atMs, refusal });
      continue;
    }
    enteredMs = entersMs;
    dayVolume = quotedVolume;
    ticks.push({ price, atMs: entersMs, quotedAtMs: quoted.atMs });
    const opensMs = floorToStep(entersMs, stepSeconds);
    if (forming !== null && forming.atMs !== opensMs) closed.push(forming);
    forming = extendCandle(forming, opensMs, price);
  }
  if (forming !== null && forming.atMs + stepSeconds * 1000 <= toMs) {
    closed.push(forming);
    forming = null;
  }
  return { state: { mark, forming }, ticks, closed, refused, dayVolume };
}
