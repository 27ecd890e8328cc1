import type { FeePlan } from '#contract/fee-plan.ts';
import type { FeePlanProposal } from '#contract/operator/fee-plans.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { DetailNotice, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { ProposalBadge } from '../kit/proposal-state.tsx';
import { ProposalStory } from '../kit/proposal-timeline.tsx';
import { useDecisions } from '../kit/use-decisions.tsx';
import { payers } from '../roles.ts';
import { ChangeList } from './change-list.tsx';
import { choiceOf, decisionWords, stateWords } from './decision-labels.ts';
import { DryRun } from './dry-run.tsx';
import classes from './fee-plans.module.css';
import { useDecide } from './queries.ts';

type ProposalDetailProps = {
  proposal: FeePlanProposal;
  /** Newest first. */
  plans: readonly FeePlan[];
  operator: Operator;
  onClose: () => void;
  onDecided: (proposal: FeePlanProposal) => void;
};

/** One proposed plan with all that a second admin needs: its differences, and what they would have come to. */
export function ProposalDetail({ proposal, plans, operator, onClose, onDecided }: ProposalDetailProps) {
  const base = plans.find(({ id }) => id === proposal.base_id);
  const isFollowed = plans[0]?.id !== proposal.base_id;
  const { decisions, note } = choiceOf(proposal, operator, isFollowed);
  const { buttons, dialog, changed } = useDecisions({
    decisions,
    version: proposal.version,
    wordsOf: (decision) => decisionWords(decision, proposal),
    mutation: useDecide(proposal.id),
    onDone: onDecided,
  });
  const isWaiting = proposal.state === 'proposed';
  return (
    <>
      <DetailPanel
        title={proposal.reference}
        kind="Proposed plan"
        badge={<ProposalBadge state={proposal.state}>{stateWords[proposal.state]}</ProposalBadge>}
        onClose={onClose}
        foot={
          note && (
            <>
              {buttons}
              <p>{note}</p>
            </>
          )
        }
      >
        {changed && (
          <DetailNotice>
            <Banner tone="amber">{changed}</Banner>
          </DetailNotice>
        )}
        {isWaiting && isFollowed && (
          <DetailNotice>
            <Banner tone="amber">
              Another plan was written since it was proposed. Propose it again from that one.
            </Banner>
          </DetailNotice>
        )}
        <DetailSection title={`Changes to plan no. ${proposal.base_id}`}>
          {base && <ChangeList from={base.terms} to={proposal.terms} />}
        </DetailSection>
        <DetailSection title="Note, which everybody reads">{proposal.reason}</DetailSection>
        {isWaiting && payers.includes(operator.role) && (
          <DetailSection title="On the last session">
            <div className={classes.run}>
              <DryRun terms={proposal.terms} />
            </div>
          </DetailSection>
        )}
        <ProposalStory proposal={proposal} />
      </DetailPanel>
      {dialog}
    </>
  );
}
