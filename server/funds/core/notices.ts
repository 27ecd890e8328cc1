import type { DepositState } from '#contract/funds/deposits.ts';
import { formatDollars, formatRounded } from '#contract/money.ts';
import type { WalletType } from '#contract/rules.ts';
import { english } from '#contract/texts.ts';
import type { DepositStep, InvoiceView } from './follow-invoice.ts';
import { type MemberNotice, walletNames } from './withdrawal-rules.ts';

const { t } = english;

export type Notice = Required<MemberNotice>;

/** The deposit before the step. */
type DepositBefore = {
  readonly reference: string;
  readonly state: DepositState;
  readonly amount_micros: bigint;
  readonly booked_micros: bigint;
};

/**
 * The member's notification of a step, in the drawer and by email; undefined for steps that need none. A settled
 * deposit of $1,000 reads "Your deposit of $1,000.00 was credited to your Primary Wallet."
 */
export function noticeOf(deposit: DepositBefore, step: DepositStep, invoice: InvoiceView): Notice | undefined {
  const { reference } = deposit;
  const isMismatch = invoice.mismatch !== undefined && step.state === 'review' && deposit.state !== 'review';
  // A payment with a value is notified once it is confirmed.
  const isWithoutValue = isMismatch && invoice.paidMicros === invoice.settledMicros;
  const held = step.holdMicros > 0n || isWithoutValue ? heldText(deposit, step, invoice) : undefined;
  if (step.creditMicros > 0n) {
    const message = [credited(step), ...(held === undefined ? [] : [held])].join(' ');
    return depositNotice('deposit_credited', t`Deposit credited: ${reference}`, reference, message);
  }
  if (step.isReversed) {
    const message = t`The payment gateway reversed the payment of deposit ${reference}. Your account is frozen until our team has reviewed it. Open Query to write to support.`;
    return depositNotice('deposit_taken_back', t`Deposit reversed: ${reference}`, reference, message);
  }
  if (held !== undefined)
    return depositNotice('deposit_review', t`Deposit under review: ${reference}`, reference, held);
  if (step.state === 'failed') {
    return depositNotice(
      'deposit_failed',
      t`Deposit failed: ${reference}`,
      reference,
      t`Your deposit of ${formatRounded(deposit.amount_micros)} failed because its payment was never confirmed. If you paid, open Query and write to support.`,
    );
  }
  return undefined;
}

/**
 * The member's notification when a deposit is put in review because its gateway can no longer be queried; undefined for
 * one without a payment.
 */
export function leftNotice(deposit: {
  readonly reference: string;
  readonly paid_micros: bigint | null;
}): Notice | undefined {
  if ((deposit.paid_micros ?? 0n) === 0n) return undefined;
  const { reference } = deposit;
  const message = t`The payment of deposit ${reference} was seen, but its payment gateway is no longer in use. Our team reviews the deposit and then notifies you.`;
  return depositNotice('deposit_review', t`Deposit under review: ${reference}`, reference, message);
}

const credited = (step: DepositStep) =>
  t`Your deposit of ${formatRounded(step.creditMicros)} was credited to your Primary Wallet.`;

/** Why money is held, also without a value in dollars; of several causes the first that applies. */
function heldText(deposit: DepositBefore, { creditMicros, holdMicros }: DepositStep, invoice: InvoiceView): string {
  const { reference, state, booked_micros } = deposit;
  const { mismatch, settledMicros, amountMicros, status } = invoice;
  const amount = holdMicros > 0n ? formatRounded(holdMicros) : t`A payment`;
  if (creditMicros > 0n || booked_micros > 0n)
    return t`${amount} arrived for deposit ${reference} after an earlier payment. ${WE_HOLD}`;
  if (mismatch !== undefined)
    return settledMicros > mismatch.heldMicros
      ? t`${amount} arrived for deposit ${reference} in more than one payment. ${WE_HOLD}`
      : t`${amount} arrived for deposit ${reference}, but not as its invoice asked, such as in another coin. ${WE_HOLD}`;
  if (status === 'Invalid')
    return t`${amount} arrived for deposit ${reference}, but the payment gateway reports the payment as invalid. ${WE_HOLD}`;
  if (state !== 'expired' && settledMicros < amountMicros)
    return t`${amount} arrived for deposit ${reference}, less than its amount. ${WE_HOLD}`;
  return t`${amount} arrived for deposit ${reference} after its invoice had expired. ${WE_HOLD}`;
}

const WE_HOLD = t`We hold it until our team has reviewed the deposit, and then notify you.`;

/** A notification about a deposit; the email adds its reference and the transaction of a refund. */
export const depositNotice = (
  kind: string,
  subject: string,
  reference: string,
  message: string,
  transaction?: string,
): Notice => ({
  kind,
  message,
  mail: {
    subject,
    text: `${[
      message,
      [t`Reference: ${reference}`, ...(transaction === undefined ? [] : [t`Transaction: ${transaction}`])].join('\n'),
    ].join('\n\n')}\n`,
  },
});

/**
 * The member's notification of a correction: $5 into the primary wallet for "Fee taken twice" reads *$5.00 was added to
 * your Primary Wallet: Fee taken twice*.
 */
export function correctionNotice(row: {
  readonly reference: string;
  readonly wallet: WalletType;
  readonly signedMicros: bigint;
  readonly reason: string;
}) {
  const { reference, wallet, signedMicros, reason } = row;
  const isGiven = signedMicros > 0n;
  const amount = formatDollars(isGiven ? signedMicros : -signedMicros);
  const name = walletNames[wallet];
  const message = isGiven
    ? t`${amount} was added to your ${name}: ${reason}`
    : t`${amount} was deducted from your ${name}: ${reason}`;
  return {
    kind: 'wallet_corrected',
    message,
    mail: {
      subject: t`Correction ${reference} of your ${name}`,
      text: `${message}\n\n${t`Reference: ${reference}`}\n\n${t`If you have questions, open Query and write to support.`}\n`,
    },
  };
}

/** Sent when withdrawals are stopped, by the member or by an operator. */
export const withdrawalsFrozenNotice = (supportEmail: string): Notice => ({
  kind: 'withdrawals_frozen',
  message: t`Withdrawals from your account were stopped. Open Query to write to support.`,
  mail: {
    subject: t`Withdrawals from your account were stopped`,
    text: `${t`Withdrawals from your account were stopped. Nothing is paid out, requested withdrawals wait, and the payout address cannot be changed. Everything else works as usual.`}\n\n${t`To have them released, write to ${supportEmail}.`}\n`,
  },
});

/** Sent when two operators have lifted the stop; other restrictions may still apply. */
export const withdrawalsReleasedNotice = (): Notice => ({
  kind: 'withdrawals_released',
  message: t`The stop of your withdrawals was lifted.`,
  mail: {
    subject: t`The stop of your withdrawals was lifted`,
    text: `${t`The stop of your withdrawals was lifted. Anything else that restricts them, such as the 24 hours after a change, stays in force.`}\n\n${t`If you did not ask for this, open Query and write to support.`}\n`,
  },
});
