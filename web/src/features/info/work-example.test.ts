import { expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { dollarsOf, shareOut, workExample, workWithdrawal } from './work-example.ts';

// By hand: fee 250 × 0.40 % = 1, position 249; 249 × (close × 0.9995) ÷ (68,000 × 1.0005), rounded down to a micro; a
// tenth of the part above 250, rounded down.
test.each([
  ['rises 2 %', 69_360, { proceeds: 253.726146, performanceFee: 0.372614, result: 3.353532 }],
  ['does not move', 68_000, { proceeds: 248.751124, performanceFee: 0, result: -1.248876 }],
  ['falls 2 %', 66_640, { proceeds: 243.776101, performanceFee: 0, result: -6.223899 }],
])('250 on a price that %s', (_name, closeMark, expected) => {
  expect(workExample({ amount: 250, openMark: 68_000, closeMark, spreadBps: 10 }, firstFeePlan)).toMatchObject({
    fee: 1,
    position: 249,
    openPrice: 68_034,
    ...expected,
  });
});

test('at a price of zero the loss is the amount and no more', () => {
  expect(workExample({ amount: 250, openMark: 68_000, closeMark: 0, spreadBps: 10 }, firstFeePlan).result).toBe(-250);
});

test('other rates give another result: position 247.5, proceeds 252.197676, half of the gain', () => {
  const rates = { trade_fee_bps: 100, performance_fee_bps: 5000 };
  expect(workExample({ amount: 250, openMark: 68_000, closeMark: 69_360, spreadBps: 10 }, rates)).toMatchObject({
    fee: 2.5,
    position: 247.5,
    proceeds: 252.197676,
    performanceFee: 1.098838,
    result: 1.098838,
  });
});

test('another spread gives another price on both sides: 249 × (69,360 × 0.995) ÷ (68,000 × 1.005)', () => {
  expect(workExample({ amount: 250, openMark: 68_000, closeMark: 69_360, spreadBps: 100 }, firstFeePlan)).toMatchObject(
    {
      openPrice: 68_340,
      closePrice: 69_013.2,
      proceeds: 251.452835,
    },
  );
});

test.each([
  [1, [2000, 1000, 600], { shares: [0.2, 0.1, 0.06], rest: 0.64, restBps: 6400 }],
  [0.372614, [1500, 1000, 500], { shares: [0.055892, 0.037261, 0.01863], rest: 0.260831, restBps: 7000 }],
  [0.000009, [5000, 5000], { shares: [0.000004, 0.000004], rest: 0.000001, restBps: 0 }],
  [0, [1500], { shares: [0], rest: 0, restBps: 8500 }],
])('a fee of %d is distributed completely', (fee, bps, shared) => {
  expect(shareOut(fee, bps)).toEqual(shared);
});

test('takes a share of an amount', () => {
  expect(dollarsOf(5_000, 6_000)).toBe(3_000);
});

test.each([
  [300, { fee: 3, arrives: 297 }],
  [50, { fee: 1, arrives: 49 }],
  [100.000099, { fee: 1, arrives: 99.000099 }],
  [123.4567, { fee: 1.234567, arrives: 122.222133 }],
])('the fee of a withdrawal of %d is 1 percent rounded down, at least 1', (amount, expected) => {
  expect(workWithdrawal(amount, firstFeePlan)).toEqual(expected);
});
