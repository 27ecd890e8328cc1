import { expect, test } from 'vitest';
import { depositStates } from '#contract/funds/deposits.ts';
import { aDeposit } from '../../../../test/deposits.ts';
import {
  acceptsPayment,
  depositNote,
  depositSteps,
  depositTexts,
  isFinal,
  isOpen,
  pollAfterMs,
  wordsOfDeposit,
} from './deposit-labels.ts';

test.each([
  ['created', 'Waiting for your payment', 3_000],
  ['pending', 'Payment detected', 3_000],
  ['underpaid', 'Underpaid', 3_000],
  ['credited', 'Credited', false],
  ['expired', 'Invoice expired', false],
  ['review', 'Under review', 30_000],
  ['refunded', 'Refunded', false],
  ['rejected', 'Rejected', false],
  ['failed', 'Payment failed', false],
] as const)('%s reads "%s" and is polled after %s', (state, title, afterMs) => {
  expect(depositTexts[state].title).toBe(title);
  expect(pollAfterMs(state)).toBe(afterMs);
});

test('every state is either polled or final', () => {
  for (const state of depositStates) expect(isFinal(state), state).toBe(pollAfterMs(state) === false);
  expect(depositStates.filter(isOpen)).toEqual(['created', 'pending', 'underpaid']);
});

test('for an underpaid USDT deposit, the rest is a second payment, which is reviewed', () => {
  const short = { state: 'underpaid', credited: null } as const;
  expect(wordsOfDeposit({ ...short, pay_with: 'BTC' }, false)).toBe(depositTexts.underpaid);
  expect(wordsOfDeposit({ ...short, pay_with: 'TRC20' }, false).next).toContain('Either way, an operator reviews');
});

test('an expired invoice must not be paid, unless its payment was already detected', () => {
  expect(depositStates.filter(acceptsPayment)).toEqual(['created', 'underpaid']);
  for (const state of depositStates) {
    const changed = wordsOfDeposit({ state, credited: null, pay_with: null }, true).title !== depositTexts[state].title;
    expect(changed, state).toBe(acceptsPayment(state));
    expect(wordsOfDeposit({ state, credited: null, pay_with: null }, false), state).toBe(depositTexts[state]);
  }
});

test('a review or rejection after a credited payment does not say that nothing was credited', () => {
  for (const state of ['review', 'rejected'] as const) {
    const { next } = wordsOfDeposit({ state, credited: 100, pay_with: null }, false);
    expect(next).toContain('A payment was credited.');
    expect(next).not.toContain('Nothing was credited');
  }
});

test('only the credited state says that the money is in the wallet', () => {
  const saying = depositStates.filter((state) => /is in your Primary Wallet/.test(depositTexts[state].next));
  expect(saying).toEqual(['credited']);
});

test.each([
  [{ state: 'credited', credited: 500 }, ''],
  [{ state: 'credited', credited: 520 }, 'Overpaid, credited in full'],
  [{ state: 'credited', credited: 480 }, 'Underpaid, credited after review'],
  [{ state: 'review', held: 320 }, '$320.00 under review by an operator'],
  [{ state: 'pending' }, 'Payment detected, waiting for the gateway'],
  [{ state: 'expired' }, 'No payment arrived'],
  [{ state: 'failed' }, 'Declined by the gateway'],
  [{ state: 'rejected', note: 'Not your account.' }, 'Not your account.'],
] as const)('the note of %o', (given, note) => {
  expect(depositNote(aDeposit(given))).toBe(note);
});

const stepsOf = (state: (typeof depositStates)[number]) =>
  depositSteps(
    aDeposit({
      state,
      expires_at: '2026-03-04T14:52:00Z',
      created_at: '2026-03-04T13:52:00Z',
      updated_at: '2026-03-04T13:58:00Z',
    }),
  );

test.each([
  ['created', 'Created current, Payment detected ahead, Credited ahead', '13:52 UTC, waiting for your payment'],
  ['pending', 'Created done, Payment detected current, Credited ahead', '13:58 UTC, being confirmed'],
  ['underpaid', 'Created done, Payment detected current, Credited ahead', '13:58 UTC, underpaid'],
  ['credited', 'Created done, Payment detected done, Credited done', '13:58 UTC, to the Primary Wallet'],
  ['expired', 'Created done, Expired stopped, Credited ahead', '14:52 UTC, no payment arrived'],
  ['review', 'Created done, Payment detected done, In review current', 'Since 13:58 UTC'],
  ['refunded', 'Created done, Payment detected done, Refunded stopped', '13:58 UTC'],
  ['rejected', 'Created done, Payment detected done, Rejected stopped', '13:58 UTC'],
  ['failed', 'Created done, Failed stopped, Credited ahead', '13:58 UTC, declined by the gateway'],
] as const)('%s: %s', (state, way, detail) => {
  const steps = stepsOf(state);
  expect(steps.map(({ title, at }) => `${title} ${at}`).join(', ')).toBe(way);
  expect(steps.findLast(({ at }) => at !== 'ahead')?.detail).toBe(detail);
});
