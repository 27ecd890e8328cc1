import type { Plan } from '#contract/trading/plan.ts';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { stateReasonWords } from './plan-labels.ts';

/** The state of a plan; of a paused one with the reason in words. */
export function PlanState({ plan }: { plan: Plan }) {
  return (
    <>
      <StateBadge of="plan" state={plan.state} />
      {plan.state_reason !== null && <small>{stateReasonWords[plan.state_reason]}</small>}
    </>
  );
}
