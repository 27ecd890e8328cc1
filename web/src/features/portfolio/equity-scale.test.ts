import { describe, expect, test } from 'vitest';
import {
  areaPath,
  type EquityPoint,
  inRange,
  niceScale,
  putInPath,
  putInSteps,
  timeTicks,
  toEquityPoints,
  worthPath,
  xOf,
  yOf,
} from './equity-scale.ts';

const DAY = 86_400_000;
const point = (day: number, value: number, putIn = 1000): EquityPoint => ({ at: day * DAY, value, putIn });

test('points come in time order', () => {
  const points = toEquityPoints([
    { time: '2026-03-05T00:00:00Z', value: 2, put_in: 1 },
    { time: '2026-03-04T00:00:00Z', value: 1, put_in: 1 },
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

describe('niceScale', () => {
  test.each([
    [[9012, 9800], 4, [9000, 9200, 9400, 9600, 9800]],
    [[0, 10], 4, [0, 2.5, 5, 7.5, 10]],
    [[-13, 7], 4, [-15, -10, -5, 0, 5, 10]],
    [[0.1, 0.4], 3, [0.1, 0.2, 0.3, 0.4]],
  ])('%j has its lines at round numbers', (values, lines, ticks) => {
    expect(niceScale(values, lines).ticks).toEqual(ticks);
  });

  test('a flat line has room above or below', () => {
    const scale = niceScale([1000, 1000], 4);
    expect(scale.max).toBeGreaterThan(scale.min);
    expect(scale.min).toBeLessThanOrEqual(1000);
    expect(scale.max).toBeGreaterThanOrEqual(1000);
  });

  test('zero alone can be drawn', () => {
    expect(niceScale([0, 0], 4)).toMatchObject({ min: 0 });
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
