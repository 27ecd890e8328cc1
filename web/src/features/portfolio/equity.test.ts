import { describe, expect, test } from 'vitest';
import type { ChartPoint } from '../../ui/charts/chart-data.ts';
import {
  buyAndHoldLine,
  type EquityPoint,
  inRange,
  netDepositSteps,
  netDepositsLine,
  netWorthLine,
  timeTicks,
  toEquityPoints,
} from './equity.ts';

const DAY = 86_400_000;
const point = (day: number, value: number, netDeposits = 1000, held: number | null = null): EquityPoint => ({
  at: day * DAY,
  value,
  netDeposits,
  held,
  drawdown: 0,
});

test('points are sorted by time', () => {
  const points = toEquityPoints([
    { time: '2026-03-05T00:00:00Z', value: 2, put_in: 1, held: null, drawdown: 0 },
    { time: '2026-03-04T00:00:00Z', value: 1, put_in: 1, held: null, drawdown: 0 },
  ]);
  expect(points.map(({ value }) => value)).toEqual([1, 2]);
});

describe('inRange', () => {
  const points = Array.from({ length: 401 }, (_, day) => point(day, day));

  test.each([
    ['1W', 8],
    ['1M', 31],
    ['3M', 92],
    ['1Y', 367],
  ] as const)('%s counts back from the newest point: %d points', (range, count) => {
    const shown = inRange(points, range);
    expect(shown).toHaveLength(count);
    expect(shown.at(-1)).toEqual(points.at(-1));
  });

  test('no points stay no points', () => {
    expect(inRange([], '1W')).toEqual([]);
  });
});

describe('the lines', () => {
  const values = (points: readonly ChartPoint[]) => points.map(({ at, value }) => [at / DAY, value]);
  const justBefore = (day: number) => (day * DAY - 1) / DAY;

  test('a result is a slope', () => {
    expect(values(netWorthLine([point(0, 1000), point(1, 1020)]))).toEqual([
      [0, 1000],
      [1, 1020],
    ]);
  });

  test('a withdrawal is a vertical drop, so it does not look like a loss, nor a deposit like a gain', () => {
    const points = [point(0, 1000, 1000), point(1, 960, 940)];
    // The result of +20 slopes up to 1020, then 60 are withdrawn at once.
    expect(values(netWorthLine(points))).toEqual([
      [0, 1000],
      [justBefore(1), 1020],
      [1, 960],
    ]);
    expect(values(netDepositsLine(points))).toEqual([
      [0, 1000],
      [1, 940],
    ]);
  });

  test('buy and hold is drawn where it is known, and jumps with deposits like the net worth', () => {
    const points = [point(0, 1000), point(1, 1000, 1000, 1000), point(2, 1000, 1100, 1090), point(3, 1, 1200)];
    // Prices lost 10, then 100 were deposited.
    expect(values(buyAndHoldLine(points))).toEqual([
      [0, null],
      [1, 1000],
      [justBefore(2), 990],
      [2, 1090],
      [3, null],
    ]);
  });

  test('steps of net deposits have a time and an amount', () => {
    expect(netDepositSteps([point(0, 1), point(1, 1), point(2, 1, 700)])).toEqual([
      { at: 2 * DAY, amount: -300, middle: 850 },
    ]);
  });
});

describe('timeTicks', () => {
  test.each([
    ['a month has five ticks', 30, 5],
    ['three days have four', 3, 4],
    ['half a day has its two ends', 0.5, 2],
    ['a single point has one', 0, 1],
  ])('%s', (_, days, count) => {
    const points = days === 0 ? [point(0, 1)] : [point(0, 1), point(days, 1)];
    expect(timeTicks(points)).toHaveLength(count);
  });
});
