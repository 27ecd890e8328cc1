import { expect, test } from 'vitest';
import type { TradeChart } from '#contract/trading/trade-detail.ts';
import { settledDetail } from '../../../test/trade-detail.ts';
import { levelsOf, nearValues, pinsOf, spanOf, tradeChartSpec } from './trade-chart-spec.ts';

const { chart: ticks } = settledDetail;
const candles: Extract<TradeChart, { kind: 'candles' }> = {
  kind: 'candles',
  interval: '15m',
  candles: [
    { time: '2026-03-04T12:00:00.000Z', open: 100, high: 104, low: 99, close: 103, volume: 1 },
    { time: '2026-03-04T12:15:00.000Z', open: 103, high: 103, low: 97, close: 98, volume: null },
  ],
};

test('marks are a stepped line, candles are candles', () => {
  expect(tradeChartSpec(settledDetail, 1).panes[0]?.lines).toMatchObject([{ isStepped: true }]);
  const pane = tradeChartSpec({ ...settledDetail, chart: candles }, 1).panes[0];
  expect(pane?.lines).toEqual([]);
  expect(pane?.candles?.map(({ at, close }) => [at, close])).toEqual([
    [Date.parse('2026-03-04T12:00:00Z'), 103],
    [Date.parse('2026-03-04T12:15:00Z'), 98],
  ]);
});

test('candles span from their first opening to their last close', () => {
  const { from, to } = spanOf(candles);
  expect([from, to]).toEqual([Date.parse('2026-03-04T12:00:00Z'), Date.parse('2026-03-04T12:30:00Z')]);
});

test('entry, exit and stops are levels; an unset or unknown one has none', () => {
  expect(levelsOf(settledDetail)).toEqual([
    { name: 'Entry', price: 100.05, style: 'accent' },
    { name: 'Exit', price: 110.194875, style: 'dashed' },
    { name: 'Stop-loss', price: 98.049, style: 'dashed' },
  ]);
});

test('nearby levels are in view; a distant take-profit does not flatten the prices', () => {
  const levels = [
    { name: 'Stop-loss', price: 98, style: 'dashed' },
    { name: 'Take-profit', price: 1000, style: 'dashed' },
  ] as const;
  expect(nearValues(ticks, levels)).toEqual([98]);
});

test('a coin of a few cents with a constant price still has room around it', () => {
  const still: TradeChart = {
    kind: 'ticks',
    ticks: [
      { time: '2026-03-04T12:00:00.000Z', price: 0.1 },
      { time: '2026-03-04T12:01:00.000Z', price: 0.1 },
    ],
  };
  expect(nearValues(still, [])).toEqual([expect.closeTo(0.099, 9), expect.closeTo(0.101, 9)]);
});

test('events are pinned where they happened, with the numbers of the list; those at one place share a pin', () => {
  expect(pinsOf(settledDetail).map(({ numbers, at, price }) => [numbers, new Date(at).toISOString(), price])).toEqual([
    ['1–2', '2026-03-04T12:20:00.000Z', 100],
    ['3', '2026-03-04T17:30:00.000Z', 111],
  ]);
  expect(pinsOf({ ...settledDetail, chart: candles }).map(({ numbers }) => numbers)).toEqual(['1–3']);
});
