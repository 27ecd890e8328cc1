import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DepositDecision,
  decideReviewed,
  decisionNotice,
  heldMicrosOf,
  type ReviewedDeposit,
} from './deposit-decision.ts';

const review = (bookedMicros: bigint, creditedMicros: bigint | null = null, refundedMicros = 0n): ReviewedDeposit => ({
  state: 'review',
  bookedMicros,
  paidMicros: bookedMicros,
  creditedMicros,
  refundedMicros,
});

describe('a decision about a deposit in review', () => {
  test.each<[string, ReviewedDeposit, DepositDecision, unknown]>([
    ['late, credited', review(40n), 'credit', { state: 'credited', creditMicros: 40n, refundMicros: 0n }],
    ['late, sent back', review(40n), 'refund', { state: 'refunded', creditMicros: 0n, refundMicros: 40n }],
    ['paid again, credited', review(130n, 100n), 'credit', { state: 'credited', creditMicros: 30n, refundMicros: 0n }],
    ['paid again, sent back', review(130n, 100n), 'refund', { state: 'credited', creditMicros: 0n, refundMicros: 30n }],
    [
      'after a refund, again',
      review(70n, null, 40n),
      'refund',
      { state: 'refunded', creditMicros: 0n, refundMicros: 30n },
    ],
    ['nothing held', review(0n), 'reject', { state: 'rejected', creditMicros: 0n, refundMicros: 0n }],
    ['taken back', review(100n, 100n), 'reject', { state: 'rejected', creditMicros: 0n, refundMicros: 0n }],
    ['money held', review(130n, 100n), 'reject', 'deposit_holds_money'],
    ['nothing to credit', review(100n, 100n), 'credit', 'deposit_holds_nothing'],
    ['reversed before it was credited', { ...review(40n), paidMicros: 39n }, 'credit', 'deposit_reversed'],
    [
      'reversed before it was sent back',
      { ...review(40n), paidMicros: 0n },
      'refund',
      { state: 'refunded', creditMicros: 0n, refundMicros: 40n },
    ],
    [
      'reversed in part, the rest sent back',
      { ...review(130n, 100n), paidMicros: 30n },
      'refund',
      { state: 'refunded', creditMicros: 0n, refundMicros: 30n },
    ],
    [
      'reversed down to what was credited, the rest sent back',
      { ...review(130n, 100n), paidMicros: 100n },
      'refund',
      { state: 'credited', creditMicros: 0n, refundMicros: 30n },
    ],
    [
      'of an older version',
      { ...review(40n), paidMicros: null },
      'credit',
      { state: 'credited', creditMicros: 40n, refundMicros: 0n },
    ],
    ['nothing to send back', review(40n, null, 40n), 'refund', 'deposit_holds_nothing'],
    ['not in review', { ...review(40n), state: 'credited' }, 'credit', 'deposit_not_in_review'],
  ])('%s', (_, deposit, decision, result) => {
    expect(decideReviewed(deposit, decision)).toEqual(result);
  });

  test('never leaves anything held, and never moves more than was', () => {
    const amount = fc.bigInt(0n, 10n ** 12n);
    const decision = fc.constantFrom<DepositDecision>('credit', 'refund', 'reject');
    fc.assert(
      fc.property(amount, amount, amount, decision, (credited, refunded, held, taken) => {
        const deposit = review(credited + refunded + held, credited === 0n ? null : credited, refunded);
        const decided = decideReviewed(deposit, taken);
        if (typeof decided === 'string') return;
        expect(decided.creditMicros + decided.refundMicros).toBe(heldMicrosOf(deposit));
      }),
    );
  });
});

describe('what the member hears', () => {
  const deposit = { reference: 'DP-7M2QX4' };
  const say = { reason: 'It came a day late.', transaction: undefined };

  test('of a credit, a refund with its transaction, and a closing', () => {
    expect(
      decisionNotice(deposit, { state: 'credited', creditMicros: 30_000_000n, refundMicros: 0n }, say),
    ).toMatchObject({
      kind: 'deposit_credited',
      message: '$30.00 of deposit DP-7M2QX4 was credited to your Primary Wallet. It came a day late.',
    });
    const refund = decisionNotice(
      deposit,
      { state: 'refunded', creditMicros: 0n, refundMicros: 30_000_000n },
      { ...say, transaction: 'abc123' },
    );
    expect(refund.message).toBe('$30.00 of deposit DP-7M2QX4 was refunded to its sender. It came a day late.');
    expect(refund.mail.text).toContain('Transaction: abc123');
    expect(decisionNotice(deposit, { state: 'rejected', creditMicros: 0n, refundMicros: 0n }, say)).toMatchObject({
      kind: 'deposit_rejected',
      mail: { subject: 'Deposit closed: DP-7M2QX4' },
    });
  });
});
