import type { Adjustment } from '#contract/operator/proposals.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { walletNames } from '../../../entities/trade/labels.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { SignedMoney } from '../../../ui/text/money.tsx';
import { DetailLead, DetailNotice, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { MemberLink } from '../kit/member.tsx';
import { ProposalBadge } from '../kit/proposal-state.tsx';
import { ProposalStory } from '../kit/proposal-timeline.tsx';
import { choiceOf } from '../kit/proposals.ts';
import { useDecisions } from '../kit/use-decisions.tsx';
import { decisionWords } from './decision-labels.ts';
import { useDecide } from './queries.ts';

type AdjustmentDetailProps = {
  adjustment: Adjustment;
  operator: Operator;
  onClose: () => void;
  onDecided: (adjustment: Adjustment) => void;
};

/** One correction with all that a second operator needs. */
export function AdjustmentDetail({ adjustment, operator, onClose, onDecided }: AdjustmentDetailProps) {
  const { decisions, note } = choiceOf(adjustment, operator);
  const { buttons, dialog, changed } = useDecisions({
    decisions,
    version: adjustment.version,
    wordsOf: (decision) => decisionWords(decision, adjustment),
    mutation: useDecide(adjustment.id),
    onDone: onDecided,
  });
  const { reference, state, amount, wallet_type, member, reason, evidence } = adjustment;
  return (
    <>
      <DetailPanel
        title={reference}
        kind="Adjustment"
        badge={<ProposalBadge state={state} />}
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
        <DetailLead>
          <Figure label={walletNames[wallet_type]} size="xl">
            <SignedMoney value={amount} plain />
          </Figure>
        </DetailLead>
        {changed && (
          <DetailNotice>
            <Banner tone="amber">{changed}</Banner>
          </DetailNotice>
        )}
        <DetailSection title="Member">
          <MemberLink member={member} />
        </DetailSection>
        <DetailSection title="Reason, which the member reads">{reason}</DetailSection>
        <DetailSection title="Where the facts are">{evidence}</DetailSection>
        <ProposalStory proposal={adjustment} />
      </DetailPanel>
      {dialog}
    </>
  );
}
