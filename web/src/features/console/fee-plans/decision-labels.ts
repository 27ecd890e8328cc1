import type { FeePlanProposal } from '#contract/operator/fee-plans.ts';
import type { ProposalState } from '#contract/operator/proposals.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { type Decision, PROPOSER_LEFT } from '../kit/proposals.ts';
import type { DecisionWords } from '../kit/use-decisions.tsx';

export const stateWords: Record<ProposalState, string> = {
  proposed: 'To approve',
  posted: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
};

/** Nobody approves what they proposed themselves, or what was compared with another plan than the newest. */
export function choiceOf(
  { state, proposed_by, proposer_counts }: FeePlanProposal,
  operator: Operator,
  isFollowed: boolean,
): { decisions: readonly Decision[]; note: string } {
  if (state !== 'proposed') return { decisions: [], note: '' };
  if (operator.role !== 'admin') return { decisions: [], note: 'Admins decide.' };
  const isOwn = proposed_by.id === operator.id;
  if (!proposer_counts) return { decisions: [isOwn ? 'withdraw' : 'reject'], note: PROPOSER_LEFT };
  if (isOwn) {
    return { decisions: ['withdraw'], note: 'You proposed it. A second admin has to approve it.' };
  }
  return isFollowed
    ? { decisions: ['reject'], note: 'Only a proposal that follows the newest plan can be approved.' }
    : { decisions: ['reject', 'approve'], note: 'The next session that opens takes it.' };
}

export function decisionWords(decision: Decision, { reference, proposed_by }: FeePlanProposal): DecisionWords {
  switch (decision) {
    case 'approve':
      return {
        button: 'Approve',
        title: `Approve ${reference}`,
        text: `The plan of ${proposed_by.name} is written and stays: it is in force from the next session that opens, and everybody reads it on the fee page until then.`,
        confirm: 'Approve',
        busy: 'Writing',
        otp: true,
        done: 'The plan is written',
      };
    case 'reject':
      return {
        button: 'Reject',
        title: `Reject ${reference}`,
        text: 'No plan is written, and fees stay as they are.',
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
        text: 'You take back what you proposed; no plan is written.',
        confirm: 'Withdraw it',
        busy: 'Saving',
        danger: true,
        done: 'Withdrawn',
      };
  }
}
