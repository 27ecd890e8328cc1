import { expect, test } from 'vitest';
import { coverageOf, dayFlowsOf } from './overview-figures.ts';

test.each([
  [102_550_000n, 100_000_000n, 1.0255],
  [99_999_999n, 100_000_000n, 0.9999],
  [0n, 100n, 0],
  [5n, 0n, null],
])('%s held of %s owed is %s', (held, owed, coverage) => {
  expect(coverageOf(held, owed)).toBe(coverage);
});

test('the flows of a day are deposits, payouts, fees and incomes', () => {
  const flows = [
    { reason: 'deposit', micros: 100n },
    { reason: 'deposit_unallocated', micros: 50n },
    { reason: 'deposit_allocated', micros: 50n },
    { reason: 'withdrawal_hold', micros: 30n },
    { reason: 'withdrawal_payout', micros: 29n },
    { reason: 'withdrawal_fee', micros: 1n },
    { reason: 'trade_fee', micros: 4n },
    { reason: 'performance_fee', micros: 3n },
    { reason: 'referral_bonus', micros: 2n },
    { reason: 'reward', micros: 5n },
    { reason: 'fee_revenue', micros: 2n },
  ];
  expect(dayFlowsOf(flows)).toEqual({
    deposits: 150n,
    withdrawals: 29n,
    tradeFees: 4n,
    performanceFees: 3n,
    withdrawalFees: 1n,
    incomes: 7n,
  });
});
