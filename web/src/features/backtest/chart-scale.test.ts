import { expect, test } from 'vitest';
import { niceScale } from '../../ui/charts/chart-scale.ts';
import { areaPath, axisTimes, sessionBars, toChartPoints, valuePath } from './chart-scale.ts';

const result = {
  stats: { put_in: 1000 },
  equity: [
    { time: '2026-03-02T17:30:00.000Z', value: 990 },
    { time: '2026-03-03T17:30:00.000Z', value: 1010 },
  ],
  hold: [
    { time: '2026-03-02T17:30:00.000Z', value: 1005 },
    { time: '2026-03-03T17:30:00.000Z', value: 1020 },
  ],
};

test('both lines begin with what was put in, at the first opening', () => {
  expect(toChartPoints(result)).toEqual([
    { at: Date.parse('2026-03-02T12:30:00Z'), value: 1000, hold: 1000 },
    { at: Date.parse('2026-03-02T17:30:00Z'), value: 990, hold: 1005 },
    { at: Date.parse('2026-03-03T17:30:00Z'), value: 1010, hold: 1020 },
  ]);
  expect(toChartPoints({ ...result, equity: [], hold: [] })).toEqual([]);
});

test('lines go from the left edge to the right one, and the tint below closes at the lower edge', () => {
  const scale = niceScale([0, 100], 4);
  expect(valuePath([0, 50, 100], scale)).toBe('M0.0 100.0L500.0 50.0L1000.0 0.0');
  expect(areaPath([0, 100], scale)).toBe('M0.0 100.0L1000.0 0.0L1000 100L0 100Z');
});

test('at most five times stand below, the first and the last among them', () => {
  const points = Array.from({ length: 91 }, (_, at) => ({ at, value: 0, hold: 0 }));
  expect(axisTimes(points)).toEqual([0, 23, 45, 68, 90]);
  expect(axisTimes(points.slice(0, 2))).toEqual([0, 1]);
});

test('a losing session is drawn as large as a winning one of the same size', () => {
  const sessions = [10, -5, 0, -10, 10].map((amount, index) => ({ day: `day ${index}`, result: amount, trades: 1 }));
  const { bars, zero } = sessionBars(sessions);
  expect(zero).toBe(50);
  expect(bars.map(({ top, height }) => [top, height])).toEqual([
    [0, 50],
    [50, 25],
    [50, 0],
    [50, 50],
    [0, 50],
  ]);
});
