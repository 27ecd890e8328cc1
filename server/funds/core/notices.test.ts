import { describe, expect, test } from 'vitest';
import type { DepositState } from '#contract/funds/deposits.ts';
import { readTypedAmount } from '../gateways/sandbox/pay-page-routes.ts';
import type { InvoiceView } from './follow-invoice.ts';
import { correctionNotice, noticeOf } from './notices.ts';

test.each([
  ['100', 100_000_000n],
  [' 1,250.5 ', 1_250_500_000n],
  ['0.01', 10_000n],
  ['9999999.99', 9_999_999_990_000n],
  ['-1', undefined],
  ['1e3', undefined],
  ['0.001', undefined],
  ['', undefined],
  ['.5', undefined],
  ['12345678', undefined],
  ['٣', undefined],
])('typed %j', (text, micros) => {
  expect(readTypedAmount(text)).toBe(micros);
});

describe('what the member hears', () => {
  const deposit = {
    reference: 'DP-7M2QX4',
    state: 'pending',
    amount_micros: 1_000_000_000n,
    booked_micros: 0n,
  } as const;
  const step = { state: 'pending', creditMicros: 0n, holdMicros: 0n, isReversed: false } as const;
  const usd = (dollars: number) => BigInt(dollars) * 1_000_000n;
  const invoice = {
    status: 'Settled',
    amountMicros: usd(1_000),
    paidMicros: usd(1_000),
    settledMicros: usd(1_000),
  } as const;

  test('of a credit, what really arrived', () => {
    expect(noticeOf(deposit, { ...step, state: 'credited', creditMicros: 1_200_000_000n }, invoice)).toMatchObject({
      kind: 'deposit_credited',
      message: 'Your deposit of $1,200.00 was credited to your Primary Wallet.',
      mail: { subject: 'Deposit credited: DP-7M2QX4' },
    });
  });

  test('of a payment that is credited with another one that is held, both', () => {
    const both = { ...step, state: 'review', creditMicros: 1_000_000_000n, holdMicros: 40_000_000n } as const;
    expect(noticeOf(deposit, both, invoice)).toMatchObject({
      kind: 'deposit_credited',
      message: expect.stringMatching(
        /^Your deposit of \$1,000\.00 was credited to your Primary Wallet\. \$40\.00 arrived for deposit DP-7M2QX4 after an earlier payment\. We hold it /,
      ),
    });
  });

  test.each<[string, { state?: DepositState; booked_micros?: bigint }, Partial<InvoiceView>]>([
    [' after an earlier payment.', { state: 'credited', booked_micros: usd(1_000) }, { settledMicros: usd(1_040) }],
    [' in more than one payment.', {}, { settledMicros: usd(1_000), mismatch: { heldMicros: usd(400) } }],
    [
      ', but not as its invoice asked, such as in another coin.',
      {},
      { status: 'New', settledMicros: usd(40), mismatch: { heldMicros: usd(40) } },
    ],
    [', but the payment gateway reports the payment as invalid.', {}, { status: 'Invalid', settledMicros: usd(40) }],
    [', less than its amount.', { state: 'underpaid' }, { status: 'Expired', settledMicros: usd(40) }],
    [' after its invoice had expired.', { state: 'expired' }, { status: 'Expired', settledMicros: usd(40) }],
    [' after its invoice had expired.', {}, { status: 'Expired' }],
  ])('of held money, why it is held:%s', (why, before, seen) => {
    const held = { ...step, state: 'review', holdMicros: usd(40) } as const;
    expect(noticeOf({ ...deposit, ...before }, held, { ...invoice, ...seen })).toMatchObject({
      kind: 'deposit_review',
      message: `$40.00 arrived for deposit DP-7M2QX4${why} We hold it until our team has reviewed the deposit, and then notify you.`,
    });
  });

  test('of a payment without a value in dollars, such as in another coin, once', () => {
    const other = {
      ...invoice,
      status: 'New',
      paidMicros: 0n,
      settledMicros: 0n,
      mismatch: { heldMicros: 0n },
    } as const;
    const held = { ...step, state: 'review' } as const;
    expect(noticeOf(deposit, held, other)).toMatchObject({
      kind: 'deposit_review',
      message:
        'A payment arrived for deposit DP-7M2QX4, but not as its invoice asked, such as in another coin. We hold it until our team has reviewed the deposit, and then notify you.',
    });
    expect(noticeOf({ ...deposit, state: 'credited', booked_micros: usd(1_000) }, held, other)?.message).toContain(
      'A payment arrived for deposit DP-7M2QX4 after an earlier payment.',
    );
    expect(noticeOf({ ...deposit, state: 'review' }, held, other)).toBeUndefined();
    expect(noticeOf(deposit, held, { ...other, paidMicros: usd(40) })).toBeUndefined();
  });

  test('for failures and reversals, and for no other steps', () => {
    expect(noticeOf(deposit, { ...step, state: 'failed' }, invoice)?.message).toBe(
      'Your deposit of $1,000.00 failed because its payment was never confirmed. If you paid, open Query and write to support.',
    );
    expect(noticeOf(deposit, { ...step, state: 'review', isReversed: true }, invoice)?.kind).toBe('deposit_taken_back');
    for (const state of ['created', 'pending', 'underpaid', 'expired', 'review'] as const) {
      expect(noticeOf(deposit, { ...step, state }, invoice)).toBeUndefined();
    }
  });
});

test('a correction says how much, which wallet and why', () => {
  const row = { reference: 'AD-7M2QX4', wallet: 'profit', reason: 'Fee taken twice.' } as const;
  expect(correctionNotice({ ...row, signedMicros: 5_000_000n }).message).toBe(
    '$5.00 was added to your Profit Wallet: Fee taken twice.',
  );
  expect(correctionNotice({ ...row, signedMicros: -1_234_500_001n })).toMatchObject({
    message: '$1,234.500001 was deducted from your Profit Wallet: Fee taken twice.',
    mail: { subject: 'Correction AD-7M2QX4 of your Profit Wallet' },
  });
});
