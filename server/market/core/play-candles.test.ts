import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nothingPlayed, playCandles } from './play-candles.ts';

const start = Date.parse('2026-03-04T12:30:00Z');
const minute = (index: number, open: number, high: number, low: number, close: number) => ({
  atMs: start + index * 60_000,
  open,
  high,
  low,
  close,
  volume: 10 + index,
});
const stretch = (fromSecond: number, toSecond: number) => ({
  stepSeconds: 60,
  fromMs: start + fromSecond * 1000,
  toMs: start + toSecond * 1000,
});
const candles = [minute(0, 100, 104, 99, 103), minute(1, 103, 105, 101, 102)];

test('a minute yields its four prices and closes as the same candle', () => {
  const played = playCandles(nothingPlayed, candles, stretch(-1, 60));
  expect(played.ticks.map((tick) => [(tick.atMs - start) / 1000, tick.price])).toEqual([
    [0, 100],
    [15, 99],
    [30, 104],
    [45, 103],
    [60, 103],
  ]);
  expect(played.closed).toEqual([candles[0]]);
  expect(played.state.forming).toEqual({ atMs: start + 60_000, open: 103, high: 103, low: 103, close: 103 });
});

test('a price exactly at the start of a range belongs to the range before', () => {
  expect(playCandles(nothingPlayed, candles, stretch(0, 14)).ticks).toEqual([]);
  expect(playCandles(nothingPlayed, candles, stretch(-1, 0)).ticks).toHaveLength(1);
});

test('a candle that is still forming is not closed', () => {
  const played = playCandles(nothingPlayed, candles, stretch(-1, 59));
  expect(played.closed).toEqual([]);
  expect(played.state.forming).toEqual({ atMs: start, open: 100, high: 104, low: 99, close: 103 });
});

test('a refused price appears in no tick and no candle', () => {
  const spike = [minute(0, 100, 104, 20, 103), minute(1, 103, 105, 101, 102)];
  const played = playCandles(nothingPlayed, spike, stretch(-1, 60));
  expect(played.refused).toEqual([{ atMs: start + 15_000, price: 20, refusal: 'absurd' }]);
  expect(played.closed[0]).toMatchObject({ open: 100, high: 104, low: 100, close: 103 });
});

test('a candle without an accepted price is not stored', () => {
  const known = { mark: { price: 1000, atMs: start - 1, outlier: null }, forming: null };
  const played = playCandles(known, [minute(0, 100, 400, 10, 100)], stretch(-1, 60));
  expect(played.refused.map((tick) => tick.price)).toEqual([100, 10, 400, 100]);
  expect(played.closed).toEqual([]);
});

test('many short ranges give the same result as one long one', () => {
  const price = fc.integer({ min: 1, max: 1000 });
  const drawn = fc.array(fc.tuple(price, price, price, price), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(drawn, fc.array(fc.integer({ min: -1, max: 480 }), { maxLength: 10 }), (rows, cuts) => {
      const made = rows.map(([a, b, c, d], index) => minute(index, a, Math.max(a, b, c, d), Math.min(a, b, c, d), d));
      const whole = playCandles(nothingPlayed, made, stretch(-1, 480));
      const bounds = [-1, ...cuts.toSorted((a, b) => a - b), 480];
      let state = nothingPlayed;
      const parts = bounds.slice(1).map((bound, index) => {
        const part = playCandles(state, made, stretch(bounds[index] as number, bound));
        state = part.state;
        return part;
      });
      expect(parts.flatMap((part) => part.ticks)).toEqual(whole.ticks);
      expect(parts.flatMap((part) => part.closed)).toEqual(whole.closed);
      expect(parts.flatMap((part) => part.refused)).toEqual(whole.refused);
      expect(state).toEqual(whole.state);
    }),
  );
});
