import { useQuery } from '@tanstack/react-query';
import type { DeskDeposit } from '#contract/funds/review.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { CopyBox } from '../kit/copy-box.tsx';
import { DetailLead, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { Flag } from '../kit/flag.tsx';
import { DeskError } from '../kit/list-table.tsx';
import { MemberLink } from '../kit/member.tsx';
import { type DecisionWords, useDecisions } from '../kit/use-decisions.tsx';
import { payers } from '../roles.ts';
import { depositQuery, flagOf, useDecide } from './queries.ts';

type DepositDetailProps = { id: string; operator: Operator; onClose: () => void };

/** One deposit with all that a decision needs. */
export function DepositDetail({ id, operator, onClose }: DepositDetailProps) {
  const query = useQuery(depositQuery(id));
  if (query.data) return <Loaded deposit={query.data} operator={operator} onClose={onClose} />;
  return (
    <DetailPanel title="Deposit" kind="" onClose={onClose}>
      {query.isError && <DeskError query={query} title="It could not be loaded" />}
    </DetailPanel>
  );
}

type LoadedProps = { deposit: DeskDeposit; operator: Operator; onClose: () => void };

function Loaded({ deposit, operator, onClose }: LoadedProps) {
  const { decisions, note } = choiceOf(deposit, operator);
  const { buttons, dialog, changed } = useDecisions({
    decisions,
    version: deposit.version,
    wordsOf: (decision) => decisionWords(decision, deposit),
    mutation: useDecide(deposit.id),
  });
  const { state, amount, held } = deposit;
  const flag = flagOf(deposit);
  const isHeld = state === 'review';
  return (
    <>
      <DetailPanel
        title={deposit.reference}
        kind="Deposit"
        badge={<StateBadge of="deposit" state={state} />}
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
          <Figure
            label={isHeld ? 'Held until it is decided' : 'Credited'}
            size="xl"
            foot={`${formatMoney(amount, 'typed')} was to be paid`}
          >
            <Money value={isHeld ? held : deposit.credited} />
          </Figure>
          {flag && <Flag>{flag}</Flag>}
        </DetailLead>
        {changed && (
          <DetailLead>
            <Banner tone="amber">{changed}</Banner>
          </DetailLead>
        )}
        <DetailSection title="Member">
          <MemberLink member={deposit.member} />
        </DetailSection>
        <DetailSection title="Payment">
          <KeyValues items={factsOf(deposit)} />
        </DetailSection>
        {deposit.transaction !== null && (
          <DetailSection title="Transaction">
            <CopyBox value={deposit.transaction} what="transaction hash" />
          </DetailSection>
        )}
        {deposit.note !== null && <DetailSection title="Note">{deposit.note}</DetailSection>}
      </DetailPanel>
      {dialog}
    </>
  );
}

const factsOf = (deposit: DeskDeposit) =>
  [
    ['Gateway', deposit.gateway],
    ['Invoice', deposit.invoice_id === null ? '–' : <CodeText key="invoice">{deposit.invoice_id}</CodeText>],
    ['Currency', deposit.currency],
    ['Credited', formatMoney(deposit.credited)],
    ['Sent back', formatMoney(deposit.refunded)],
    ['Created', formatDateTime(deposit.created_at)],
    ['To be paid until', formatDateTime(deposit.expires_at)],
    ['Changed', formatDateTime(deposit.updated_at)],
  ] as const;

export type Decision = 'credit' | 'refund' | 'reject';
type Choice = { decisions: readonly Decision[]; note: string };

/** Held money is credited or sent back; only what holds nothing can be closed (contract/funds/review.ts). */
function choiceOf(deposit: DeskDeposit, operator: Operator): Choice {
  if (deposit.state !== 'review') return { decisions: [], note: '' };
  if (!payers.includes(operator.role)) return { decisions: [], note: 'Finance and admins decide.' };
  return deposit.held > 0
    ? { decisions: ['refund', 'credit'], note: 'Both take a code of your authenticator app.' }
    : { decisions: ['reject'], note: 'Nothing is held of it, so it can only be closed.' };
}

const reason = { label: 'Reason', hint: 'The member reads it.' };

function decisionWords(decision: Decision, { reference, held, member }: DeskDeposit): DecisionWords {
  const amount = formatMoney(held, 'typed');
  switch (decision) {
    case 'credit':
      return {
        button: 'Credit',
        title: `Credit ${reference}`,
        text: `${amount} goes to the Primary Wallet of ${member.name}.`,
        confirm: 'Credit',
        busy: 'Crediting',
        reason,
        otp: true,
        done: 'Credited',
      };
    case 'refund':
      return {
        button: 'Sent back',
        title: `${reference} was sent back`,
        text: `You sent ${amount} back at the gateway. Nothing is credited to ${member.name}.`,
        confirm: 'It was sent back',
        busy: 'Saving',
        danger: true,
        reason,
        transaction: { hint: 'Of the payment back, as its network shows it.' },
        otp: true,
        done: 'Sent back',
      };
    case 'reject':
      return {
        button: 'Reject',
        title: `Reject ${reference}`,
        text: `Nothing is held of it and nothing is credited to ${member.name}. It is closed.`,
        confirm: 'Reject',
        busy: 'Rejecting',
        danger: true,
        reason,
        done: 'Rejected',
      };
  }
}
