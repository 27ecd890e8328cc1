import type { FeePlan } from '#contract/fee-plan.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { ChangeList } from './change-list.tsx';
import { PlanState } from './plan-state.tsx';

type PlanDetailProps = {
  plan: FeePlan;
  /** The one it followed; undefined of the first. */
  before: FeePlan | undefined;
  onClose: () => void;
};

/** One plan of the past or present, and what it changed. */
export function PlanDetail({ plan, before, onClose }: PlanDetailProps) {
  return (
    <DetailPanel title={`No. ${plan.id}`} kind="Plan" badge={<PlanState plan={plan} />} onClose={onClose}>
      <DetailSection title="Written">{formatDateTime(plan.created_at)}</DetailSection>
      <DetailSection title="Note">{plan.note}</DetailSection>
      <DetailSection title={before ? `Changes to plan no. ${before.id}` : 'Changes'}>
        {before ? <ChangeList from={before.terms} to={plan.terms} /> : 'It is the first.'}
      </DetailSection>
    </DetailPanel>
  );
}
