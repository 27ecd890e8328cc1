import fc from 'fast-check';
import { expect, test } from 'vitest';
import { funds } from '#contract/funds/deposits.ts';
import { checkAmount } from './deposit-form.tsx';

const NOT_A_NUMBER = 'Enter an amount in numbers.';
const OUT_OF_LIMITS = 'A deposit is from 10$ to 50000$.';

test.each([
  ['', NOT_A_NUMBER],
  ['   ', NOT_A_NUMBER],
  ['ten', NOT_A_NUMBER],
  ['1,500', NOT_A_NUMBER],
  ['1e3', NOT_A_NUMBER],
  ['Infinity', NOT_A_NUMBER],
  ['.', NOT_A_NUMBER],
  ['-50', 'An amount cannot be negative.'],
  ['9000000001', 'The amount is too large.'],
  // decimals are refused before the limits, as the server’s schema runs before its operation
  ['1.0000001', 'An amount has at most 6 decimals.'],
  ['0', OUT_OF_LIMITS],
  ['9.999999', OUT_OF_LIMITS],
  ['50000.000001', OUT_OF_LIMITS],
])('refuses %j in the server’s words', (typed, message) => {
  expect(checkAmount(typed)).toEqual({ ok: false, message });
});

test.each([
  ['10', 10],
  [' 500 ', 500],
  ['12.5', 12.5],
  ['12.', 12],
  ['50000', 50_000],
])('accepts %j', (typed, dollars) => {
  expect(checkAmount(typed)).toEqual({ ok: true, dollars });
});

test('any number gets the same answer from the contract', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.constant(-0)),
      (dollars) => {
        const text = Object.is(dollars, -0) ? '-0' : String(dollars);
        fc.pre(!text.includes('e'));
        const server = funds.createDeposit.body.shape.amount.safeParse(dollars);
        const checked = checkAmount(text);
        if (!server.success) expect(checked).toEqual({ ok: false, message: server.error.issues[0]?.message });
        else expect(checked.ok || checked.message === OUT_OF_LIMITS).toBe(true);
      },
    ),
  );
});
