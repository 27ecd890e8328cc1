import { expect, test } from 'vitest';
import { joinedLately, toGrowthPoints } from './growth-panel.tsx';

const point = (week: string, members: number, active = 0) => ({ week, members, active });

test('points are sorted by time', () => {
  const points = toGrowthPoints([point('2026-02-23', 40, 20), point('2026-02-02', 20, 10)]);
  expect(points.map(({ members }) => members)).toEqual([20, 40]);
});

test.each([
  ['no point', [], null],
  ['one point', [point('2026-03-02', 5)], null],
  ['less than four weeks', [point('2026-02-16', 5), point('2026-03-02', 9)], { count: 4, since: '2026-02-23' }],
  [
    'more than four weeks',
    [point('2026-01-26', 1), point('2026-02-02', 5), point('2026-02-09', 7), point('2026-03-02', 9)],
    { count: 4, since: '2026-02-09' },
  ],
])('recent joiners, from %s', (_name, growth, joined) => {
  expect(joinedLately(toGrowthPoints(growth))).toEqual(joined && { ...joined, since: Date.parse(joined.since) });
});
