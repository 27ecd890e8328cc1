import type { Proposal, ProposalState } from '#contract/operator/proposals.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { payers } from '../roles.ts';

/** What can be done about something that one operator proposed and another has to approve. */
export type Decision = 'approve' | 'reject' | 'withdraw';

export const proposalStates = [
  'proposed',
  'posted',
  'rejected',
  'withdrawn',
] as const satisfies readonly ProposalState[];

export const proposalStateWords: Record<ProposalState, string> = {
  proposed: 'To approve',
  posted: 'Posted',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
};

export const isProposalState = (state: string | null): state is ProposalState =>
  (proposalStates as readonly (string | null)[]).includes(state);

export const PROPOSER_LEFT =
  'It does not count any more: whoever proposed it was disabled or given another role. Propose it anew.';

/** Nobody approves what they proposed themselves; the server decides again. */
export function choiceOf(
  { state, proposed_by, proposer_counts }: Pick<Proposal, 'state' | 'proposed_by' | 'proposer_counts'>,
  operator: Operator,
): { decisions: readonly Decision[]; note: string } {
  if (state !== 'proposed') return { decisions: [], note: '' };
  if (!payers.includes(operator.role)) return { decisions: [], note: 'Finance and admins decide.' };
  const isOwn = proposed_by.id === operator.id;
  if (!proposer_counts) return { decisions: [isOwn ? 'withdraw' : 'reject'], note: PROPOSER_LEFT };
  return isOwn
    ? { decisions: ['withdraw'], note: 'You proposed it. A second operator has to approve it.' }
    : { decisions: ['reject', 'approve'], note: 'Approving posts it at once.' };
}
