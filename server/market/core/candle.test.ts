import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aggregateCandles, ceilToStep, type FeedCandle, floorToStep, tickPath } from './candle.ts';

const noon = Date.parse('2026-03-04T12:00:00Z');
const minute = (index: number, open: number, high: number, low: number, close: number, volume: number): FeedCandle => ({
  atMs: noon + index * 60_000,
  open,
  high,
  low,
  close,
  volume,
});

test('two minutes become first open, highest high, lowest low, last close and the sum of turnover', () => {
  expect(aggregateCandles([minute(0, 10, 12, 9, 11, 5), minute(1, 11, 13, 10, 12, 7)], 900)).toEqual([
    { atMs: noon, open: 10, high: 13, low: 9, close: 12, volume: 12 },
  ]);
});

test('a boundary begins the next candle, and a hole leaves none', () => {
  const candles = [minute(14, 1, 1, 1, 1, 1), minute(15, 2, 2, 2, 2, 2), minute(45, 3, 3, 3, 3, 3)];
  expect(aggregateCandles(candles, 900).map((candle) => candle.atMs)).toEqual([noon, noon + 900_000, noon + 2_700_000]);
});

test('candles of their own step come back unchanged', () => {
  const candles = [minute(0, 10, 12, 9, 11, 5.5), minute(1, 11, 13, 10, 12, 7.25)];
  expect(aggregateCandles(candles, 60)).toEqual(candles);
});

test('aggregating in two stages gives the same as in one', () => {
  const price = fc.integer({ min: 1, max: 1_000_000 }).map((whole) => whole / 100);
  const candle = fc.record({
    price,
    other: price,
    volume: fc.integer({ min: 0, max: 1e9 }).map((whole) => whole / 100),
  });
  fc.assert(
    fc.property(fc.array(candle, { maxLength: 200 }), (drawn) => {
      const candles = drawn.map(({ price, other, volume }, index) =>
        minute(index, price, Math.max(price, other), Math.min(price, other), other, volume),
      );
      expect(aggregateCandles(aggregateCandles(candles, 300), 3600)).toEqual(aggregateCandles(candles, 3600));
    }),
  );
});

test('floor and ceil find the boundaries around an instant, and a boundary itself', () => {
  expect(floorToStep(noon + 899_999, 900)).toBe(noon);
  expect(ceilToStep(noon + 1, 900)).toBe(noon + 900_000);
  expect([floorToStep(noon, 900), ceilToStep(noon, 900)]).toEqual([noon, noon]);
});

const closing = (close: number) => ({ atMs: noon, open: 100, high: 104, low: 99, close, volume: 1 });

test.each([
  ['a rising candle goes low, then high', 103, [100, 99, 104, 103]],
  ['a falling candle goes high, then low', 99.5, [100, 104, 99, 99.5]],
  ['a level candle counts as rising', 100, [100, 99, 104, 100]],
])('%s', (_, close, prices) => {
  expect(tickPath(closing(close), 60).map((tick) => tick.price)).toEqual(prices);
});

test('the four prices stand at quarters of the step', () => {
  expect(tickPath(closing(103), 60).map((tick) => tick.atMs - noon)).toEqual([0, 15_000, 30_000, 45_000]);
  expect(tickPath(closing(103), 900).map((tick) => tick.atMs - noon)).toEqual([0, 225_000, 450_000, 675_000]);
});
