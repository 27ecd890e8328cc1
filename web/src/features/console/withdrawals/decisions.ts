import type { BodyInOf } from '#contract/endpoint.ts';
import { operatorPayouts } from '#contract/endpoints.ts';
import type { OperatorWithdrawal } from '#contract/funds/review.ts';
import { call } from '../../../api/call.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { walletNames } from '../../../entities/trade/labels.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import type { Decision } from '../kit/decisions.tsx';
import { financeRoles } from '../roles.ts';

export type Action =
  | 'approve'
  | 'reject'
  | 'claim'
  | 'release'
  | 'sent'
  | 'complete'
  | 'fail'
  | 'resolve_sent'
  | 'resolve_completed'
  | 'resolve_failed';

/** This operator's actions on a withdrawal now, and a sentence on what is not possible, or what follows. */
type Choice = { actions: readonly Action[]; note: string };

export const hasApproved = (withdrawal: OperatorWithdrawal, operator: Operator): boolean =>
  withdrawal.approvals.some((approval) => approval.counts && approval.operator_id === operator.id);

/**
 * The server checks the same again (contract/funds/review.ts). The first of two approvers may finish only if one
 * approval is enough by now. An approval does not count if its operator was disabled or changed role: an approved
 * withdrawal then needs another.
 *
 * Requested, two needed, mine given: only `reject`. Approved and claimed by me: `release`, `sent`.
 */
export function choiceOf(withdrawal: OperatorWithdrawal, operator: Operator): Choice {
  if (!financeRoles.includes(operator.role)) return { actions: [], note: 'Only finance and admins decide.' };
  const { state, payout } = withdrawal;
  switch (state) {
    case 'requested':
      return !hasApproved(withdrawal, operator) || withdrawal.approvals_missing === 0
        ? { actions: ['reject', 'approve'], note: 'The member sees the reason of a rejection.' }
        : { actions: ['reject'], note: 'You approved it. A second operator has to approve it too.' };
    case 'approved':
      if (payout === null && withdrawal.approvals_missing > 0) {
        return {
          actions: hasApproved(withdrawal, operator) ? ['reject'] : ['reject', 'approve'],
          note: 'An approval is no longer valid. Another operator has to approve it before it is paid.',
        };
      }
      if (payout === null) {
        return {
          actions: ['reject', 'claim'],
          note: withdrawal.gateway_can_pay
            ? 'The gateway pays it automatically unless an operator claims it.'
            : 'The gateway does not support this network. An operator has to claim and pay it.',
        };
      }
      if (payout.way === 'gateway') return { actions: [], note: 'The gateway is paying it.' };
      if (payout.operator_id === operator.id)
        return { actions: ['release', 'sent'], note: 'You claimed it. Nobody else can pay it.' };
      return payout.abandoned
        ? {
            actions: ['release', 'sent'],
            note: 'The operator who claimed it can no longer pay it. Check whether it was paid, and release it only if it was not.',
          }
        : { actions: [], note: 'Another operator claimed it for manual payment.' };
    case 'sent':
      // A payout without a gateway id is never polled, even if an operator found out that it was sent.
      return payout?.payout_id === null
        ? { actions: ['fail', 'complete'], note: 'Complete it when the network has confirmed the payment.' }
        : { actions: [], note: 'It completes when the network confirms the payment.' };
    case 'uncertain':
      return {
        actions: ['resolve_failed', 'resolve_sent', 'resolve_completed'],
        note: payout?.payout_id
          ? 'The gateway lost this payout, failed it after a transaction, or reports it differently than ordered. Compare its address, coin and amount with the order first.'
          : 'The outcome is unknown. Check the gateway first.',
      };
    default:
      return { actions: [], note: '' };
  }
}

const hash = 'Of the payment, as the network shows it.';
const toMember = 'Visible to the member.';

export function decisionsOf(withdrawal: OperatorWithdrawal): Record<Action, Decision<OperatorWithdrawal>> {
  const { id, reference, member, network, wallet_type, approvals_missing } = withdrawal;
  const [amount, net] = [formatMoney(withdrawal.amount, 'typed'), formatMoney(withdrawal.net)];
  const back = `${amount} goes back to the ${walletNames[wallet_type]} of ${member.name}.`;
  const confirmed = `The network has confirmed ${net}. The hold is released and the fee is charged.`;
  const of = (button: string, title = `${button} ${reference}`) => ({ button, title });
  const isLast = approvals_missing <= 1;
  const params = { id };
  const resolve = (body: BodyInOf<typeof operatorPayouts.resolveWithdrawal>) =>
    call(operatorPayouts.resolveWithdrawal, { params, body });
  return {
    approve: {
      ...of('Approve'),
      text: isLast
        ? `${net} is paid to ${member.name} on ${network} next.`
        : `This is the first of two approvals. ${net} is paid to ${member.name} once a second operator approves it.`,
      busy: 'Approving',
      otp: true,
      done: isLast ? 'Withdrawal approved' : 'First approval given',
      send: ({ otp }, version) => call(operatorPayouts.approveWithdrawal, { params, body: { version, otp } }),
    },
    reject: {
      ...of('Reject'),
      text: `Nothing is paid. ${back}`,
      busy: 'Rejecting',
      danger: true,
      reason: toMember,
      done: 'Withdrawal rejected',
      send: ({ reason }, version) => call(operatorPayouts.rejectWithdrawal, { params, body: { version, reason } }),
    },
    claim: {
      ...of('Claim for manual payment', `Claim ${reference} for manual payment`),
      text: `You pay ${net} to the address yourself. From now on nobody else can pay it.`,
      confirm: 'Claim payout',
      busy: 'Claiming',
      otp: true,
      done: 'Payout claimed',
      send: ({ otp }, version) => call(operatorPayouts.takeWithdrawal, { params, body: { version, otp } }),
    },
    release: {
      ...of('Release claim', `Release ${reference}`),
      text: 'Only if you did not pay it. The gateway or another operator can pay it then.',
      confirm: 'Release unpaid claim',
      busy: 'Releasing',
      done: 'Claim released',
      send: (_, version) => call(operatorPayouts.returnWithdrawal, { params, body: { version } }),
    },
    sent: {
      ...of('Mark as sent', `Mark ${reference} as sent`),
      text: `You paid ${net}. The member sees the transaction hash.`,
      transaction: hash,
      done: 'Marked as sent',
      send: ({ transaction }, version) =>
        call(operatorPayouts.sendWithdrawal, { params, body: { version, transaction } }),
    },
    complete: {
      ...of('Complete'),
      text: confirmed,
      busy: 'Completing',
      otp: true,
      done: 'Withdrawal completed',
      send: ({ otp }, version) => call(operatorPayouts.completeWithdrawal, { params, body: { version, otp } }),
    },
    fail: {
      ...of('Mark as returned', `Mark ${reference} as returned`),
      text: `Only if the full payment came back. ${back}`,
      danger: true,
      reason: toMember,
      otp: true,
      done: 'Marked as failed',
      send: ({ reason, otp }, version) =>
        call(operatorPayouts.failWithdrawal, { params, body: { version, reason, otp } }),
    },
    resolve_sent: {
      ...of('Mark as sent', `Mark ${reference} as sent`),
      text: `The gateway shows that ${net} was sent. Complete it once the network has confirmed the payment.`,
      transaction: hash,
      otp: true,
      done: 'Marked as sent',
      send: ({ transaction, otp }, version) => resolve({ outcome: 'sent', version, transaction, otp }),
    },
    resolve_completed: {
      ...of('Complete'),
      text: confirmed,
      busy: 'Completing',
      transaction: hash,
      otp: true,
      done: 'Withdrawal completed',
      send: ({ transaction, otp }, version) => resolve({ outcome: 'completed', version, transaction, otp }),
    },
    resolve_failed: {
      ...of('Mark as not sent', `Mark ${reference} as not sent`),
      text: `Only if the gateway shows that nothing was sent. ${back}`,
      danger: true,
      reason: toMember,
      otp: true,
      done: 'Marked as failed',
      send: ({ reason, otp }, version) => resolve({ outcome: 'failed', version, reason, otp }),
    },
  };
}
