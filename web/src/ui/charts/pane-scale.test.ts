import { expect, test } from 'vitest';
import type { ChartPane } from './chart-data.ts';
import { columnsOf, freeMiddle, labelLeft, scaleOf, spreadLabels, ticksBetween } from './pane-scale.ts';

test.each([
  [7090, 7550, 75, 0.01, [7100, 7200, 7300, 7400, 7500]],
  [-80, 8, 25, 0.01, [-80, -40, 0]],
  [0, 10, 2, 1, [0, 4, 8]],
  [0, 10, 2, 0.5, [0, 2.5, 5, 7.5, 10]],
  [1, 1.02, 0.0001, 0.01, [1, 1.01, 1.02]],
])('ticks from %d to %d, at least %d apart, in steps of %d', (low, high, gap, step, expected) => {
  const ticks = ticksBetween(low, high, gap, step);
  expect(ticks).toHaveLength(expected.length);
  for (const [index, tick] of ticks.entries()) expect(tick).toBeCloseTo(expected[index] ?? Number.NaN, 9);
});

const pane = (values: readonly (number | null)[], includes: readonly number[] = []): ChartPane => ({
  height: 100,
  lines: [{ style: 'plain', points: values.map((value, at) => ({ at, value })) }],
  includes,
  step: 1,
  format: String,
});

test('all values fit in the pane with a margin, including those that no line reaches', () => {
  const { yOf, valueAt } = scaleOf(pane([10, null, 20], [0]), 50, 100);
  expect(yOf(20)).toBeCloseTo(60);
  expect(yOf(0)).toBeCloseTo(144);
  expect(valueAt(yOf(13))).toBeCloseTo(13);
});

test('a line runs from edge to edge, and the first and last candle are drawn whole', () => {
  const line = columnsOf(4, 106, false);
  expect([line.xOf(0), line.xOf(4)]).toEqual([1, 101]);
  const candles = columnsOf(4, 106, true);
  expect([candles.xOf(0), candles.xOf(4)]).toEqual([11, 91]);
  for (const { xOf, slotAt } of [line, candles])
    expect([0, 3, 4].map((slot) => slotAt(xOf(slot) + 2))).toEqual([0, 3, 4]);
  expect([candles.slotAt(-5), candles.slotAt(120)]).toEqual([0, 4]);
});

test.each([[[5, 5]], [[]], [[null]]])('a pane of %j has a scale, too', (values) => {
  const { yOf, ticks } = scaleOf(pane(values), 0, 100);
  expect(yOf(values[0] ?? 0)).toBeGreaterThan(10);
  expect(yOf(values[0] ?? 0)).toBeLessThan(94);
  expect(ticks.length).toBeGreaterThan(0);
});

test.each([
  ['move down', [30, 10, 12, 60], [42, 10, 26, 60]],
  ['move up at the lower edge', [90, 94, 20, 88], [76, 92, 20, 60]],
  ['of levels out of view are side by side at the edges', [-40, 300, -60, 500], [24, 76, 8, 92]],
])('overlapping labels %s', (_, middles, placed) => expect(spreadLabels(middles, 16, 100)).toEqual(placed));

test.each([
  ['right of the line', 100, 108],
  ['left of a line at the end', 640, 532],
  ['from the edge, where neither side has space', 60, 0, 150],
])('a label is placed %s', (_, line, left, right = 650) => expect(labelLeft(line, 100, right, 8)).toBe(left));

test.each([
  ['stays where nothing is', 50, [[80, 90]], 50],
  ['moves to the nearer side of a line', 50, [[46, 58]], 40],
  [
    'moves past two lines without space between them',
    50,
    [
      [46, 58],
      [30, 38],
    ],
    64,
  ],
  ['moves away from the edge of the pane', 50, [[10, 52]], 58],
  [
    'has no place where the lines leave none',
    50,
    [
      [5, 48],
      [52, 97],
    ],
    undefined,
  ],
] as const)('a label beside a step %s', (_, wanted, taken, middle) =>
  expect(freeMiddle(wanted, 12, taken, [0, 100])).toBe(middle),
);
