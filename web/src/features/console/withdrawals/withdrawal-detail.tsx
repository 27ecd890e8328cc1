import { useQuery } from '@tanstack/react-query';
import type { DeskWithdrawal } from '#contract/funds/review.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { walletNames } from '../../../entities/trade/labels.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatShortDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { StateBadge, stateWord } from '../../../ui/text/state-badge.tsx';
import { CheckList } from '../kit/check-list.tsx';
import { CopyBox } from '../kit/copy-box.tsx';
import { DetailLead, DetailNotice, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { DeskError } from '../kit/list-states.tsx';
import { MemberLink } from '../kit/member-link.tsx';
import { useDecisions } from '../kit/use-decisions.tsx';
import { approvalsOf, checksOf, countingApprovals } from './checks.ts';
import { choiceOf, decisionWords } from './decisions.ts';
import { useDecide, withdrawalQuery } from './queries.ts';

type WithdrawalDetailProps = { id: string; operator: Operator; onClose: () => void };

/** One withdrawal with all that a decision needs. */
export function WithdrawalDetail({ id, operator, onClose }: WithdrawalDetailProps) {
  const query = useQuery(withdrawalQuery(id));
  if (query.data) return <Loaded withdrawal={query.data} operator={operator} onClose={onClose} />;
  return (
    <DetailPanel title="Withdrawal" kind="" onClose={onClose}>
      {query.isError && <DeskError query={query} title="It could not be loaded" />}
    </DetailPanel>
  );
}

type LoadedProps = { withdrawal: DeskWithdrawal; operator: Operator; onClose: () => void };

function Loaded({ withdrawal, operator, onClose }: LoadedProps) {
  const { decisions, note } = choiceOf(withdrawal, operator);
  const { buttons, dialog, changed } = useDecisions({
    decisions,
    version: withdrawal.version,
    wordsOf: (decision) => decisionWords(decision, withdrawal),
    mutation: useDecide(withdrawal.id),
  });
  const { reference, state, amount, fee, net, network, address } = withdrawal;
  const approvals = approvalsOf(withdrawal, operator, decisions.includes('reject'));
  const wasPaid = state === 'completed' || state === 'sent';
  return (
    <>
      <DetailPanel
        title={reference}
        kind="Withdrawal"
        badge={<StateBadge of="withdrawal" state={state} />}
        onClose={onClose}
        foot={
          (buttons.length > 0 || note) && (
            <>
              {buttons}
              {note && <p>{note}</p>}
            </>
          )
        }
      >
        <DetailLead>
          <Figure
            label={wasPaid ? 'Paid out' : 'To pay out'}
            size="xl"
            foot={`${formatMoney(amount, 'typed')} less fee, ${formatMoney(fee, 'typed')}, from the ${walletNames[withdrawal.wallet_type]}`}
          >
            <Money value={net} />
          </Figure>
        </DetailLead>
        {changed && (
          <DetailNotice>
            <Banner tone="amber">{changed}</Banner>
          </DetailNotice>
        )}
        <DetailSection title={`To, network ${network}`}>
          <CopyBox value={address} what="address" />
        </DetailSection>
        <DetailSection title="Checks">
          <CheckList checks={checksOf(withdrawal)} />
        </DetailSection>
        {approvals.length > 0 && (
          <DetailSection title={`Approvals, ${countingApprovals(withdrawal)} of ${withdrawal.approvals_needed}`}>
            <CheckList checks={approvals} />
          </DetailSection>
        )}
        <DetailSection title="Member">
          <MemberLink member={withdrawal.member} />
        </DetailSection>
        <Payment withdrawal={withdrawal} />
        <DetailSection title="History, UTC">
          <KeyValues
            items={withdrawal.steps.map((step, index) => [
              `${index + 1}. ${stateWord(step.state)}${step.note ? `: ${step.note}` : ''}`,
              formatShortDateTime(step.at),
            ])}
          />
        </DetailSection>
      </DetailPanel>
      {dialog}
    </>
  );
}

function Payment({ withdrawal: { payout, transaction } }: { withdrawal: DeskWithdrawal }) {
  if (payout === null && transaction === null) return null;
  const facts: [string, string][] = [];
  if (payout !== null)
    facts.push(['Way', payout.way === 'hand' ? 'By hand' : `Gateway ${payout.gateway ?? ''}`.trim()]);
  if (payout?.payout_id) facts.push(['Payout', payout.payout_id]);
  if (payout?.started_at) facts.push(['Begun, UTC', formatShortDateTime(payout.started_at)]);
  return (
    <DetailSection title="Payment">
      {facts.length > 0 && <KeyValues items={facts} />}
      {transaction !== null && <CopyBox value={transaction} what="transaction hash" />}
    </DetailSection>
  );
}
