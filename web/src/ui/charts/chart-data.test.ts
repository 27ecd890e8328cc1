import { expect, test } from 'vitest';
import { type ChartPoint, evenTimes, knownSegments, slotsOf } from './chart-data.ts';

const points = (...ats: number[]): ChartPoint[] => ats.map((at) => ({ at, value: 1 }));
const slots = (spacing: 'even' | 'time', ...lines: ChartPoint[][]) => [
  ...slotsOf({
    panes: [
      { height: 1, step: 1, format: String, lines: lines.map((line) => ({ style: 'plain' as const, points: line })) },
    ],
    spacing,
  }),
];

test('points are spaced evenly or by time, and those of all lines share one axis', () => {
  expect(slots('even', points(10, 1000), points(20))).toEqual([
    [10, 0],
    [20, 1],
    [1000, 2],
  ]);
  expect(slots('time', points(0, 250, 1000))).toEqual([
    [0, 0],
    [250, 150],
    [1000, 600],
  ]);
});

test('a jump takes two slots, never one', () => {
  expect(slots('time', points(0, 499_999, 500_000, 1_000_000)).map(([, slot]) => slot)).toEqual([0, 300, 301, 600]);
  expect(slots('time', points(7))).toEqual([[7, 0]]);
});

test('a gap stays a gap: a line is drawn only in its known segments', () => {
  const line = [null, 1, 2, null, null, 0, null].map((value, at) => ({ at, value }));
  expect(knownSegments(line).map((segment) => segment.map(({ value }) => value))).toEqual([[1, 2], [0]]);
  expect(knownSegments([])).toEqual([]);
});

test.each([
  [91, 5, [0, 23, 45, 68, 90]],
  [7, 4, [0, 2, 4, 6]],
  [2, 5, [0, 1]],
  [1, 5, [0]],
  [0, 5, []],
])('below %d points there are at most %d times, including the first and the last', (count, limit, shown) => {
  expect(evenTimes(points(...Array.from({ length: count }, (_, at) => at)), limit)).toEqual(shown);
});
