import { useQuery, useQueryClient } from '@tanstack/react-query';
import { operatorPayouts } from '#contract/endpoints.ts';
import type { OperatorWithdrawal } from '#contract/funds/review.ts';
import type { PayoutNetwork, WithdrawalState } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { appInfo } from '../../../api/app-info.ts';
import { type Operator, useOperator } from '../../../api/operator-state.ts';
import { queryOf } from '../../../api/query-of.ts';
import { walletNames } from '../../../entities/trade/labels.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { formatShortDateTime } from '../../../ui/format/time.ts';
import { StateBadge, stateLabel } from '../../../ui/state/state-badge.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { type Check, CheckList } from '../kit/check-list.tsx';
import { useDecisions } from '../kit/decisions.tsx';
import {
  CopyBox,
  DetailFacts,
  DetailLead,
  DetailMember,
  DetailPanel,
  DetailSection,
  QueryDetail,
} from '../kit/detail-panel.tsx';
import { choiceOf, decisionsOf, hasApproved } from './decisions.ts';

/** One withdrawal with everything that a decision needs. */
export const WithdrawalDetail = ({ id, onClose }: { id: string; onClose: () => void }) => (
  <QueryDetail query={withdrawalQuery(id)} kind="Withdrawal" onClose={onClose}>
    {(withdrawal) => <Loaded withdrawal={withdrawal} onClose={onClose} />}
  </QueryDetail>
);

function Loaded({ withdrawal, onClose }: { withdrawal: OperatorWithdrawal; onClose: () => void }) {
  const operator = useOperator();
  const client = useQueryClient();
  const { actions, note } = choiceOf(withdrawal, operator);
  const decisions = useDecisions({
    actions,
    version: withdrawal.version,
    decisionOf: (action) => decisionsOf(withdrawal)[action],
    refreshes: ['withdrawals', 'overview'],
    onDone: (decided) => client.setQueryData(withdrawalQuery(decided.id).queryKey, decided),
  });
  const { reference, state, amount, fee, net, network, address, payout, transaction, steps } = withdrawal;
  const approvals = approvalsOf(withdrawal, operator, actions.includes('reject'));
  return (
    <DetailPanel
      title={reference}
      kind="Withdrawal"
      badge={<StateBadge of="withdrawal" state={state} />}
      {...{ onClose, decisions, note }}
    >
      <DetailLead>
        <Figure
          label={netLabels[state]}
          size="xl"
          foot={`${formatMoney(amount, 'typed')} less fee, ${formatMoney(fee, 'typed')}, from the ${walletNames[withdrawal.wallet_type]}`}
        >
          <Money value={net} />
        </Figure>
      </DetailLead>
      <DetailSection title={`To address, network ${network}`}>
        <CopyBox value={address} what="address" />
      </DetailSection>
      {withdrawal.network_fee_estimated && payout === null && holds.includes(state) && <NetworkFee network={network} />}
      <DetailSection title="Checks">
        <CheckList checks={checksOf(withdrawal)} />
      </DetailSection>
      {approvals.length > 0 && (
        <DetailSection title={`Approvals, ${countingApprovals(withdrawal)} of ${withdrawal.approvals_needed}`}>
          <CheckList checks={approvals} />
        </DetailSection>
      )}
      <DetailMember member={withdrawal.member} />
      {(payout !== null || transaction !== null) && (
        <DetailFacts
          title="Payment"
          items={[
            payout && ['Method', payout.way === 'hand' ? 'Manual' : `Gateway ${payout.gateway ?? ''}`.trim()],
            payout?.payout_id && ['Payout id', payout.payout_id],
            payout?.units && ['Ordered', `${payout.units} BTC`],
            payout?.started_at && ['Started, UTC', formatShortDateTime(payout.started_at)],
          ]}
        >
          {transaction !== null && <CopyBox value={transaction} what="transaction hash" />}
        </DetailFacts>
      )}
      <DetailFacts
        title="Timeline, UTC"
        items={steps.map((event, index) => [
          `${index + 1}. ${stateLabel(event.state)}${event.note ? `: ${event.note}` : ''}`,
          formatShortDateTime(event.at),
        ])}
      />
    </DetailPanel>
  );
}

/** Of the net amount. */
const netLabels: Record<WithdrawalState, string> = {
  requested: 'To pay out',
  approved: 'To pay out',
  sent: 'Sent, not confirmed',
  uncertain: 'Perhaps sent',
  completed: 'Paid out',
  cancelled: 'Not paid out',
  rejected: 'Not paid out',
  failed: 'Not paid out',
};

function NetworkFee({ network }: { network: PayoutNetwork }) {
  const { data, isError } = useQuery(networkFeeQuery(network));
  const words = isError ? 'Estimate not available' : data ? `about ${formatMoney(data.estimate, 'typed')}` : '–';
  return <DetailFacts title="Network fee" items={[['Paid by the house', words]]} />;
}

const holds: readonly WithdrawalState[] = ['requested', 'approved', 'sent', 'uncertain'];

/** Short warnings about paying it, for the list row. */
export function flagsOf({ member, state, new_device, first_payout }: OperatorWithdrawal): string[] {
  if (!holds.includes(state)) return [];
  return [
    member.frozen && 'frozen',
    member.withdrawals_frozen && 'withdrawals stopped',
    !member.verified && appInfo.mode === 'live' && 'not verified',
    new_device && 'new device',
    first_payout && 'first payout',
  ].filter((flag) => typeof flag === 'string');
}

/** Checks and warnings, in the order of a decision. */
function checksOf(withdrawal: OperatorWithdrawal): Check[] {
  const { member, amount, day_sum, created_at, state, new_device, first_payout } = withdrawal;
  const isHeld = holds.includes(state);
  const check = (key: string, words: string, isFine = true): Check => ({
    key,
    words,
    state: isFine ? 'done' : 'warning',
  });
  const dayLimit = formatMoney(withdrawalRules.dayLimitDollars, 'typed');
  const checks = [
    isHeld && check('hold', `${formatMoney(amount, 'typed')} is on hold`),
    check('address', 'Address is valid and was saved at least a day before'),
    check('otp', `One-time password entered ${formatShortDateTime(created_at)} UTC`),
    check('day', `${formatMoney(day_sum, 'typed')} of the daily limit of ${dayLimit}`),
    isHeld && check('device', deviceText(new_device), new_device === false),
    isHeld && check('first', first_payout ? 'First payout of this member' : 'Earlier payouts exist', !first_payout),
    isHeld && member.frozen && check('frozen', 'The account is frozen', false),
    isHeld && member.withdrawals_frozen && check('stopped', 'Withdrawals of this member are stopped', false),
    isHeld &&
      appInfo.mode === 'live' &&
      check('verified', member.verified ? 'Member is verified' : 'Member is not verified', member.verified),
  ];
  return checks.filter((one) => one !== false);
}

function deviceText(isNew: boolean | null): string {
  if (isNew === null) return 'No sign-in of this member is known';
  return isNew ? 'New device in the 24 hours before' : 'No new device in the 24 hours before';
}

/** Who approved, whose approval is no longer valid, and who still has to approve. */
function approvalsOf(withdrawal: OperatorWithdrawal, operator: Operator, mayDecide: boolean): Check[] {
  const given = withdrawal.approvals.map(({ operator_id, operator: name, at, counts }): Check => {
    const words = `${operator_id === operator.id ? 'You' : name}, ${formatShortDateTime(at)} UTC`;
    return {
      key: `${operator_id} ${at}`,
      state: counts ? 'done' : 'warning',
      words: counts ? words : `${words}: no longer valid, operator disabled or role changed`,
    };
  });
  const { approvals_needed, approvals_missing } = withdrawal;
  if (approvals_missing === 0) return given;
  const isFirst = withdrawal.state === 'requested' && countingApprovals(withdrawal) === 0;
  const who = !isFirst ? 'A second operator' : approvals_needed === 1 ? 'One operator' : 'Two operators';
  const you = mayDecide ? (hasApproved(withdrawal, operator) ? ', not you' : ': you may approve') : '';
  return [...given, { key: 'missing', state: 'waiting', words: `${who}${you}` }];
}

/** The number of valid approvals. */
export const countingApprovals = ({ approvals }: OperatorWithdrawal): number =>
  new Set(approvals.filter(({ counts }) => counts).map(({ operator_id }) => operator_id)).size;

const ONE_POLL_MS = 5_000;
const NETWORK_FEE_POLL_MS = 60_000;

/** Polls the open withdrawal: another operator may decide about it at any moment. */
const withdrawalQuery = (id: string) =>
  queryOf(['operator', 'withdrawals', 'one', id], operatorPayouts.getOperatorWithdrawal, {
    params: { id },
    pollMs: ONE_POLL_MS,
  });

const networkFeeQuery = (network: PayoutNetwork) =>
  queryOf(['operator', 'network-fee', network], operatorPayouts.getPayoutNetworkFee, {
    query: { network },
    pollMs: NETWORK_FEE_POLL_MS,
  });
