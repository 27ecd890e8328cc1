import type { TreasuryMove } from '#contract/console-proposals.ts';
import type { Operator } from '../../../shared/operator-state.ts';
import { Banner } from '../../../shared/ui/banner.tsx';
import { Figure } from '../../../shared/ui/figure.tsx';
import { Money } from '../../../shared/ui/money.tsx';
import { CopyBox } from '../shell/copy-box.tsx';
import { DetailLead, DetailNotice, DetailPanel, DetailSection } from '../shell/detail-panel.tsx';
import { ProposalBadge } from '../shell/proposal-state.tsx';
import { ProposalStory } from '../shell/proposal-story.tsx';
import { choiceOf } from '../shell/proposals.ts';
import { useDecisions } from '../shell/use-decisions.tsx';
import { useDecide } from './queries.ts';
import { decisionWords, kindWords, sourceWords } from './words.ts';

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
