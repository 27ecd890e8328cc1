import { expect, test } from 'vitest';
import type { TransferFields } from '../core/canonical.ts';
import { transferFault } from './verify-seals.ts';

/** Member 3's primary wallet puts 5 into escrow. */
const sound: TransferFields = {
  id: 1n,
  from_account: 97n,
  to_account: 99n,
  amount: 5n,
  from_balance_after: 0n,
  to_balance_after: 5n,
  reverses: null,
  tx: 1n,
  market_at_micros: 0n,
  created_at_micros: 0n,
  reason: 'trade_place',
  key: 'k',
  reference: 'r',
  note: null,
};

test('what posting writes has no fault', () => {
  expect(transferFault(sound)).toBeUndefined();
  expect(
    transferFault({ ...sound, from_account: 6n, to_account: 97n, from_balance_after: null, reason: 'deposit' }),
  ).toBeUndefined();
  expect(
    transferFault({ ...sound, from_account: 99n, to_account: 97n, reason: 'reversal', reverses: 7n }),
  ).toBeUndefined();
});

const cases: [string, Partial<TransferFields>][] = [
  ['moves no positive amount', { amount: 0n }],
  ['moves no positive amount', { amount: -5n }],
  ['names account 38, which cannot exist', { to_account: 38n }],
  ['names account 0, which cannot exist', { from_account: 0n }],
  ['moves money between two members', { to_account: 131n }],
  ['does not say the balances of exactly its member accounts', { from_balance_after: null }],
  ['does not say the balances of exactly its member accounts', { to_account: 9n, reason: 'trade_fee' }],
  ['leaves a member account below zero', { from_balance_after: -1n }],
  ['leaves a member account below zero', { to_balance_after: -1n }],
  ['is a reversal without a transfer, or the other way round', { reason: 'reversal' }],
  ['is a reversal without a transfer, or the other way round', { reverses: 7n }],
  ['is a flow that does not exist: primary to trade_escrow for deposit', { reason: 'deposit' }],
  ['is a flow that does not exist: profit to primary for trade_place', { from_account: 98n, to_account: 97n }],
  ['is a flow that does not exist: primary to trade_escrow for nonsense', { reason: 'nonsense' }],
];

test.for(cases)('%s', ([fault, change]) => {
  expect(transferFault({ ...sound, ...change })).toBe(fault);
});
