import { describe, expect, test } from 'vitest';
import type { Candle } from '#contract/market.ts';
import {
  type Bar,
  CANDLE_LIMIT,
  changedTail,
  mergeCandles,
  sessionSpans,
  summariseBars,
  toBars,
} from './candle-data.ts';

const candle = (time: string, close: number): Candle => ({
  time: `2026-03-04T${time}:00Z`,
  open: 100,
  high: Math.max(100, close) + 1,
  low: Math.min(100, close) - 1,
  close,
  volume: 10,
});
const bar = (time: number, close = 100): Bar => ({ time, open: 100, high: 120, low: 80, close, volume: 1 });

describe('toBars', () => {
  test('bars are sorted by time, in seconds, one for each time with its latest candle', () => {
    const bars = toBars([candle('12:15', 101), candle('12:00', 99), candle('12:15', 103)]);
    expect(bars.map(({ time, close }) => [time, close])).toEqual([
      [Date.parse('2026-03-04T12:00:00Z') / 1000, 99],
      [Date.parse('2026-03-04T12:15:00Z') / 1000, 103],
    ]);
  });
});

describe('mergeCandles', () => {
  const known = [candle('12:00', 1), candle('12:15', 2)];

  test('the growing candle is replaced and new ones are appended', () => {
    const merged = mergeCandles(known, [candle('12:15', 5), candle('12:30', 6)]);
    expect(merged.map(({ close }) => close)).toEqual([1, 5, 6]);
  });

  test('an empty answer changes nothing', () => {
    expect(mergeCandles(known, [])).toEqual(known);
  });

  test('a full answer replaces everything, because there may be a gap before it', () => {
    const full = Array.from({ length: CANDLE_LIMIT }, () => candle('13:00', 7));
    expect(mergeCandles(known, full)).toHaveLength(CANDLE_LIMIT);
  });

  test('never holds more candles than one answer may', () => {
    const many = Array.from({ length: CANDLE_LIMIT }, () => candle('12:00', 1));
    const merged = mergeCandles(many, [candle('12:15', 2)]);
    expect(merged).toHaveLength(CANDLE_LIMIT);
    expect(merged.at(-1)?.close).toBe(2);
  });
});

describe('changedTail', () => {
  const drawn = [bar(0), bar(60), bar(120)];

  test.each<[string, Bar[], Bar[] | null]>([
    ['no change draws nothing', [bar(0), bar(60), bar(120)], []],
    ['only the last bar when it moved', [bar(0), bar(60), bar(120, 90)], [bar(120, 90)]],
    ['a new bar after a finished one', [bar(0), bar(60), bar(120, 90), bar(180)], [bar(120, 90), bar(180)]],
    ['only a new bar', [bar(0), bar(60), bar(120), bar(180)], [bar(180)]],
    ['bars dropped at the start do not count', [bar(60), bar(120), bar(180)], [bar(180)]],
    ['an older bar that changed redraws everything', [bar(0), bar(60, 90), bar(120)], null],
    ['older bars added in front redraw everything', [bar(-60), bar(0), bar(60), bar(120)], null],
    ['another symbol or interval redraws everything', [bar(30), bar(90)], null],
    ['an empty list redraws everything', [], null],
  ])('%s', (_, bars, expected) => {
    expect(changedTail(drawn, bars)).toEqual(expected);
  });

  test('the first call draws everything', () => {
    expect(changedTail([], [bar(0)])).toBeNull();
  });
});

describe('sessionSpans', () => {
  const noon = Date.parse('2026-03-04T12:00:00Z') / 1000;
  const bars = (step: number, count: number, from = noon) =>
    Array.from({ length: count }, (_, index) => bar(from + index * step));

  test('15-minute bars: from the left edge of 12:30 to the right edge of 17:15', () => {
    expect(sessionSpans(bars(900, 40), 900)).toEqual([{ from: 1.5, to: 21.5 }]);
  });

  test('hourly bars are cut in the middle, where the session opens and closes', () => {
    expect(sessionSpans(bars(3600, 12), 3600)).toEqual([{ from: 0, to: 5 }]);
  });

  test('each day has its own span', () => {
    expect(sessionSpans(bars(900, 96 * 2), 900)).toHaveLength(2);
  });

  test('a session without bars has no span, and one in progress ends at its newest bar', () => {
    expect(sessionSpans(bars(900, 2), 900)).toEqual([]);
    expect(sessionSpans(bars(900, 4), 900)).toEqual([{ from: 1.5, to: 3.5 }]);
  });

  test('daily bars contain whole sessions and are not tinted', () => {
    expect(sessionSpans(bars(86_400, 5, noon - 43_200), 86_400)).toEqual([]);
  });
});

test('the summary names first and last price and the extremes', () => {
  expect(summariseBars([bar(0), { ...bar(60, 110), high: 130 }])).toEqual({
    from: 0,
    to: 60,
    open: 100,
    close: 110,
    high: 130,
    low: 80,
  });
  expect(summariseBars([])).toBeNull();
});
