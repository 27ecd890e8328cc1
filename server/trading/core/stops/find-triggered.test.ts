import { expect, test } from 'vitest';
import { parsePrice } from '../price.ts';
import { findTriggered, hasStops, noStops, stopLevels } from './stops.ts';

const levels = stopLevels('100.05', { stopLoss: 20, takeProfit: 30, trailingStop: 15 });

test('levels are relative to the open price, as for live stops', () => {
  expect(levels).toEqual({
    stopLoss: parsePrice('98.049'),
    takeProfit: parsePrice('103.0515'),
    trailingPermille: 15n,
  });
  expect(stopLevels('100', noStops)).toEqual({ stopLoss: null, takeProfit: null, trailingPermille: null });
  expect([hasStops(noStops), hasStops({ ...noStops, trailingStop: 15 })]).toEqual([false, true]);
});

test.each([
  ['98.049', '99', '99', 'stop_loss', '98.049'],
  ['98.049000000001', '99', '99', null, ''],
  ['103', '103.0515', '103.05', 'take_profit', '103.0515'],
  ['103', '103.051499999999', '103.05', null, ''],
  ['101.475', '102', '103.02', null, ''],
  ['101.4747', '102', '103.02', 'trailing_stop', '101.4747'],
  ['98', '99', '103', 'stop_loss', '98.049'],
  // One candle reaches both a loss and a profit: the loss comes first.
  ['98', '110', '100', 'stop_loss', '98.049'],
  ['99', '110', '101', 'trailing_stop', '99.485'],
  // Not 1.5 % below the previous high, but below the candle’s own high, if that came first.
  ['99.5', '102', '100', 'trailing_stop', '100.47'],
] as const)('from %s to %s with a previous high of %s: %s at %s', (low, high, highest, code, mark) => {
  expect(findTriggered(levels, { low: parsePrice(low), high: parsePrice(high) }, parsePrice(highest))).toEqual(
    code === null ? null : { code, mark: parsePrice(mark) },
  );
});

test('a position without stops is never triggered', () => {
  expect(
    findTriggered(stopLevels('100', noStops), { low: 1n, high: parsePrice('1000') }, parsePrice('1000')),
  ).toBeNull();
});
