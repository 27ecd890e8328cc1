import { expect, test } from 'vitest';
import { type DepositState, depositStates } from '#contract/funds/deposits.ts';
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

const due = (amount: string, currency: string) => [
  { label: currency, destination: 'bc1q', payment_link: 'bitcoin:bc1q', due: amount, currency },
];

test.each([
  ['in the coin of the gateway', { pay_with: 'BTC', paid: 156, pay_ways: due('0.001', 'BTC') }, '0.001 BTC'],
  ['to the micro', { pay_with: 'TRC20', paid: 450.123456, pay_ways: due('49.876544', 'USDT') }, '49.876544 USDT'],
  ['in dollars where only the page takes it', { paid: 150.1 }, '349.90 USDT'],
  ['in dollars to the micro', { amount: 2_000, paid: 0.000001 }, '1,999.999999 USDT'],
] as const)('an underpaid deposit says what is missing: %s', (_, given, missing) => {
  const deposit = aDeposit({ state: 'underpaid', ...given });
  expect(wordsOfDeposit(deposit, false)).toMatchObject({ title: 'Underpaid', next: expect.stringContaining(missing) });
  expect(depositNote(deposit)).toBe(`${missing} missing`);
});

test('the rest of a USDT deposit is a second payment, which is reviewed', () => {
  const short = { state: 'underpaid', paid: 450, pay_ways: due('50', 'USDT') } as const;
  const next = (pay_with: 'BTC' | 'TRC20') => wordsOfDeposit(aDeposit({ ...short, pay_with }), false).next;
  expect(next('BTC')).toContain('Pay it before the invoice expires.');
  expect(next('TRC20')).toContain('Either way, an operator reviews');
});

test('a payment in part that is not confirmed yet leaves the rest to pay, one in full does not', () => {
  const part = aDeposit({ state: 'pending', pay_with: 'BTC', paid: 400, pay_ways: due('0.002', 'BTC') });
  expect(wordsOfDeposit(part, false)).toEqual({
    title: 'Part of the payment detected',
    next: '0.002 BTC is missing. Pay it before the invoice expires. Otherwise an operator reviews the amount received.',
  });
  expect(acceptsPayment(part)).toBe(true);
  // Confirmed at a lower rate, it is worth less than requested, but the gateway asks for nothing more.
  const full = aDeposit({ state: 'pending', pay_with: 'BTC', paid: 498 });
  expect(wordsOfDeposit(full, false)).toBe(depositTexts.pending);
  expect(acceptsPayment(full)).toBe(false);
});

test('an expired invoice must not be paid, unless its payment was already detected', () => {
  const of = (state: DepositState) => aDeposit({ state });
  expect(depositStates.filter((state) => acceptsPayment(of(state)))).toEqual(['created', 'underpaid']);
  for (const state of depositStates) {
    const changed = wordsOfDeposit(of(state), true).title !== depositTexts[state].title;
    expect(changed, state).toBe(acceptsPayment(of(state)));
    expect(wordsOfDeposit(of(state), false), state).toBe(depositTexts[state]);
  }
});

test('a review or rejection after a credited payment does not say that nothing was credited', () => {
  for (const state of ['review', 'rejected'] as const) {
    const { next } = wordsOfDeposit(aDeposit({ state, credited: 100 }), false);
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
