import { expect, test } from 'vitest';
import { growthPath, joinedLately, toGrowthPoints, weekTicks } from './growth-scale.ts';

const point = (week: string, members: number, active = 0) => ({ week, members, active });
const scale = { min: 0, max: 40, ticks: [] };

test('points come into time order, and a week without a point leaves its room', () => {
  const points = toGrowthPoints([
    point('2026-02-23', 40, 20),
    point('2026-02-02', 20, 10),
    point('2026-02-09', 30, 10),
  ]);
  expect(growthPath(points, 'members', scale)).toBe('M0.0 50.0L333.3 25.0L1000.0 0.0');
  expect(growthPath(points, 'active', scale)).toBe('M0.0 75.0L333.3 75.0L1000.0 50.0');
});

test.each([
  [['2026-02-02'], ['2026-02-02']],
  [
    ['2026-02-02', '2026-02-09'],
    ['2026-02-02', '2026-02-09'],
  ],
  [
    ['2026-01-05', '2026-01-12', '2026-01-19', '2026-01-26', '2026-02-02', '2026-02-09', '2026-02-16'],
    ['2026-01-05', '2026-01-19', '2026-02-02', '2026-02-16'],
  ],
])('below the picture of %j stand %j', (weeks, shown) => {
  expect(weekTicks(toGrowthPoints(weeks.map((week) => point(week, 1))))).toEqual(shown.map((week) => Date.parse(week)));
});

test.each([
  ['no point', [], null],
  ['one point', [point('2026-03-02', 5)], null],
  ['less than four weeks', [point('2026-02-16', 5), point('2026-03-02', 9)], { count: 4, since: '2026-02-16' }],
  [
    'more than four weeks',
    [point('2026-01-26', 1), point('2026-02-02', 5), point('2026-02-09', 7), point('2026-03-02', 9)],
    { count: 4, since: '2026-02-02' },
  ],
])('who joined lately, of %s', (_name, growth, joined) => {
  expect(joinedLately(toGrowthPoints(growth))).toEqual(joined && { ...joined, since: Date.parse(joined.since) });
});
