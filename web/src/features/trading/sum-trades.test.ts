import { expect, test } from 'vitest';
import type { Trade } from '#contract/trading/trading.ts';
import { percentOf, sumTrades } from './sum-trades.ts';

const noStops = {
  stop_loss: null,
  take_profit: null,
  trailing_stop: null,
  stop_loss_price: null,
  take_profit_price: null,
  trailing_stop_price: null,
};

const trade = (change: Partial<Trade>): Trade => ({
  id: '1',
  symbol: 'btc',
  wallet_type: 'primary',
  plan_id: null,
  amount: 100,
  fee: 0.4,
  state: 'open',
  placed_at: '2026-03-04T12:29:00Z',
  opened_at: '2026-03-04T12:30:00Z',
  open_price: 100,
  closed_at: null,
  close_price: null,
  close_reason: null,
  cancel_reason: null,
  gross: null,
  performance_fee: null,
  result: null,
  stops: noStops,
  closing: false,
  closing_cause: null,
  live: { price: 101, result: 1 },
  ...change,
});

test('several open trades are one position', () => {
  const sum = sumTrades([trade({}), trade({ id: '2', amount: 300, fee: 1.2, live: { price: 99, result: -3 } })]);
  expect(sum).toEqual({ count: 2, amount: 400, fee: 1.6, position: 398.4, result: -2, percent: -0.5, entry: 100 });
});

test('the entry is weighted by coins, not the middle of the prices', () => {
  // 100 dollars at 100 buy one coin, 100 at 50 buy two: 200 dollars for three coins.
  const sum = sumTrades([trade({ fee: 0 }), trade({ fee: 0, open_price: 50 })]);
  expect(sum.entry).toBeCloseTo(200 / 3, 10);
});

test('dollars are added exactly', () => {
  expect(sumTrades([trade({ amount: 0.1 }), trade({ amount: 0.2 })]).amount).toBe(0.3);
});

test('one trade without a price leaves the sum unknown, not zero', () => {
  expect(sumTrades([trade({}), trade({ live: null })]).result).toBeNull();
  expect(sumTrades([]).result).toBeNull();
});

test('a result in percent of the amount', () => {
  expect(percentOf(-4.5, 100)).toBe(-4.5);
  expect(percentOf(null, 100)).toBeNull();
});
