import { expect, test } from 'vitest';
import { faultOfStatement } from './check-statement.ts';
import { isPlausible } from './plausible-quote.ts';

type Line = Parameters<typeof faultOfStatement>[0][number];

const none = { pair: '', orderId: null, side: null, quantity: null, cost: null, fee: '0', feeCoin: null };
const fill: Line = {
  ...{ kind: 'fill', id: '7', at: new Date('2026-03-04T13:00:00Z'), pair: 'BTC/USDT', coin: 'BTC', orderId: '3' },
  ...{ side: 'buy', quantity: '0.1', cost: '5000', fee: '0.0001', feeCoin: 'BTC', amount: null },
};
const arrived: Line = { ...fill, ...none, kind: 'transfer_in', coin: 'USDT', amount: '500' };

test('a statement of fills and movements is plausible, also with the same line twice', () => {
  const left: Line = { ...arrived, kind: 'transfer_out', amount: '-500' };
  const changed: Line = { ...arrived, kind: 'other', amount: '-0.01' };
  // The ids of fills are unique within a pair.
  const other = { ...fill, pair: 'ETH/USDT', coin: 'ETH', feeCoin: 'ETH' };
  expect(faultOfStatement([fill, other, arrived, left, changed, fill])).toBeUndefined();
});

test.each<[string, Partial<Line>]>([
  ['fill 7 of order null in BTC/USDT', { orderId: null }],
  ['fill 7 of order 3 in BTCUSDT', { pair: 'BTCUSDT' }],
  ['fill 7 that neither buys nor sells', { side: 'undefined' }],
  ['fill 7 of 0 for 5000', { quantity: '0' }],
  ['fill 7 of 0.1 for NaN', { cost: 'NaN' }],
  ['fill 7 of 0.1 for 1e3', { cost: '1e3' }],
  ['fill 7 with a fee of  BTC', { fee: '' }],
  ['fill 7 with a fee of 0.0001 null', { feeCoin: null }],
  ['fill without an id', { id: 'undefined' }],
  ['fill 7 without an instant', { at: new Date(Number.NaN) }],
  ['transfer_in 7 of -500', { ...arrived, amount: '-500' }],
  ['transfer_out 7 of 500', { ...arrived, kind: 'transfer_out' }],
  ['other 7 of null', { ...arrived, kind: 'other', amount: null }],
  ['transfer_in without an id', { ...arrived, id: '' }],
  ['transfer_in 7 without a coin', { ...arrived, coin: '' }],
])('what cannot be true is named: %s', (fault, changed) => {
  expect(faultOfStatement([fill, { ...fill, ...changed }])).toBe(fault);
});

test('one id with two contents is a fault', () => {
  expect(faultOfStatement([fill, arrived, { ...fill, cost: '5001' }])).toBe('fill 7 twice, with different figures');
});

test.each([
  [true, { bid: '99', ask: '101' }],
  [true, { bid: '95', ask: '105' }],
  [false, { bid: '94.9', ask: '101' }],
  [false, { bid: '99', ask: '105.1' }],
  [false, { bid: '101', ask: '99' }],
  [false, { bid: '0', ask: '101' }],
  [false, { bid: 'undefined', ask: '101' }],
  [false, { bid: '99', ask: '101', mark: '0' }],
])('an order book is tradable: %s, %j at a mark of 100', (isTradable, quote) => {
  expect(isPlausible({ mark: '100', ...quote })).toBe(isTradable);
});
