import { expect, test } from 'vitest';
import type { TradeChart } from '#contract/trading/trade-detail.ts';
import { barsOf, levelsOf, pinsOf, pointsOf, scaleOf, spanOf, stepPath, xOf } from './chart-drawing.ts';
import { settledDetail } from './detail.test-data.ts';

const { chart: ticks } = settledDetail;
const candles: Extract<TradeChart, { kind: 'candles' }> = {
  kind: 'candles',
  interval: '15m',
  candles: [
    { time: '2026-03-04T12:00:00.000Z', open: 100, high: 104, low: 99, close: 103, volume: 1 },
    { time: '2026-03-04T12:15:00.000Z', open: 103, high: 103, low: 97, close: 98, volume: null },
  ],
};

test('a mark holds until the next, so the line goes in steps', () => {
  const span = spanOf(ticks);
  const scale = { min: 100, max: 120, ticks: [] };
  expect(stepPath(pointsOf(ticks), span, scale)).toBe('M0.0 100.0L516.1 100.0L516.1 50.0L1000.0 50.0L1000.0 45.0');
});

test('candles span from their first opening to their last close; up and down are told apart', () => {
  const span = spanOf(candles);
  expect([span.from, span.to]).toEqual([Date.parse('2026-03-04T12:00:00Z'), Date.parse('2026-03-04T12:30:00Z')]);
  const bars = barsOf(candles, span, { min: 95, max: 105, ticks: [] });
  expect(bars.map(({ x, isUp }) => [x, isUp])).toEqual([
    [250, true],
    [750, false],
  ]);
  expect(bars[0]).toMatchObject({ top: 20, bottom: 50, high: 10, low: 60 });
});

test('entry, exit and stops are levels; what is not set or not known is none', () => {
  expect(levelsOf(settledDetail)).toEqual([
    { name: 'Bought', price: 100.05, look: 'entry' },
    { name: 'Sold', price: 110.194875, look: 'exit' },
    { name: 'Stop-loss', price: 98.049, look: 'stop' },
  ]);
});

test('the scale holds prices and near levels; a far take-profit does not flatten them', () => {
  const scale = scaleOf(ticks, [
    { name: 'Stop-loss', price: 98, look: 'stop' },
    { name: 'Take-profit', price: 1000, look: 'stop' },
  ]);
  expect(scale.min).toBeLessThanOrEqual(98);
  expect(scale.max).toBeLessThan(200);
});

test('a coin of cents that stands still has a scale around its price', () => {
  const still: TradeChart = {
    kind: 'ticks',
    ticks: [
      { time: '2026-03-04T12:00:00.000Z', price: 0.1 },
      { time: '2026-03-04T12:01:00.000Z', price: 0.1 },
    ],
  };
  const { min, max } = scaleOf(still, []);
  expect(min).toBeGreaterThan(0.05);
  expect(max).toBeLessThan(0.2);
});

test('events are pinned in time with the numbers of their list; those at one place share a pin', () => {
  const span = spanOf(ticks);
  expect(pinsOf(settledDetail, span).map(({ numbers, x }) => [numbers, Math.round(x)])).toEqual([
    ['1–2', 0],
    ['3', 1000],
  ]);
  const early = { from: span.from - 3_600_000 * 24, to: span.from };
  expect(pinsOf(settledDetail, early).map(({ numbers }) => numbers)).toEqual(['1–3']);
});

test('what lies outside stands at the edge', () => {
  expect([xOf(0, { from: 10, to: 20 }), xOf(30, { from: 10, to: 20 })]).toEqual([0, 1000]);
});
