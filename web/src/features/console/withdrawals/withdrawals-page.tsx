import { Box, Group } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { operatorPayouts } from '#contract/endpoints.ts';
import type { OperatorWithdrawal } from '#contract/funds/review.ts';
import type { WithdrawalState } from '#contract/funds/withdrawals.ts';
import type { Overview } from '#contract/operator/overview.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/csv.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { formatDateTime, formatTime } from '../../../ui/format/time.ts';
import { Awaited } from '../../../ui/layout/page-head.tsx';
import { stateLabel } from '../../../ui/state/state-badge.tsx';
import { CsvExport } from '../../../ui/table/csv-export.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { formatAge, useSlowNow } from '../kit/age.ts';
import {
  column,
  Flags,
  fileColumn,
  lines,
  MemberCell,
  rightColumn,
  timeLines,
  unlabelledColumn,
  usdHead,
  waitLines,
} from '../kit/columns.tsx';
import { countOf } from '../kit/count-of.ts';
import { ListPage, useTab } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';
import { PayoutNeedsBanner } from '../kit/payout-needs.tsx';
import { type StopDecisions, useStopSwitch } from '../kit/stop-switch.tsx';
import { overviewQuery } from '../shell/queries.ts';
import { countingApprovals, flagsOf, WithdrawalDetail } from './withdrawal-detail.tsx';

const LIST_POLL_MS = 10_000;

/** The tabs, in the order of the states. */
const states = [
  'requested',
  'approved',
  'sent',
  'uncertain',
  'completed',
  'rejected',
  'failed',
  'cancelled',
] as const satisfies readonly WithdrawalState[];

const isWaiting = (state: WithdrawalState): boolean =>
  state === 'requested' || state === 'approved' || state === 'sent' || state === 'uncertain';

const readWithdrawals = (state: WithdrawalState) => (query: PageQuery, signal: AbortSignal) =>
  call(operatorPayouts.listOperatorWithdrawals, { query: { ...query, state }, signal });

/** The withdrawal queue (docs/product.md, section 5). */
export function WithdrawalsPage() {
  const now = useSlowNow();
  const tab = useTab<WithdrawalState>(states);
  const state = tab.value;
  const word = stateLabel(state).toLowerCase();
  const { data: overview } = useQuery(overviewQuery);
  const list = useList<OperatorWithdrawal>({
    queryKey: ['withdrawals', 'list', state],
    readPage: readWithdrawals(state),
    ...(isWaiting(state) && { pollMs: LIST_POLL_MS }),
  });
  const columns = columnsOf(state, now);
  const payoutSwitch = usePayoutSwitch();
  const queued = (of: string) => overview?.queues.withdrawals.find((queue) => queue.state === of)?.count || undefined;
  return (
    <ListPage
      path="withdrawals"
      title="Withdrawals"
      facts={`${isWaiting(state) ? 'Oldest' : 'Newest'} first. From ${formatMoney(withdrawalRules.twoOperatorsFromDollars, 'typed')}, two operators have to approve.`}
      actions={
        <>
          {payoutSwitch.button}
          <CsvExport fileName={`withdrawals-${state}.csv`} columns={columns} readPage={readWithdrawals(state)} />
        </>
      }
      tabs={{
        label: 'State',
        tabs: states.map((value) => ({ value, label: stateLabel(value), count: queued(value) })),
        ...tab,
      }}
      label={`Withdrawals, ${word}`}
      columns={columns}
      list={list}
      empty={{
        icon: IconUpload,
        title: `No withdrawals ${word}${isWaiting(state) ? '' : ' yet'}`,
        text: 'Requests of members appear here.',
      }}
      detail={(id, close) => <WithdrawalDetail key={id} id={id} onClose={close} />}
    >
      {payoutSwitch.banner}
      <WithdrawalFigures />
    </ListPage>
  );
}

const walletLabels = { primary: 'Primary', profit: 'Profit' } as const;

/** A pending withdrawal shows for how long it has waited. */
function columnsOf(state: WithdrawalState, now: number): readonly Column<OperatorWithdrawal>[] {
  const waits = isWaiting(state);
  return [
    fileColumn('Reference', (row) => row.reference),
    fileColumn('State', (row) => row.state),
    column(
      waits ? 'Requested' : 'Requested, UTC',
      (row) => (waits ? waitLines(row.created_at, now) : timeLines(row.created_at)),
      {
        width: waits ? '104px' : '132px',
        sorted: waits ? 'ascending' : 'descending',
        csvLabel: 'Requested, UTC',
        csv: (row) => row.created_at,
      },
    ),
    fileColumn('Changed, UTC', (row) => row.updated_at),
    fileColumn('Registered Id', (row) => row.member.referral_code),
    column('Member', (row) => <MemberCell member={row.member} />, { csv: (row) => row.member.name }),
    rightColumn('Amount', (row) => lines(formatMoney(row.amount, 'typed'), walletLabels[row.wallet_type]), {
      width: '100px',
      csvLabel: usdHead('Amount'),
      csv: (row) => row.amount,
    }),
    fileColumn(usdHead('Fee'), (row) => row.fee),
    rightColumn('Net', (row) => lines(<Money value={row.net} />, `fee ${formatMoney(row.fee, 'typed')}`), {
      width: '112px',
      drop: 'next',
      csvLabel: usdHead('Net'),
      csv: (row) => row.net,
    }),
    fileColumn('Wallet', (row) => row.wallet_type),
    column('Network', (row) => row.network, { width: '76px', drop: 'first', csv: (row) => row.network }),
    fileColumn('Address', (row) => row.address),
    fileColumn('Transaction', (row) => row.transaction),
    column('Approvals', (row) => <ApprovalDots given={countingApprovals(row)} needed={row.approvals_needed} />, {
      width: '92px',
      drop: 'next',
      csvLabel: 'Approved by',
      csv: (row) => row.approvals.map(({ operator }) => operator).join(', '),
    }),
    fileColumn('Note', (row) => row.note),
    unlabelledColumn('Warnings', (row) => <Flags flags={flagsOf(row)} />, '144px', { drop: 'next' }),
  ];
}

/** `1 of 2`, with a dot for each one needed. */
const ApprovalDots = ({ given, needed }: { given: number; needed: number }) => (
  <Group component="span" display="inline-flex" gap={4} wrap="nowrap" fz="xs" c="dimmed">
    {Array.from({ length: needed }, (_, index) => (
      <Box
        // biome-ignore lint/suspicious/noArrayIndexKey: the dots never move
        key={index}
        w={8}
        h={8}
        bdrs="50%"
        {...(index < given ? { bg: 'var(--tw-accent)' } : { bd: '1.5px solid var(--tw-text-3)' })}
      />
    ))}
    {`${given} of ${needed}`}
  </Group>
);

const DAY_MS = 86_400_000;

/** Pending withdrawals, and whether the gateway balance covers them. */
function WithdrawalFigures() {
  const { data } = useQuery(overviewQuery);
  const now = useSlowNow();
  const queue = data?.queues.withdrawals.find(({ state }) => state === 'requested');
  const oldest = queue?.oldest_at ?? null;
  const oldestMs = oldest === null ? null : now - Date.parse(oldest);
  const two = data?.queues.two_person;
  const isKnown = data !== undefined;
  return (
    <FigureStrip>
      <Figure
        label="Waiting"
        foot={<Awaited isThere={isKnown}>{`${countOf(queue?.count ?? 0, 'request')}, net of fees`}</Awaited>}
      >
        {formatMoney(queue?.amount, 2)}
      </Figure>
      <Figure
        label="Oldest"
        foot={
          <Awaited isThere={isKnown}>
            {oldest !== null && oldestMs !== null
              ? `requested at ${oldestMs < DAY_MS ? `${formatTime(oldest)} UTC` : formatDateTime(oldest)}`
              : 'queue is empty'}
          </Awaited>
        }
      >
        {oldestMs === null ? '–' : formatAge(oldestMs)}
      </Figure>
      <Figure
        label="Need two operators"
        foot={<Awaited isThere={isKnown}>{firstApprovals(two ?? { count: 0, first_approved: 0 })}</Awaited>}
      >
        {two?.count ?? '–'}
      </Figure>
      <Figure
        label="Gateway balance"
        foot={<Awaited isThere={isKnown}>{data ? coverText(data) : 'covers the queue'}</Awaited>}
      >
        {formatMoney(data?.assets.gateway, 2)}
      </Figure>
    </FigureStrip>
  );
}

function firstApprovals({
  count,
  first_approved,
}: Pick<Overview['queues']['two_person'], 'count' | 'first_approved'>): string {
  if (count === 0) return `from ${formatMoney(withdrawalRules.twoOperatorsFromDollars, 'typed')} per member and day`;
  if (first_approved === 0) return 'no first approvals yet';
  return `${first_approved} with first approval`;
}

/** `queues.withdrawals` includes every state in which money is still to leave. */
function coverText({ assets, queues }: Overview): string {
  const owed = queues.withdrawals.reduce((sum, { amount }) => sum + amount, 0);
  const short = owed - assets.gateway;
  return short > 0 ? `${formatMoney(short, 2)} short of the queue` : 'covers the queue';
}

const SWITCH_POLL_MS = 15_000;

const switchQuery = queryOf(['operator', 'payout-switch'], operatorPayouts.getPayoutSwitch, {
  pollMs: SWITCH_POLL_MS,
});

const decisions: StopDecisions = {
  stop: {
    button: 'Stop payouts',
    title: 'Stop all payouts',
    text: 'From now on nothing is approved, claimed or paid. Members can still request withdrawals, which wait in the queue. Payouts already sent continue.',
    busy: 'Stopping',
    danger: true,
    reason: 'Visible to all operators.',
    done: 'Payouts are stopped',
    send: ({ reason: why }) => call(operatorPayouts.setPayoutSwitch, { body: { stopped: true, why } }),
  },
  resume: {
    button: 'Resume payouts',
    title: 'Resume payouts',
    text: 'Approved withdrawals are paid next, and new ones can be approved again.',
    busy: 'Resuming',
    reason: 'Visible to all operators.',
    otp: true,
    done: 'Payouts resumed',
    send: ({ reason: why, otp }) => call(operatorPayouts.setPayoutSwitch, { body: { stopped: false, why, otp } }),
  },
};

/** Who stopped all payouts, when and why, the switch, and what live payouts still need. */
function usePayoutSwitch() {
  const query = useQuery(switchQuery);
  const { data } = query;
  const { button, banner } = useStopSwitch({
    query,
    decisions,
    refreshes: ['payout-switch', 'overview'],
    title: 'Payouts are stopped',
    stopped: data?.stopped && (
      <>
        {data.operator ?? 'System'}
        {data.at !== null && `, ${formatDateTime(data.at)}`}
        {data.why !== null && `: ${data.why}`}
      </>
    ),
  });
  return {
    button,
    banner: (
      <>
        {data?.needs && <PayoutNeedsBanner needs={data.needs} />}
        {banner}
      </>
    ),
  };
}
