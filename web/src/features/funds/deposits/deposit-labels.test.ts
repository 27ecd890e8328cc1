import { expect, test } from 'vitest';
import { type Deposit, depositStates } from '#contract/funds/deposits.ts';
import {
  depositNote,
  depositWords,
  isFinal,
  isOpen,
  pollAfterMs,
  takesMoney,
  wordsOfDeposit,
} from './deposit-labels.ts';

const deposit = (state: Deposit['state'], credited: number | null = null): Deposit => ({
  id: '7',
  reference: 'DP-7M2QX4',
  amount: 500,
  credited,
  currency: 'USDT',
  state,
  pay_url: null,
  pay_ways: [],
  note: null,
  transaction: null,
  expires_at: '2026-03-04T14:00:00Z',
  created_at: '2026-03-04T13:00:00Z',
  updated_at: '2026-03-04T13:00:00Z',
});

test.each([
  ['created', 'Waiting for your payment', 3_000],
  ['pending', 'Payment seen', 3_000],
  ['underpaid', 'Less arrived than asked', 3_000],
  ['credited', 'Credited', false],
  ['expired', 'The invoice expired', false],
  ['review', 'A person looks at this payment', 30_000],
  ['refunded', 'Refunded', false],
  ['rejected', 'Rejected', false],
  ['failed', 'The payment failed', false],
] as const)('%s reads "%s" and is asked again after %s', (state, title, afterMs) => {
  expect(depositWords[state].title).toBe(title);
  expect(pollAfterMs(state)).toBe(afterMs);
});

test('every state is either waited for or final', () => {
  for (const state of depositStates) expect(isFinal(state), state).toBe(pollAfterMs(state) === false);
  expect(depositStates.filter(isOpen)).toEqual(['created', 'pending', 'underpaid']);
});

test('an invoice whose clock ran out is not to be paid, unless its payment was seen already', () => {
  expect(depositStates.filter(takesMoney)).toEqual(['created', 'underpaid']);
  for (const state of depositStates) {
    const changed = wordsOfDeposit(state, true).title !== depositWords[state].title;
    expect(changed, state).toBe(takesMoney(state));
    expect(wordsOfDeposit(state, false), state).toBe(depositWords[state]);
  }
});

test('only the credited state says that money is in the wallet', () => {
  const saying = depositStates.filter((state) => /is in your Primary Wallet/.test(depositWords[state].next));
  expect(saying).toEqual(['credited']);
});

test.each([
  [deposit('credited', 500), ''],
  [deposit('credited', 520), 'Overpaid, credited in full'],
  [deposit('credited', 480), 'Paid less, credited after review'],
  [deposit('pending'), 'Payment seen, waiting for the gateway'],
  [deposit('expired'), 'No payment arrived'],
  [deposit('failed'), 'Refused by the gateway'],
  [{ ...deposit('rejected'), note: 'Not your account.' }, 'Not your account.'],
])('the note of %o', (row, note) => {
  expect(depositNote(row)).toBe(note);
});
