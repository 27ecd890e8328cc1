import { expect, test } from 'vitest';
import type { BacktestResult } from '#contract/trading/backtest.ts';
import { chartSpecOf } from './equity-chart.tsx';

test('both lines start with the amount invested, at the first opening', () => {
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
  } as BacktestResult;
  const [putIn, hold, worth] = chartSpecOf(result).panes[0]?.lines ?? [];
  expect(worth?.points).toEqual([
    { at: Date.parse('2026-03-02T12:30:00Z'), value: 1000 },
    { at: Date.parse('2026-03-02T17:30:00Z'), value: 990 },
    { at: Date.parse('2026-03-03T17:30:00Z'), value: 1010 },
  ]);
  expect(hold?.points.map(({ value }) => value)).toEqual([1000, 1005, 1020]);
  expect(putIn?.points.map(({ value }) => value)).toEqual([1000, 1000, 1000]);
});
