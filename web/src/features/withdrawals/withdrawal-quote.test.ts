import { expect, test } from 'vitest';
import { quoteWithdrawal } from './withdrawal-quote.ts';

const fees = { fee_bps: 100, fee_minimum: 1 };

test.each([
  // amount, fee, net: worked by hand
  [500, 5, 495],
  [12.5, 1, 11.5],
  [100, 1, 99],
  [100.000099, 1, 99.000099],
  [100.0001, 1.000001, 99.000099],
  [10_000, 100, 9_900],
  [612.08744, 6.120874, 605.966566],
])(
  'of %d the fee is %d and %d arrives: the share is rounded down to the micro, and never below the minimum',
  (amount, fee, net) => {
    expect(quoteWithdrawal(amount, fees)).toEqual({ fee, net });
  },
);

test.each([0, 0.5, 1])('of %d nothing would be left, so there is no quote', (amount) => {
  expect(quoteWithdrawal(amount, fees)).toEqual({ fee: null, net: null });
});

test('without a fee all of it arrives', () => {
  expect(quoteWithdrawal(10, { fee_bps: 0, fee_minimum: 0 })).toEqual({ fee: 0, net: 10 });
});
