import type { DepositState } from '#contract/funds/deposits.ts';
import { formatRounded } from '#contract/money.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { english } from '#contract/texts.ts';
import { depositNotice, type Notice } from './notices.ts';

const { t } = english;

/** What an operator can do with a deposit in review (docs/product.md, section 4). */
export type DepositDecision = 'credit' | 'refund' | 'reject';

/** The deposit as stored. */
export type ReviewedDeposit = {
  readonly state: DepositState;
  readonly bookedMicros: bigint;
  /** At the gateway now, confirmed or not; null in deposits of older versions. */
  readonly paidMicros: bigint | null;
  /** Null before anything was credited to the primary wallet. */
  readonly creditedMicros: bigint | null;
  readonly refundedMicros: bigint;
};

export type DecidedDeposit = {
  readonly state: DepositState;
  /** unallocated → primary. */
  readonly creditMicros: bigint;
  /** unallocated → gateway. */
  readonly refundMicros: bigint;
};

/** Booked into `unallocated` and not yet decided: of $130 booked and $100 credited, $30. */
export const heldMicrosOf = (
  deposit: Pick<ReviewedDeposit, 'bookedMicros' | 'creditedMicros' | 'refundedMicros'>,
): bigint => deposit.bookedMicros - (deposit.creditedMicros ?? 0n) - deposit.refundedMicros;

/**
 * The effect of an operator's decision on a deposit, or the refusal. The whole held amount is either credited to the
 * wallet or refunded to the payer; once the gateway has less than was booked, it can only be refunded. A partly
 * credited deposit stays `credited` when the rest is refunded, so that the gateway is still polled for a reversal of
 * that part, unless that was reversed before.
 *
 * Worked example: $100 credited, another $30 arrived. *Credit* → `{ state: 'credited', creditMicros: 30_000_000n }`,
 * *refund* → `{ state: 'credited', refundMicros: 30_000_000n }`, *reject* → `'deposit_holds_money'`.
 */
export function decideReviewed(deposit: ReviewedDeposit, decision: DepositDecision): DecidedDeposit | RefusalCode {
  if (deposit.state !== 'review') return 'deposit_not_in_review';
  const heldMicros = heldMicrosOf(deposit);
  if (decision === 'reject') {
    return heldMicros > 0n ? 'deposit_holds_money' : { state: 'rejected', creditMicros: 0n, refundMicros: 0n };
  }
  if (heldMicros === 0n) return 'deposit_holds_nothing';
  const isReversed = deposit.paidMicros !== null && deposit.paidMicros < deposit.bookedMicros;
  if (decision === 'credit' && isReversed) return 'deposit_reversed';
  if (decision === 'credit') return { state: 'credited', creditMicros: heldMicros, refundMicros: 0n };
  const { creditedMicros, paidMicros } = deposit;
  const keepsCredit = creditedMicros !== null && (paidMicros ?? creditedMicros) >= creditedMicros;
  const state = keepsCredit ? 'credited' : 'refunded';
  return { state, creditMicros: 0n, refundMicros: heldMicros };
}

/** The member's notification, with the operator's reason and, for a refund, its transaction. */
export function decisionNotice(
  deposit: { readonly reference: string },
  decided: DecidedDeposit,
  { reason, transaction }: { readonly reason: string; readonly transaction: string | undefined },
): Notice {
  const { reference } = deposit;
  if (decided.creditMicros > 0n) {
    const message = t`${formatRounded(decided.creditMicros)} of deposit ${reference} was credited to your Primary Wallet. ${reason}`;
    return depositNotice('deposit_credited', t`Deposit credited: ${reference}`, reference, message);
  }
  if (decided.refundMicros > 0n) {
    const message = t`${formatRounded(decided.refundMicros)} of deposit ${reference} was refunded to its sender. ${reason}`;
    return depositNotice('deposit_refunded', t`Deposit refunded: ${reference}`, reference, message, transaction);
  }
  const message = t`Deposit ${reference} was closed. ${reason}`;
  return depositNotice('deposit_rejected', t`Deposit closed: ${reference}`, reference, message);
}
