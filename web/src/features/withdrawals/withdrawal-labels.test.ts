import { expect, test } from 'vitest';
import { withdrawalStates } from '#contract/funds/withdrawals.ts';
import { aWithdrawal } from '../../../test/withdrawals.ts';
import { isInProgress, pollAfterMs, withdrawalText } from './withdrawal-labels.ts';

test('exactly the states in progress are polled', () => {
  for (const state of withdrawalStates)
    expect([state, pollAfterMs(state) !== false]).toEqual([state, isInProgress(state)]);
  expect(withdrawalStates.filter(isInProgress)).toEqual(['requested', 'approved', 'sent', 'uncertain']);
});

test.each(['cancelled', 'rejected', 'failed'] as const)(
  '%s says that nothing was paid and where the money is',
  (state) => {
    const { next } = withdrawalText(aWithdrawal({ state, wallet_type: 'profit', amount: 500 }));
    expect(next).toBe('Nothing was paid. $500.00 is back in your Profit Wallet.');
  },
);

test('an unknown outcome promises neither payment nor return', () => {
  const { title, next } = withdrawalText(aWithdrawal({ state: 'uncertain' }));
  expect(title).toBe('Outcome unknown, under review');
  expect(next).toContain('not sent again');
  expect(next).not.toContain('back in your');
});
