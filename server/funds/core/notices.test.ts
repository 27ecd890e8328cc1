import { describe, expect, test } from 'vitest';
import { readTypedAmount } from '../gateways/sandbox/pay-page-routes.ts';
import { noticeOf } from './notices.ts';

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
  const deposit = { reference: 'DP-7M2QX4', state: 'pending', amount_micros: 1_000_000_000n } as const;
  const step = { state: 'pending', creditMicros: 0n, holdMicros: 0n, isReversed: false } as const;

  test('of a credit, what really arrived', () => {
    expect(noticeOf(deposit, { ...step, state: 'credited', creditMicros: 1_200_000_000n })).toMatchObject({
      kind: 'deposit_credited',
      message: 'Your deposit of $1,200.00 was credited to your Primary Wallet.',
      mail: { subject: 'Deposit credited: DP-7M2QX4' },
    });
  });

  test('of a payment that is credited with another one that is held, both', () => {
    const both = { ...step, state: 'review', creditMicros: 1_000_000_000n, holdMicros: 40_000_000n } as const;
    expect(noticeOf(deposit, both)).toMatchObject({
      kind: 'deposit_credited',
      message: expect.stringMatching(
        /^Your deposit of \$1,000\.00 was credited to your Primary Wallet\. \$40\.00 arrived for deposit DP-7M2QX4, but /,
      ),
    });
  });

  test('for held money, failures and reversals, and for no other steps', () => {
    expect(noticeOf(deposit, { ...step, state: 'review', holdMicros: 40_000_000n })?.message).toBe(
      '$40.00 arrived for deposit DP-7M2QX4, but late, short, twice or in another coin. We hold it until our team has reviewed the deposit, and then notify you.',
    );
    expect(noticeOf(deposit, { ...step, state: 'failed' })?.message).toBe(
      'Your deposit of $1,000.00 failed because its payment was never confirmed. If you paid, open Query and write to support.',
    );
    expect(noticeOf(deposit, { ...step, state: 'review', isReversed: true })?.kind).toBe('deposit_taken_back');
    for (const state of ['created', 'pending', 'underpaid', 'expired', 'review'] as const) {
      expect(noticeOf(deposit, { ...step, state })).toBeUndefined();
    }
  });
});
