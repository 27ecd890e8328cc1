import type { TreasuryMove } from '#contract/operator/proposals.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { CopyBox } from '../kit/copy-box.tsx';
import { DetailLead, DetailNotice, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { ProposalBadge } from '../kit/proposal-state.tsx';
import { ProposalStory } from '../kit/proposal-timeline.tsx';
import { choiceOf } from '../kit/proposals.ts';
import { useDecisions } from '../kit/use-decisions.tsx';
import { decisionWords, kindWords, sourceWords } from './labels.ts';
import { useDecide } from './queries.ts';

type MoveDetailProps = {
  move: TreasuryMove;
  operator: Operator;
  onClose: () => void;
  onDecided: (move: TreasuryMove) => void;
};

/** One move with all that a second operator needs. */
export function MoveDetail({ move, operator, onClose, onDecided }: MoveDetailProps) {
  const { decisions, note } = choiceOf(move, operator);
  const { buttons, dialog, changed } = useDecisions({
    decisions,
    version: move.version,
    wordsOf: (decision) => decisionWords(decision, move),
    mutation: useDecide(move.id),
    onDone: onDecided,
  });
  const { reference, state, kind, source, amount, reason, transaction } = move;
  return (
    <>
      <DetailPanel
        title={reference}
        kind="Treasury move"
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
          <Figure label={kindWords[kind]} size="xl" foot={source && `from ${sourceWords[source]}`}>
            <Money value={amount} />
          </Figure>
        </DetailLead>
        {changed && (
          <DetailNotice>
            <Banner tone="amber">{changed}</Banner>
          </DetailNotice>
        )}
        <DetailSection title="Reason">{reason}</DetailSection>
        <DetailSection title="Payment outside">
          <CopyBox value={transaction} what="transaction hash" />
        </DetailSection>
        <ProposalStory proposal={move} />
      </DetailPanel>
      {dialog}
    </>
  );
}
