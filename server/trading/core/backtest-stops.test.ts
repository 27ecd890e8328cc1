import { expect, test } from 'vitest';
import { findCrossed, hasStops, stopLevels } from './backtest-stops.ts';
import { parsePrice } from './fill-price.ts';
import { noStops } from './stops.ts';

const levels = stopLevels('100.05', { stopLoss: 20, takeProfit: 30, trailingStop: 15 });

test('levels are those of live stops: from the open price', () => {
  expect(levels).toEqual({
    stopLoss: parsePrice('98.049'),
    takeProfit: parsePrice('103.0515'),
    trailingPermille: 15n,
  });
  expect(stopLevels('100', noStops)).toEqual({ stopLoss: null, takeProfit: null, trailingPermille: null });
  expect([hasStops(noStops), hasStops({ ...noStops, trailingStop: 15 })]).toEqual([false, true]);
});

test.each([
  ['98.049', '100', 'stop_loss'],
  ['98.049000000001', '99', null],
  ['103.0515', '103.0515', 'take_profit'],
  ['103.051499999999', '103.051499999999', null],
  ['101.475', '103.02', null],
  ['101.4747', '103.02', 'trailing_stop'],
  ['98', '103', 'stop_loss'],
] as const)('a mark of %s with a highest of %s crosses %s', (mark, highest, crossed) => {
  expect(findCrossed(levels, parsePrice(mark), parsePrice(highest))).toBe(crossed);
});

test('a position without stops is crossed by nothing', () => {
  expect(findCrossed(stopLevels('100', noStops), 1n, parsePrice('1000'))).toBeNull();
});
