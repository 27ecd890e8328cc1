import { describe, expect, test } from 'vitest';
import { candlesOfPoints, daysOfClosingRows, isWholeCandle, toPrice } from './past-candles.ts';

const HOUR_MS = 3_600_000;
const MIDNIGHT = Date.parse('2026-03-04T00:00:00Z');

describe('single prices', () => {
  const points: [number, number][] = [
    [MIDNIGHT + 4000, 100],
    [MIDNIGHT + 298_000, 103],
    [MIDNIGHT + 601_000, 99],
    [MIDNIGHT + 600_000, 98],
  ];

  test('become candles of their time, with gaps, in order even if the last has an earlier date', () => {
    expect(candlesOfPoints(points, 300, MIDNIGHT + HOUR_MS)).toEqual([
      { atMs: MIDNIGHT, open: 100, high: 103, low: 100, close: 103, volume: null, stepSeconds: 300 },
      { atMs: MIDNIGHT + 600_000, open: 98, high: 99, low: 98, close: 99, volume: null, stepSeconds: 300 },
    ]);
  });

  test('of an unfinished period are left out, and so are invalid prices', () => {
    expect(candlesOfPoints(points, 300, MIDNIGHT + 899_999)).toHaveLength(1);
    expect(
      candlesOfPoints(
        [
          [MIDNIGHT, 0],
          [MIDNIGHT, -1],
        ],
        300,
        MIDNIGHT + HOUR_MS,
      ),
    ).toEqual([]);
  });
});

describe('rows dated by their end', () => {
  const row = (hour: number, price: number) =>
    [MIDNIGHT + hour * HOUR_MS, price, price + 2, price - 2, price + 1] as [number, number, number, number, number];
  const day = [4, 8, 12, 16, 20, 24].map((hour) => row(hour, 100 + hour));

  test('make up the day that ends with the last of them', () => {
    expect(daysOfClosingRows(day, MIDNIGHT + 24 * HOUR_MS)).toEqual([
      { atMs: MIDNIGHT, open: 104, high: 126, low: 102, close: 125, volume: null, stepSeconds: 86_400 },
    ]);
  });

  test('make no day before it is over, or when a row is missing or invalid', () => {
    expect(daysOfClosingRows(day, MIDNIGHT + 24 * HOUR_MS - 1)).toEqual([]);
    expect(daysOfClosingRows(day.slice(1), MIDNIGHT + 48 * HOUR_MS)).toEqual([]);
    expect(daysOfClosingRows(day.toSpliced(2, 1), MIDNIGHT + 48 * HOUR_MS)).toEqual([]);
    expect(daysOfClosingRows(day.with(2, row(12, -5)), MIDNIGHT + 48 * HOUR_MS)).toEqual([]);
  });

  test('make nothing when they do not fill a day', () => {
    expect(daysOfClosingRows([row(4, 1), row(9, 1)], MIDNIGHT + 48 * HOUR_MS)).toEqual([]);
    expect(daysOfClosingRows([row(4, 10)], MIDNIGHT + 48 * HOUR_MS)).toEqual([]);
    expect(daysOfClosingRows([], MIDNIGHT)).toEqual([]);
  });
});

test('a price has at most 15 digits', () => {
  expect(toPrice(61385.30573563476)).toBe(61385.3057356348);
  expect(toPrice(Number.NaN)).toBeNaN();
});

test.each([
  [{ open: 2, high: 3, low: 1, close: 2 }, true],
  [{ open: 2, high: 3, low: 0, close: 2 }, false],
  [{ open: 2, high: 1.5, low: 1, close: 2 }, false],
  [{ open: 2, high: 3, low: 2.5, close: 2.6 }, false],
  [{ open: 2, high: Number.POSITIVE_INFINITY, low: 1, close: 2 }, false],
])('%o is a candle: %s', (prices, isWhole) => {
  expect(isWholeCandle({ atMs: MIDNIGHT, ...prices })).toBe(isWhole);
});
