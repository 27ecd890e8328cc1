import type { FeePlan } from '#contract/fee-plan.ts';
import { StateBadge } from '../../../ui/text/state-badge.tsx';

const looks = { current: 'open', next: 'queued', past: 'settled' } as const;
const words = { current: 'In force', next: 'Next session', past: 'Past' } as const;

/** Whether trades pay it now, from the next opening on, or not any more. */
export const PlanState = ({ plan: { state } }: { plan: FeePlan }) => (
  <StateBadge of="trade" state={looks[state]}>
    {words[state]}
  </StateBadge>
);
