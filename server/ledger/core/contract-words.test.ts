import { expect, test } from 'vitest';
import { houseAccounts, ledgerReasons, memberAccounts } from '#contract/operator/ledger.ts';
import { houseClassNames, memberClassNames } from './account.ts';
import { reasons } from './flow.ts';

test('operators can ask for every account and every reason there is, and for no other', () => {
  expect([...memberAccounts]).toEqual(memberClassNames);
  expect([...houseAccounts].sort()).toEqual([...houseClassNames].sort());
  expect([...ledgerReasons].sort()).toEqual([...reasons].sort());
});
