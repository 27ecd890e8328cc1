import type { DeskDeposit } from '#contract/funds/review.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import type { DecisionWords } from '../kit/use-decisions.tsx';
import { payers } from '../roles.ts';

export type Decision = 'credit' | 'refund' | 'reject';
type Choice = { decisions: readonly Decision[]; note: string };

/** Held money is credited or sent back; only what holds nothing can be closed (contract/funds/review.ts). */
export function choiceOf(deposit: DeskDeposit, operator: Operator): Choice {
  if (deposit.state !== 'review') return { decisions: [], note: '' };
  if (!payers.includes(operator.role)) return { decisions: [], note: 'Finance and admins decide.' };
  return deposit.held > 0
    ? { decisions: ['refund', 'credit'], note: 'Both take a code of your authenticator app.' }
    : { decisions: ['reject'], note: 'Nothing is held of it, so it can only be closed.' };
}

const reason = { label: 'Reason', hint: 'The member reads it.' };

export function decisionWords(decision: Decision, { reference, held, member }: DeskDeposit): DecisionWords {
  const amount = formatMoney(held, 'typed');
  switch (decision) {
    case 'credit':
      return {
        button: 'Credit',
        title: `Credit ${reference}`,
        text: `${amount} goes to the Primary Wallet of ${member.name}.`,
        confirm: 'Credit',
        busy: 'Crediting',
        reason,
        otp: true,
        done: 'Credited',
      };
    case 'refund':
      return {
        button: 'Sent back',
        title: `${reference} was sent back`,
        text: `You sent ${amount} back at the gateway. Nothing is credited to ${member.name}.`,
        confirm: 'It was sent back',
        busy: 'Saving',
        danger: true,
        reason,
        transaction: { hint: 'Of the payment back, as its network shows it.' },
        otp: true,
        done: 'Sent back',
      };
    case 'reject':
      return {
        button: 'Reject',
        title: `Reject ${reference}`,
        text: `Nothing is held of it and nothing is credited to ${member.name}. It is closed.`,
        confirm: 'Reject',
        busy: 'Rejecting',
        danger: true,
        reason,
        done: 'Rejected',
      };
  }
}
