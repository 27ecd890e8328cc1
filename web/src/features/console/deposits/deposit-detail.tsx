import { useQueryClient } from '@tanstack/react-query';
import { operatorPayouts } from '#contract/endpoints.ts';
import type { OperatorDeposit } from '#contract/funds/review.ts';
import { toMicros } from '#contract/money.ts';
import { call } from '../../../api/call.ts';
import { type Operator, useOperator } from '../../../api/operator-state.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { Flag } from '../kit/columns.tsx';
import { type Decision, useDecisions } from '../kit/decisions.tsx';
import {
  CopyBox,
  DetailFacts,
  DetailLead,
  DetailMember,
  DetailPanel,
  DetailSection,
  QueryDetail,
} from '../kit/detail-panel.tsx';
import { financeRoles } from '../roles.ts';

const ONE_POLL_MS = 5_000;

/** Polls the open deposit: another operator may decide about it at any moment. */
const depositQuery = (id: string) =>
  queryOf(['operator', 'deposits', 'one', id], operatorPayouts.getOperatorDeposit, {
    params: { id },
    pollMs: ONE_POLL_MS,
  });

/** One deposit with everything that a decision needs. */
export const DepositDetail = ({ id, onClose }: { id: string; onClose: () => void }) => (
  <QueryDetail query={depositQuery(id)} kind="Deposit" onClose={onClose}>
    {(deposit) => <Loaded deposit={deposit} onClose={onClose} />}
  </QueryDetail>
);

function Loaded({ deposit, onClose }: { deposit: OperatorDeposit; onClose: () => void }) {
  const client = useQueryClient();
  const { actions, note } = choiceOf(deposit, useOperator());
  const decisions = useDecisions({
    actions,
    version: deposit.version,
    decisionOf: (action) => decisionsOf(deposit)[action],
    refreshes: ['deposits', 'overview'],
    onDone: (decided) => client.setQueryData(depositQuery(decided.id).queryKey, decided),
  });
  const { state, amount, held, credited, invoice_id, transaction } = deposit;
  const isHeld = state === 'review';
  return (
    <DetailPanel
      title={deposit.reference}
      kind="Deposit"
      badge={<StateBadge of="deposit" state={state} />}
      {...{ onClose, decisions, note }}
    >
      <DetailLead>
        <Figure
          label={isHeld ? 'Held for review' : 'Credited'}
          size="xl"
          foot={`${formatMoney(amount, 'typed')} requested`}
        >
          <Money value={isHeld ? held : credited} />
        </Figure>
        {flagsOf(deposit).map((flag) => (
          <Flag key={flag}>{flag}</Flag>
        ))}
      </DetailLead>
      <DetailMember member={deposit.member} />
      <DetailFacts
        title="Payment"
        items={[
          ['Gateway', deposit.gateway],
          ['Invoice', invoice_id === null ? '–' : <CodeText key="invoice">{invoice_id}</CodeText>],
          ['Currency', deposit.currency],
          ['Paid', formatMoney(deposit.paid)],
          ['Credited', formatMoney(credited)],
          ['Refunded', formatMoney(deposit.refunded)],
          ['Created', formatDateTime(deposit.created_at)],
          ['Expires', formatDateTime(deposit.expires_at)],
          ['Changed', formatDateTime(deposit.updated_at)],
        ]}
      />
      {transaction !== null && (
        <DetailSection title="Transaction">
          <CopyBox value={transaction} what="transaction hash" />
        </DetailSection>
      )}
      {deposit.note !== null && <DetailSection title="Note">{deposit.note}</DetailSection>}
    </DetailPanel>
  );
}

type Action = 'credit' | 'refund' | 'reject';

/**
 * Held money is credited or refunded, that of a closed account or a reversed payment only refunded; only a deposit that
 * holds nothing can be rejected (contract/funds/review.ts).
 */
function choiceOf(deposit: OperatorDeposit, operator: Operator): { actions: readonly Action[]; note: string } {
  if (deposit.state !== 'review') return { actions: [], note: '' };
  if (!financeRoles.includes(operator.role)) return { actions: [], note: 'Only finance and admins decide.' };
  if (deposit.held > 0 && isReversed(deposit))
    return { actions: ['refund'], note: 'The gateway no longer has the whole payment. Takes a code or a passkey.' };
  if (deposit.held > 0 && deposit.member.closed)
    return { actions: ['refund'], note: 'The account is closed: send the money back. Takes a code or a passkey.' };
  return deposit.held > 0
    ? { actions: ['refund', 'credit'], note: 'Both take a code or a passkey.' }
    : {
        actions: ['reject'],
        note: `${isUnconfirmed(deposit) ? 'A payment is not confirmed yet. ' : ''}No money is held for it, so it can only be rejected.`,
      };
}

function decisionsOf({ id, reference, held, member }: OperatorDeposit): Record<Action, Decision<OperatorDeposit>> {
  const params = { id };
  const amount = formatMoney(held, 'typed');
  const toMember = member.closed ? 'The account is closed: the member does not see it.' : 'Visible to the member.';
  return {
    credit: {
      button: 'Credit deposit',
      title: `Credit ${reference}`,
      text: `${amount} is credited to the Primary Wallet of ${member.name}.`,
      busy: 'Crediting',
      reason: toMember,
      otp: true,
      done: 'Deposit credited',
      send: ({ reason, otp }, version) =>
        call(operatorPayouts.creditDeposit, { params, body: { version, reason, otp } }),
    },
    refund: {
      button: 'Mark as refunded',
      title: `Mark ${reference} as refunded`,
      text: `You refunded ${amount} at the gateway. Nothing is credited to ${member.name}.`,
      danger: true,
      reason: toMember,
      transaction: 'Of the refund, as the network shows it.',
      otp: true,
      done: 'Deposit marked as refunded',
      send: ({ reason, transaction, otp }, version) =>
        call(operatorPayouts.refundDeposit, { params, body: { version, reason, transaction, otp } }),
    },
    reject: {
      button: 'Reject deposit',
      title: `Reject ${reference}`,
      text: `No money is held for it, and nothing is credited to ${member.name}. The deposit is closed.`,
      busy: 'Rejecting',
      danger: true,
      reason: toMember,
      done: 'Deposit rejected',
      send: ({ reason }, version) => call(operatorPayouts.rejectDeposit, { params, body: { version, reason } }),
    },
  };
}

/** Seen at the gateway, but neither held nor credited before. */
const isUnconfirmed = ({ paid, credited, refunded }: Pick<OperatorDeposit, 'paid' | 'credited' | 'refunded'>) =>
  (paid ?? 0) > (credited ?? 0) + refunded;

/** The gateway has less than was booked. */
const isReversed = ({ paid, credited, held, refunded }: Omit<OperatorDeposit, 'member' | 'amount'>) =>
  paid !== null && toMicros(paid) < toMicros(credited ?? 0) + toMicros(held) + toMicros(refunded);

/** Why a deposit is in review, as far as its figures show, and what else restricts the decision. */
export function flagsOf({ member, ...deposit }: OperatorDeposit): readonly string[] {
  if (deposit.state !== 'review') return [];
  const cause = causeOf(deposit);
  // If it was credited, that froze the account, too.
  if (cause === 'reversed') return [cause];
  const account = member.closed ? 'account closed' : member.frozen ? 'account frozen' : undefined;
  return [cause, account].filter((flag) => flag !== undefined);
}

/** The first that applies. */
function causeOf({ held, amount, ...deposit }: Omit<OperatorDeposit, 'member'>): string | undefined {
  if (isReversed({ held, ...deposit })) return 'reversed';
  if (held === 0) return isUnconfirmed(deposit) ? 'not confirmed' : 'nothing held';
  // Held money is a second payment, whatever its amount.
  if (deposit.credited !== null || deposit.refunded > 0) return 'paid again';
  if (held < amount) return 'underpaid';
  if (held > amount) return 'overpaid';
  if (Date.parse(deposit.updated_at) > Date.parse(deposit.expires_at)) return 'paid late';
  return undefined;
}
