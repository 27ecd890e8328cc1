import { expect, test } from 'vitest';
import { checkWithdrawal, quoteWithdrawal } from './withdraw-form.tsx';

const limits = { minimum: 10, day_left: 9_700 };

test.each([
  ['', 'Enter an amount in numbers.'],
  ['1,500', 'Enter an amount in numbers.'],
  ['-20', 'An amount cannot be negative.'],
  ['10.0000001', 'An amount has at most 6 decimals.'],
  ['99999999999', 'The amount is too large.'],
  ['9.999999', 'A withdrawal is at least 10$.'],
  ['9700.01', 'At most 10000$ a day can be withdrawn.'],
  ['612.09', 'Insufficient balance.'],
])('"%s" is refused in the server’s words', (typed, message) => {
  expect(checkWithdrawal(typed, limits, 612.08744)).toEqual({ ok: false, message });
});

test.each([
  ['10', 10],
  [' 612.08744 ', 612.08744],
  ['50.', 50],
])('"%s" is an amount', (typed, dollars) => {
  expect(checkWithdrawal(typed, limits, 612.08744)).toEqual({ ok: true, dollars });
});

test('the daily limit is checked before the balance, as on the server', () => {
  expect(checkWithdrawal('9800', limits, 20)).toEqual({ ok: false, message: 'At most 10000$ a day can be withdrawn.' });
});

test('unknown limits are left to the server', () => {
  expect(checkWithdrawal('1000000', undefined, undefined)).toEqual({ ok: true, dollars: 1_000_000 });
});

const fees = { fee_bps: 100, fee_minimum: 1 };

test.each([
  // amount, fee, net: calculated by hand
  [500, 5, 495],
  [12.5, 1, 11.5],
  [100, 1, 99],
  [100.000099, 1, 99.000099],
  [100.0001, 1.000001, 99.000099],
  [10_000, 100, 9_900],
  [612.08744, 6.120874, 605.966566],
])(
  'of %d the fee is %d and %d arrives: the fee is rounded down to the micro, but not below the minimum',
  (amount, fee, net) => {
    expect(quoteWithdrawal(amount, fees)).toEqual({ fee, net });
  },
);

test.each([0, 0.5, 1])('of %d nothing would be left, so there is no quote', (amount) => {
  expect(quoteWithdrawal(amount, fees)).toEqual({ fee: null, net: null });
});

test('without a fee the full amount arrives', () => {
  expect(quoteWithdrawal(10, { fee_bps: 0, fee_minimum: 0 })).toEqual({ fee: 0, net: 10 });
});
