import type { RevenueAccount, TreasuryKind, TreasuryMove } from '#contract/operator/proposals.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import type { Decision } from '../kit/proposals.ts';
import type { DecisionWords } from '../kit/use-decisions.tsx';

/**
 * The moves of docs/product.md, section 2: between gateway and venue, capital of the owner, revenue that is taken out.
 */
export const kindWords: Record<TreasuryKind, string> = {
  venue_fund: 'Gateway to venue',
  venue_return: 'Venue to gateway',
  capital_in: 'Capital paid in',
  revenue_out: 'Revenue taken out',
};

export const sourceWords: Record<RevenueAccount, string> = {
  fee_revenue: 'Fee revenue',
  withdrawal_fees: 'Withdrawal fees',
};

export function decisionWords(decision: Decision, { reference, kind, amount, source }: TreasuryMove): DecisionWords {
  const what = `${kindWords[kind]}${source ? `, ${sourceWords[source].toLowerCase()}` : ''}: ${formatMoney(amount, 'typed')}`;
  switch (decision) {
    case 'approve':
      return {
        button: 'Approve',
        title: `Approve ${reference}`,
        text: `${what}. You have seen the payment outside; it is booked at once.`,
        confirm: 'Approve',
        busy: 'Booking',
        otp: true,
        done: 'Booked',
      };
    case 'reject':
      return {
        button: 'Reject',
        title: `Reject ${reference}`,
        text: `${what}. Nothing is booked.`,
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
        text: `${what}. You take back what you recorded; nothing is booked.`,
        confirm: 'Withdraw it',
        busy: 'Saving',
        danger: true,
        done: 'Withdrawn',
      };
  }
}
