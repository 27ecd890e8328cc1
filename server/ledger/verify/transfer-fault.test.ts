import { expect, test } from 'vitest';
import type { TransferFields } from '../core/canonical.ts';
import { transferFault } from './verify-seals.ts';

/** Member 3 moves 5 from the primary wallet to escrow. */
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

test('a posted transfer has no fault', () => {
  expect(transferFault(sound)).toBeUndefined();
  expect(
    transferFault({ ...sound, from_account: 6n, to_account: 97n, from_balance_after: null, reason: 'deposit' }),
  ).toBeUndefined();
  expect(
    transferFault({ ...sound, from_account: 99n, to_account: 97n, reason: 'reversal', reverses: 7n }),
  ).toBeUndefined();
});

const cases: [string, Partial<TransferFields>][] = [
  ['has no positive amount', { amount: 0n }],
  ['has no positive amount', { amount: -5n }],
  ['refers to account 38, which does not exist', { to_account: 38n }],
  ['refers to account 0, which does not exist', { from_account: 0n }],
  ['moves money between two members', { to_account: 131n }],
  ['does not state the balance after for exactly its member accounts', { from_balance_after: null }],
  ['does not state the balance after for exactly its member accounts', { to_account: 9n, reason: 'trade_fee' }],
  ['leaves a member account negative', { from_balance_after: -1n }],
  ['leaves a member account negative', { to_balance_after: -1n }],
  ['is a reversal that names no transfer, or names one without being a reversal', { reason: 'reversal' }],
  ['is a reversal that names no transfer, or names one without being a reversal', { reverses: 7n }],
  ['is not a permitted flow: primary to trade_escrow for deposit', { reason: 'deposit' }],
  ['is not a permitted flow: profit to primary for trade_place', { from_account: 98n, to_account: 97n }],
  ['is not a permitted flow: primary to trade_escrow for nonsense', { reason: 'nonsense' }],
];

test.for(cases)('%s', ([fault, change]) => {
  expect(transferFault({ ...sound, ...change })).toBe(fault);
});
