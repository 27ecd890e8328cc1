import { expect, test } from 'vitest';
import { averageTrueRange, comparable, meanClose } from './averages.ts';

const candle = (high: number, low: number, close: number) => ({ atMs: 0, open: close, high, low, close });

test('the mean is that of the closes', () => {
  expect(meanClose([candle(9, 1, 100), candle(9, 1, 102), candle(9, 1, 104)])).toBe(102);
});

test('a true range reaches to the close before, whichever side it lies on', () => {
  const before = candle(100, 100, 100);
  expect(averageTrueRange([before, candle(104, 101, 103)])).toBe(4);
  expect(averageTrueRange([before, candle(99, 96, 97)])).toBe(4);
  expect(averageTrueRange([before, candle(103, 98, 99)])).toBe(5);
  expect(averageTrueRange([before, candle(104, 101, 103), candle(103, 97, 98)])).toBe(5);
});

test('the candle that only gives the close before has no range of its own', () => {
  expect(averageTrueRange([candle(900, 1, 100), candle(101, 100, 101)])).toBe(1);
});

test('a price that stands still equals its average, whatever the sums of numbers do', () => {
  for (const price of [0.1, 0.0712, 3.3, 61_204.57, 0.00000123]) {
    for (const period of [5, 7, 19, 100]) {
      const candles = Array.from({ length: period }, () => candle(price, price, price));
      expect(comparable(meanClose(candles))).toBe(comparable(price));
    }
  }
  expect(comparable(0.1 + 0.2)).toBe(0.3);
});
