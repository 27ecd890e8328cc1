import type { Candle, CandleInterval } from '#contract/market.ts';
import { sessionWindowUtc } from '#contract/rules.ts';

/** One bar of the chart: a candle with its opening time in seconds since 1970. */
export type Bar = Readonly<Omit<Candle, 'time'> & { time: number }>;

export const intervalSeconds: Record<CandleInterval, number> = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3600,
  '1d': 86_400,
};

/** The most candles of one response; one this long may be truncated at its start. */
export const CANDLE_LIMIT = 1500;

/**
 * Candles of a response as bars, oldest first without duplicates: a later candle replaces an earlier one of the same
 * time.
 */
export function toBars(candles: readonly Candle[]): Bar[] {
  const byTime = new Map<number, Bar>();
  for (const candle of candles) {
    const time = Date.parse(candle.time) / 1000;
    byTime.set(time, { ...candle, time });
  }
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}

/**
 * Merges the known candles with those just fetched from the last known time on. A full response replaces everything,
 * because what lies between the two is unknown, and a chart must not hide a gap.
 */
export function mergeCandles(known: readonly Candle[], fresh: readonly Candle[]): Candle[] {
  const first = fresh[0];
  if (first === undefined) return [...known];
  if (fresh.length >= CANDLE_LIMIT) return [...fresh];
  return [...known.filter((candle) => candle.time < first.time), ...fresh].slice(-CANDLE_LIMIT);
}

/**
 * The bars for the chart's `update`: those from the last drawn one on. Null when older bars changed too, and everything
 * has to be redrawn. Bars that dropped out at the start do not count.
 */
export function changedTail(drawn: readonly Bar[], bars: readonly Bar[]): Bar[] | null {
  const lastDrawn = drawn.at(-1);
  if (lastDrawn === undefined) return null;
  const start = bars.findIndex((bar) => bar.time === lastDrawn.time);
  const offset = drawn.length - 1 - start;
  if (start < 0 || offset < 0) return null;
  for (let index = 0; index < start; index += 1) {
    if (!isSameBar(drawn[index + offset], bars[index])) return null;
  }
  return bars.slice(start).filter((bar) => !isSameBar(bar, lastDrawn));
}

const isSameBar = (a: Bar | undefined, b: Bar | undefined) =>
  a !== undefined &&
  b !== undefined &&
  a.time === b.time &&
  a.open === b.open &&
  a.high === b.high &&
  a.low === b.low &&
  a.close === b.close &&
  a.volume === b.volume;

/** A trading session on the time scale: bar positions, where 0 is the middle of the first bar and −0.5 its left edge. */
export type SessionSpan = { readonly from: number; readonly to: number };

const DAY_SECONDS = 86_400;

/**
 * The position of the 12:30 to 17:30 UTC sessions among the bars. Daily bars hold a whole session each, so there is
 * nothing to tint. With 15-minute bars from 12:00 on, the session starts at the left edge of the third one: 1.5.
 */
export function sessionSpans(bars: readonly Bar[], stepSeconds: number): SessionSpan[] {
  if (stepSeconds >= DAY_SECONDS) return [];
  const spans: SessionSpan[] = [];
  let open: { from: number; to: number; day: number } | undefined;
  bars.forEach((bar, index) => {
    const day = Math.floor(bar.time / DAY_SECONDS);
    const opensAt = day * DAY_SECONDS + sessionWindowUtc.openMinute * 60;
    const closesAt = day * DAY_SECONDS + sessionWindowUtc.closeMinute * 60;
    const start = Math.max(bar.time, opensAt);
    const end = Math.min(bar.time + stepSeconds, closesAt);
    if (start >= end) return;
    const from = index - 0.5 + (start - bar.time) / stepSeconds;
    const to = index - 0.5 + (end - bar.time) / stepSeconds;
    if (open?.day === day) {
      open.to = to;
    } else {
      open = { from, to, day };
      spans.push(open);
    }
  });
  return spans.map(({ from, to }) => ({ from, to }));
}

/** First to last close of the bars, with the highest and lowest price between; null when there are none. */
export function summariseBars(bars: readonly Bar[]) {
  const first = bars[0];
  const last = bars.at(-1);
  if (first === undefined || last === undefined) return null;
  return {
    from: first.time,
    to: last.time,
    open: first.open,
    close: last.close,
    high: Math.max(...bars.map((bar) => bar.high)),
    low: Math.min(...bars.map((bar) => bar.low)),
  };
}
