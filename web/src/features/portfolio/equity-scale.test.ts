import { describe, expect, test } from 'vitest';
import { yOf } from '../../ui/charts/chart-scale.ts';
import {
  areaPath,
  type EquityPoint,
  heldPath,
  inRange,
  putInPath,
  putInSteps,
  timeTicks,
  toEquityPoints,
  worthPath,
  xOf,
} from './equity-scale.ts';

const DAY = 86_400_000;
const point = (day: number, value: number, putIn = 1000, held: number | null = null): EquityPoint => ({
  at: day * DAY,
  value,
  putIn,
  held,
  drawdown: 0,
});

test('points come in time order', () => {
  const points = toEquityPoints([
    { time: '2026-03-05T00:00:00Z', value: 2, put_in: 1, held: null, drawdown: 0 },
    { time: '2026-03-04T00:00:00Z', value: 1, put_in: 1, held: null, drawdown: 0 },
  ]);
  expect(points.map(({ value }) => value)).toEqual([1, 2]);
});

describe('inRange', () => {
  const points = Array.from({ length: 121 }, (_, day) => point(day, day));

  test.each([
    ['1W', 8],
    ['1M', 31],
    ['3M', 92],
    ['All', 121],
  ] as const)('%s counts back from the newest point: %d points', (range, count) => {
    const shown = inRange(points, range);
    expect(shown).toHaveLength(count);
    expect(shown.at(-1)).toEqual(points.at(-1));
  });

  test('nothing stays nothing', () => {
    expect(inRange([], '1W')).toEqual([]);
  });
});

describe('the lines', () => {
  const scale = { min: 900, max: 1100, ticks: [] };

  test('value and time become a place', () => {
    expect(yOf(1100, scale)).toBe(0);
    expect(yOf(1000, scale)).toBe(50);
    expect(xOf(DAY, [point(0, 1), point(4, 1)])).toBe(250);
    expect(xOf(DAY, [point(1, 1)])).toBe(1000);
  });

  test('a result slopes', () => {
    expect(worthPath([point(0, 1000), point(1, 1020)], scale)).toBe('M0.0 50.0L1000.0 40.0');
  });

  test('a withdrawal falls straight down, so it looks neither like a loss nor the deposit like a gain', () => {
    const points = [point(0, 1000, 1000), point(1, 960, 940)];
    // The result of +20 slopes up to 1020, then 60 leave at once.
    expect(worthPath(points, scale)).toBe('M0.0 50.0L1000.0 40.0L1000.0 70.0');
    expect(putInPath(points, scale)).toBe('M0.0 50.0L1000.0 50.0L1000.0 80.0');
  });

  test('what holding would have given is drawn where it is known, and jumps with money like the net worth', () => {
    const points = [point(0, 1000), point(1, 1000, 1000, 1000), point(2, 1000, 1100, 1090)];
    // Prices took 10, then 100 came in.
    expect(heldPath(points, scale)).toBe('M500.0 50.0L1000.0 55.0L1000.0 5.0');
    expect(heldPath([point(0, 1, 1, 1000), point(1, 1), point(2, 1, 1, 1100)], scale)).toBe('M0.0 50.0M1000.0 0.0');
  });

  test('the tint closes along the lower edge', () => {
    expect(areaPath([point(0, 1000), point(1, 1020)], scale)).toBe('M0.0 50.0L1000.0 40.0L1000 100L0 100Z');
    expect(areaPath([], scale)).toBe('');
  });

  test('steps of the money put in are known by time and amount', () => {
    expect(putInSteps([point(0, 1), point(1, 1), point(2, 1, 700)])).toEqual([
      { at: 2 * DAY, amount: -300, middle: 850 },
    ]);
  });
});

describe('timeTicks', () => {
  test.each([
    ['a month has five', 30, 5],
    ['three days have four', 3, 4],
    ['half a day has its two ends', 0.5, 2],
    ['one point has one', 0, 1],
  ])('%s', (_, days, count) => {
    const points = days === 0 ? [point(0, 1)] : [point(0, 1), point(days, 1)];
    expect(timeTicks(points)).toHaveLength(count);
  });
});
