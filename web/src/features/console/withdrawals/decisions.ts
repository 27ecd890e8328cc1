import type { DeskWithdrawal } from '#contract/funds/review.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { walletNames } from '../../../entities/trade/labels.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import type { DecisionWords } from '../kit/use-decisions.tsx';
import { payers } from '../roles.ts';

export type Decision =
  | 'approve'
  | 'reject'
  | 'take'
  | 'return'
  | 'sent'
  | 'complete'
  | 'fail'
  | 'resolve_sent'
  | 'resolve_completed'
  | 'resolve_failed';

/** What this operator can decide about a withdrawal now, and a sentence about what they cannot, or what follows. */
export type Choice = { decisions: readonly Decision[]; note: string };

const isOwn = (withdrawal: DeskWithdrawal, operator: Operator): boolean =>
  withdrawal.payout?.operator_id === operator.id;

export const hasApproved = (withdrawal: DeskWithdrawal, operator: Operator): boolean =>
  withdrawal.approvals.some((approval) => approval.counts && approval.operator_id === operator.id);

/**
 * The server decides again; this keeps from the screen what it would refuse (contract/funds/review.ts). Somebody who
 * gave the first of two approvals may finish only when one is enough by now. An approval whose operator was disabled or
 * has another role does not count: also an approved one waits for another then.
 *
 * Requested, two needed, mine given: only `reject`. Approved and taken by me: `return`, `sent`.
 */
export function choiceOf(withdrawal: DeskWithdrawal, operator: Operator): Choice {
  if (!payers.includes(operator.role)) return { decisions: [], note: 'Finance and admins decide.' };
  const { state, payout } = withdrawal;
  switch (state) {
    case 'requested': {
      const mayApprove = !hasApproved(withdrawal, operator) || withdrawal.approvals_missing === 0;
      return mayApprove
        ? { decisions: ['reject', 'approve'], note: 'Rejecting asks for a reason the member will read.' }
        : { decisions: ['reject'], note: 'You approved it. A second operator has to.' };
    }
    case 'approved':
      if (payout === null && withdrawal.approvals_missing > 0) {
        return {
          decisions: hasApproved(withdrawal, operator) ? ['reject'] : ['reject', 'approve'],
          note: 'An approval does not count any more. It is paid once another operator approves it.',
        };
      }
      if (payout === null) {
        return {
          decisions: ['reject', 'take'],
          note: withdrawal.gateway_can_pay
            ? 'The gateway pays it by itself, unless somebody takes it.'
            : 'The gateway cannot pay to this network: somebody has to take it.',
        };
      }
      if (payout.way === 'gateway') return { decisions: [], note: 'The gateway is paying it.' };
      return isOwn(withdrawal, operator)
        ? { decisions: ['return', 'sent'], note: 'You took it. Nobody else and nothing else pays it.' }
        : { decisions: [], note: 'A colleague took it to pay it by hand.' };
    case 'sent':
      return payout?.way === 'hand'
        ? { decisions: ['fail', 'complete'], note: 'Complete it when its network has confirmed the payment.' }
        : { decisions: [], note: 'It is completed when its network confirms the payment.' };
    case 'uncertain':
      return {
        decisions: ['resolve_failed', 'resolve_sent', 'resolve_completed'],
        note: 'Look at the gateway first: nobody knows whether this payment left.',
      };
    default:
      return { decisions: [], note: '' };
  }
}

const hashHint = 'Of the payment, as its network shows it.';
const readByMember = { label: 'Reason', hint: 'The member reads it.' };

export function decisionWords(decision: Decision, withdrawal: DeskWithdrawal): DecisionWords {
  const { reference, member } = withdrawal;
  const [amount, net] = [formatMoney(withdrawal.amount, 'typed'), formatMoney(withdrawal.net)];
  const back = `${amount} goes back to the ${walletNames[withdrawal.wallet_type]} of ${member.name}.`;
  switch (decision) {
    case 'approve': {
      const isLast = withdrawal.approvals_missing <= 1;
      return {
        button: 'Approve',
        title: `Approve ${reference}`,
        text: isLast
          ? `${net} is paid to ${member.name} on ${withdrawal.network} next.`
          : `Yours is the first of two approvals. ${net} is paid to ${member.name} once a second operator approves it.`,
        confirm: 'Approve',
        busy: 'Approving',
        otp: true,
        done: isLast ? 'Approved' : 'First approval given',
      };
    }
    case 'reject':
      return {
        button: 'Reject',
        title: `Reject ${reference}`,
        text: `Nothing is paid. ${back}`,
        confirm: 'Reject',
        busy: 'Rejecting',
        danger: true,
        reason: readByMember,
        done: 'Rejected',
      };
    case 'take':
      return {
        button: 'Pay by hand',
        title: `Take ${reference}`,
        text: `You pay ${net} to the address by hand. From now on nobody else and nothing else pays it.`,
        confirm: 'Take it',
        busy: 'Taking',
        otp: true,
        done: 'Taken',
      };
    case 'return':
      return {
        button: 'Give back',
        title: `Give ${reference} back`,
        text: 'Only if you did not pay it. The gateway or a colleague pays it then.',
        confirm: 'I did not pay it',
        busy: 'Giving back',
        done: 'Given back',
      };
    case 'sent':
      return {
        button: 'I paid it',
        title: `${reference} was sent`,
        text: `You paid ${net}. The member reads the hash.`,
        confirm: 'It was sent',
        busy: 'Saving',
        transaction: { hint: hashHint },
        done: 'Sent',
      };
    case 'complete':
      return {
        button: 'It has arrived',
        title: `Complete ${reference}`,
        text: `The network has confirmed ${net}. The hold is paid out and the fee taken.`,
        confirm: 'Complete',
        busy: 'Completing',
        otp: true,
        done: 'Completed',
      };
    case 'fail':
      return {
        button: 'It came back',
        title: `${reference} failed`,
        text: `Only if the payment came back whole. ${back}`,
        confirm: 'It came back',
        busy: 'Saving',
        danger: true,
        reason: readByMember,
        otp: true,
        done: 'Failed',
      };
    case 'resolve_sent':
      return {
        button: 'It was sent',
        title: `${reference} was sent`,
        text: `The gateway shows that ${net} left. It is completed when its network confirms it.`,
        confirm: 'It was sent',
        busy: 'Saving',
        transaction: { hint: hashHint },
        otp: true,
        done: 'Sent',
      };
    case 'resolve_completed':
      return {
        button: 'It has arrived',
        title: `${reference} has arrived`,
        text: `The network has confirmed ${net}. The hold is paid out and the fee taken.`,
        confirm: 'It has arrived',
        busy: 'Saving',
        transaction: { hint: hashHint },
        otp: true,
        done: 'Completed',
      };
    case 'resolve_failed':
      return {
        button: 'It never left',
        title: `${reference} never left`,
        text: `Only if the gateway shows that nothing was sent. ${back}`,
        confirm: 'It never left',
        busy: 'Saving',
        danger: true,
        reason: readByMember,
        otp: true,
        done: 'Failed',
      };
  }
}
