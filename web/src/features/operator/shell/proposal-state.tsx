import type { ProposalState } from '#contract/console-proposals.ts';
import { StateBadge } from '../../../shared/ui/state-badge.tsx';
import { proposalStateWords } from './proposals.ts';

const looks = {
  proposed: 'requested',
  posted: 'completed',
  rejected: 'rejected',
  withdrawn: 'cancelled',
} as const;

/** How a proposal stands; its tones are those of a withdrawal in the same place. */
export const ProposalBadge = ({ state }: { state: ProposalState }) => (
  <StateBadge of="withdrawal" state={looks[state]}>
    {proposalStateWords[state]}
  </StateBadge>
);
