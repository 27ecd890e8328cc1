import { expect, test } from 'vitest';
import { tickPath } from './candle.ts';

const at = Date.parse('2026-03-04T12:30:00Z');
const candle = (close: number) => ({ atMs: at, open: 100, high: 104, low: 99, close, volume: 1 });

test.each([
  ['a rising candle goes low, then high', 103, [100, 99, 104, 103]],
  ['a falling candle goes high, then low', 99.5, [100, 104, 99, 99.5]],
  ['a level candle counts as rising', 100, [100, 99, 104, 100]],
])('%s', (_, close, prices) => {
  expect(tickPath(candle(close), 60).map((tick) => tick.price)).toEqual(prices);
});

test('the four prices stand at quarters of the step', () => {
  expect(tickPath(candle(103), 60).map((tick) => tick.atMs - at)).toEqual([0, 15_000, 30_000, 45_000]);
  expect(tickPath(candle(103), 900).map((tick) => tick.atMs - at)).toEqual([0, 225_000, 450_000, 675_000]);
});
