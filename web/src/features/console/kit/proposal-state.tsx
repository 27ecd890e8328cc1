import type { ReactNode } from 'react';
import type { ProposalState } from '#contract/operator/proposals.ts';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { proposalStateWords } from './proposals.ts';

const looks = {
  proposed: 'requested',
  posted: 'completed',
  rejected: 'rejected',
  withdrawn: 'cancelled',
} as const;

/** How a proposal stands, in other words where nothing is posted; its tones are those of a withdrawal in the same place. */
export const ProposalBadge = ({ state, children }: { state: ProposalState; children?: ReactNode }) => (
  <StateBadge of="withdrawal" state={looks[state]}>
    {children ?? proposalStateWords[state]}
  </StateBadge>
);
