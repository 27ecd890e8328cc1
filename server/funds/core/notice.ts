import { formatRounded } from '#contract/format-dollars.ts';
import type { DepositState } from '#contract/funds/deposits.ts';
import type { DepositStep } from './follow-invoice.ts';

export type Notice = {
  readonly kind: string;
  readonly message: string;
  readonly mail: { readonly subject: string; readonly text: string };
};

/**
 * What the member hears of a step, in the drawer and by mail; undefined for steps nobody waits for. A deposit of
 * $1,000 that settled reads "Your deposit of $1,000.00 was credited to your Primary Wallet."
 */
export function noticeOf(
  deposit: { readonly reference: string; readonly state: DepositState; readonly amount_micros: bigint },
  step: DepositStep,
): Notice | undefined {
  const { reference } = deposit;
  if (step.creditMicros > 0n) return notice('deposit_credited', 'Deposit credited', reference, credited(step));
  if (step.isTakenBack) {
    const message = `The payment gateway took back the payment of deposit ${reference}. Your account is frozen until our team has looked into it.`;
    return notice('deposit_taken_back', 'Deposit taken back', reference, message);
  }
  if (step.holdMicros > 0n) {
    const message = `${formatRounded(step.holdMicros)} arrived for deposit ${reference}, late or not as asked for. It is kept safe until our team has decided, and you will hear from us.`;
    return notice('deposit_review', 'Deposit under review', reference, message);
  }
  if (step.state === 'failed') {
    return notice(
      'deposit_failed',
      'Deposit failed',
      reference,
      `Your deposit of ${formatRounded(deposit.amount_micros)} failed: its payment was never confirmed.`,
    );
  }
  return undefined;
}

const credited = (step: DepositStep) =>
  `Your deposit of ${formatRounded(step.creditMicros)} was credited to your Primary Wallet.`;

const notice = (kind: string, title: string, reference: string, message: string): Notice => ({
  kind,
  message,
  mail: { subject: `${title}: ${reference}`, text: `${message}\n\nReference: ${reference}` },
});
