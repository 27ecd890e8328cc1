import { expect, test } from 'vitest';
import { compareBalances, reportedHolding } from './venue-difference.ts';

const held = new Map([['BTC', '0.5']]);
const lines = (reported: Record<string, string>, dollars = '900') =>
  compareBalances(new Map(Object.entries(reported)), 'USDT', dollars, held);
const at = (...prices: [string, string | null][]) => ({ dollar: 'USDT', prices: new Map(prices) });
const prices = at(['BTC', '50000']);
const booked = 20_900_000_000n;

test('if balances agree with the ledger, the holding is the ledger’s, whatever a coin is worth now', () => {
  expect(reportedHolding(booked, lines({ USDT: '900', BTC: '0.5' }), at())).toBe(booked);
});

test('each difference is valued at its price, dollars at one', () => {
  expect(reportedHolding(booked, lines({ USDT: '895', BTC: '0.49' }), prices)).toBe(booked - 505_000_000n);
  expect(reportedHolding(booked, lines({ USDT: '901', BTC: '0.5' }), prices)).toBe(booked + 1_000_000n);
  expect(reportedHolding(booked, lines({}), prices)).toBe(booked - 900_000_000n - 25_000_000_000n);
});

test('a fraction of a micro is rounded down', () => {
  expect(reportedHolding(booked, lines({ USDT: '899.9999999', BTC: '0.5' }), prices)).toBe(booked - 1n);
});

test('our coins count before they are booked, because the dollars that bought them are gone; other coins do not', () => {
  const eth = at(['BTC', '50000'], ['ETH', '2000'], ['FIL', null]);
  const bought = { USDT: '500', BTC: '0.5', ETH: '0.1995' };
  expect(reportedHolding(booked, lines(bought), eth)).toBe(booked - 1_000_000n);
  expect(reportedHolding(booked, lines({ ...bought, FIL: '3', BNB: '7' }), eth)).toBe(booked - 1_000_000n);
});

test('coins that are not booked are not counted', () => {
  expect(reportedHolding(booked, lines({ USDT: '900', BTC: '0.5', BNB: '7' }), prices)).toBe(booked);
});

test('a difference in a coin without a price is unknown, not zero', () => {
  expect(reportedHolding(booked, lines({ USDT: '900', BTC: '0.4' }), at(['BTC', null]))).toBeUndefined();
  expect(reportedHolding(booked, lines({ USDT: '900', BTC: '0.4' }), at())).toBeUndefined();
});
