import { expect, test } from 'vitest';
import { checkWithdrawal } from './check-withdrawal.ts';

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
])('"%s" is refused with the words of the server', (typed, message) => {
  expect(checkWithdrawal(typed, limits, 612.08744)).toEqual({ ok: false, message });
});

test.each([
  ['10', 10],
  [' 612.08744 ', 612.08744],
  ['50.', 50],
])('"%s" is an amount', (typed, dollars) => {
  expect(checkWithdrawal(typed, limits, 612.08744)).toEqual({ ok: true, dollars });
});

test('the day’s limit is named before the balance, as the server does', () => {
  expect(checkWithdrawal('9800', limits, 20)).toEqual({ ok: false, message: 'At most 10000$ a day can be withdrawn.' });
});

test('what is not known yet is left to the server', () => {
  expect(checkWithdrawal('1000000', undefined, undefined)).toEqual({ ok: true, dollars: 1_000_000 });
});
