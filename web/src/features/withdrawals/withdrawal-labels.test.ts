import { expect, test } from 'vitest';
import { aWithdrawal } from '../../../test/withdrawals.ts';
import {
  groupsOfFour,
  isOnItsWay,
  pollAfterMs,
  shortAddress,
  stateOptions,
  withdrawalWords,
} from './withdrawal-labels.ts';

test('an address is compared in groups of four, and nothing of it is lost', () => {
  expect(groupsOfFour('TKq8mZ4vRw')).toEqual(['TKq8', 'mZ4v', 'Rw']);
  expect(groupsOfFour('')).toEqual([]);
  const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  expect(groupsOfFour(address).join('')).toBe(address);
});

test('a list names an address by its ends', () => {
  expect(shortAddress('TKq8mZ4vRw2Xc7Nd9LhPb5Ys3FgJt6QeAu')).toBe('TKq8…QeAu');
  expect(shortAddress('short')).toBe('short');
});

test('it is asked again exactly while something is still to come', () => {
  for (const { value } of stateOptions)
    expect([value, pollAfterMs(value) !== false]).toEqual([value, isOnItsWay(value)]);
  expect(stateOptions.filter(({ value }) => isOnItsWay(value)).map(({ label }) => label)).toEqual([
    'Requested',
    'Approved',
    'Sent',
    'Uncertain',
  ]);
});

test.each(['cancelled', 'rejected', 'failed'] as const)(
  '%s says that nothing was paid and where the money is',
  (state) => {
    const { next } = withdrawalWords(aWithdrawal({ state, wallet_type: 'profit', amount: 500 }));
    expect(next).toBe('Nothing was paid. $500.00 is back in your Profit Wallet.');
  },
);

test('an unknown outcome promises neither payment nor return', () => {
  const { title, next } = withdrawalWords(aWithdrawal({ state: 'uncertain' }));
  expect(title).toBe('A person looks at this payment');
  expect(next).toContain('not sent again');
  expect(next).not.toContain('back in your');
});
