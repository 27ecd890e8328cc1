import { expect, test } from 'vitest';
import { aTrade } from '../../../test/trades.ts';
import { sumTrades } from './sum-trades.ts';

const trade = (change: Parameters<typeof aTrade>[0] = {}) =>
  aTrade({ amount: 100, fee: 0.4, open_price: 100, live: { price: 101, result: 1 }, ...change });

test('several open trades are one position', () => {
  const sum = sumTrades([trade(), trade({ amount: 300, fee: 1.2, live: { price: 99, result: -3 } })]);
  expect(sum).toEqual({ amount: 400, fee: 1.6, result: -2, entry: 100 });
});

test('the average entry is weighted by coins, not the mean of the prices', () => {
  // 100 dollars at 100 buy one coin, 100 at 50 buy two: 200 dollars for three coins.
  const sum = sumTrades([trade({ fee: 0 }), trade({ fee: 0, open_price: 50 })]);
  expect(sum.entry).toBeCloseTo(200 / 3, 10);
});

test('dollars are added exactly', () => {
  expect(sumTrades([trade({ amount: 0.1 }), trade({ amount: 0.2 })]).amount).toBe(0.3);
});

test('one trade without a price leaves the total unknown, not zero', () => {
  expect(sumTrades([trade(), trade({ live: null })]).result).toBeNull();
  expect(sumTrades([]).result).toBeNull();
});
