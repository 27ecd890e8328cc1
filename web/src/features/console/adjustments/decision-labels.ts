import type { Adjustment } from '#contract/operator/proposals.ts';
import { walletNames } from '../../../entities/trade/labels.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import type { Decision } from '../kit/proposals.ts';
import type { DecisionWords } from '../kit/use-decisions.tsx';

/** `$5.00 goes into the Primary Wallet of Lena Hoffmann`. */
export function whatMoves({
  amount,
  wallet_type,
  member,
}: Pick<Adjustment, 'amount' | 'wallet_type' | 'member'>): string {
  const way = amount > 0 ? 'goes into' : 'is taken out of';
  return `${formatMoney(Math.abs(amount), 'typed')} ${way} the ${walletNames[wallet_type]} of ${member.name}`;
}

export function decisionWords(decision: Decision, adjustment: Adjustment): DecisionWords {
  const { reference } = adjustment;
  switch (decision) {
    case 'approve':
      return {
        button: 'Approve',
        title: `Approve ${reference}`,
        text: `${whatMoves(adjustment)}, at once. The member is told, with the reason.`,
        confirm: 'Approve',
        busy: 'Posting',
        otp: true,
        done: 'Posted',
      };
    case 'reject':
      return {
        button: 'Reject',
        title: `Reject ${reference}`,
        text: 'Nothing moves.',
        confirm: 'Reject',
        busy: 'Rejecting',
        danger: true,
        reason: { label: 'Reason', hint: 'Operators read it.' },
        done: 'Rejected',
      };
    case 'withdraw':
      return {
        button: 'Withdraw',
        title: `Withdraw ${reference}`,
        text: 'You take back what you proposed. Nothing moves.',
        confirm: 'Withdraw it',
        busy: 'Saving',
        danger: true,
        done: 'Withdrawn',
      };
  }
}
