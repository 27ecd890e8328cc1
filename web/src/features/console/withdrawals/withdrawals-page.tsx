import { VisuallyHidden } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { DeskWithdrawal } from '#contract/funds/review.ts';
import type { WithdrawalState } from '#contract/funds/withdrawals.ts';
import type { Overview } from '#contract/operator/overview.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime, formatShortDateTime, formatTime } from '../../../ui/format/time.ts';
import { CsvExport } from '../../../ui/table/csv-export.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { stateWord } from '../../../ui/text/state-badge.tsx';
import { formatAge, useSlowNow } from '../kit/age.ts';
import { Flags } from '../kit/flag.tsx';
import { ListPage, useTab } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';
import { MemberCell } from '../kit/member.tsx';
import { overviewQuery } from '../shell/queries.ts';
import { PayoutSwitchBanner, StopPayouts } from './payout-switch.tsx';
import { readWithdrawals } from './queries.ts';
import { countingApprovals, flagsOf, WithdrawalDetail } from './withdrawal-detail.tsx';
import classes from './withdrawals-page.module.css';

const LIST_POLL_MS = 10_000;

/** The tabs, in the order a withdrawal can go through them. */
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

/** Somebody or something still has to act. */
const isWaiting = (state: WithdrawalState): boolean =>
  state === 'requested' || state === 'approved' || state === 'sent' || state === 'uncertain';

/** The queue of the people who let money out (docs/product.md, section 5). */
export function WithdrawalsPage() {
  const operator = useOperator();
  const now = useSlowNow();
  const tab = useTab<WithdrawalState>(states);
  const state = tab.value;
  const word = stateWord(state).toLowerCase();
  const { data: overview } = useQuery(overviewQuery);
  const list = useList<DeskWithdrawal>({
    queryKey: ['withdrawals', 'list', state],
    readPage: readWithdrawals(state),
    ...(isWaiting(state) && { pollMs: LIST_POLL_MS }),
  });
  const columns = columnsOf(state, now);
  const countOf = (of: string) => overview?.queues.withdrawals.find((queue) => queue.state === of)?.count || undefined;
  return (
    <ListPage
      path="withdrawals"
      title="Withdrawals"
      facts={`Oldest first. ${withdrawalRules.twoOperatorsFromDollars.toLocaleString('en-US')} or more needs two different operators.`}
      actions={
        <>
          {operator && <StopPayouts operator={operator} />}
          <CsvExport fileName={`withdrawals-${state}.csv`} columns={columns} readPage={readWithdrawals(state)} />
        </>
      }
      tabs={{
        label: 'State',
        tabs: states.map((value) => ({ value, label: stateWord(value), count: countOf(value) })),
        ...tab,
      }}
      label={`Withdrawals, ${word}`}
      columns={columns}
      list={list}
      empty={{
        icon: <IconUpload size={20} stroke={1.5} />,
        title: isWaiting(state) ? `None is ${word}` : `None was ${word} yet`,
        text: 'Withdrawals come here by themselves.',
      }}
      detail={(id, close) => operator && <WithdrawalDetail key={id} id={id} operator={operator} onClose={close} />}
    >
      {operator && <PayoutSwitchBanner operator={operator} />}
      <WithdrawalFigures />
    </ListPage>
  );
}

const walletWords = { primary: 'Primary', profit: 'Profit' } as const;

/** What waits says how long it has. */
function columnsOf(state: WithdrawalState, now: number): readonly Column<DeskWithdrawal>[] {
  const waits = isWaiting(state);
  return [
    { key: 'reference', label: 'Reference', csv: (row) => row.reference },
    { key: 'state', label: 'State', csv: (row) => row.state },
    {
      key: 'asked',
      label: waits ? 'Asked' : 'Asked, UTC',
      width: '104px',
      sorted: waits ? 'ascending' : 'descending',
      render: (row) =>
        waits ? (
          <>
            {formatAge(now - Date.parse(row.created_at))}
            <small>{formatTime(row.created_at)} UTC</small>
          </>
        ) : (
          formatShortDateTime(row.created_at)
        ),
      csvLabel: 'Asked, UTC',
      csv: (row) => row.created_at,
    },
    { key: 'changed', label: 'Changed, UTC', csv: (row) => row.updated_at },
    { key: 'code', label: 'Registered Id', csv: (row) => row.member.referral_code },
    {
      key: 'member',
      label: 'Member',
      render: (row) => <MemberCell member={row.member} />,
      csv: (row) => row.member.name,
    },
    {
      key: 'amount',
      label: 'Amount',
      align: 'right',
      width: '100px',
      render: (row) => (
        <>
          {formatMoney(row.amount, 'typed')}
          <small>{walletWords[row.wallet_type]}</small>
        </>
      ),
      csv: (row) => row.amount,
    },
    { key: 'fee', label: 'Fee', csv: (row) => row.fee },
    {
      key: 'net',
      label: 'Net',
      align: 'right',
      width: '112px',
      from: 'middle',
      render: (row) => (
        <>
          <Money value={row.net} />
          <small>fee {formatMoney(row.fee, 'typed')}</small>
        </>
      ),
      csv: (row) => row.net,
    },
    { key: 'wallet', label: 'Wallet', csv: (row) => row.wallet_type },
    {
      key: 'network',
      label: 'Network',
      width: '76px',
      from: 'wide',
      render: (row) => row.network,
      csv: (row) => row.network,
    },
    { key: 'address', label: 'Address', csv: (row) => row.address },
    { key: 'transaction', label: 'Transaction', csv: (row) => row.transaction },
    {
      key: 'approvals',
      label: 'Approvals',
      width: '92px',
      render: (row) => <ApprovalDots given={countingApprovals(row)} needed={row.approvals_needed} />,
      csvLabel: 'Approved by',
      csv: (row) => row.approvals.map(({ operator }) => operator).join(', '),
    },
    { key: 'note', label: 'Note', csv: (row) => row.note },
    {
      key: 'flags',
      label: <VisuallyHidden>To look at</VisuallyHidden>,
      align: 'right',
      width: '144px',
      render: (row) => <Flags flags={flagsOf(row)} />,
    },
  ];
}

/** `1 of 2`, with a dot for each that is needed. */
function ApprovalDots({ given, needed }: { given: number; needed: number }) {
  return (
    <span className={classes.dots}>
      {Array.from({ length: needed }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the dots never move
        <i key={index} data-given={index < given || undefined} />
      ))}
      <span>
        {given} of {needed}
      </span>
    </span>
  );
}

const DAY_MS = 86_400_000;

/** What waits for approval, how long the oldest has, and whether the gateway holds enough for all that is to be paid. */
function WithdrawalFigures() {
  const { data } = useQuery(overviewQuery);
  const now = useSlowNow();
  const queue = data?.queues.withdrawals.find(({ state }) => state === 'requested');
  const oldest = queue?.oldest_at ?? null;
  const oldestMs = oldest === null ? null : now - Date.parse(oldest);
  const two = data?.queues.two_person;
  return (
    <FigureStrip>
      <Figure label="Waiting" foot={queue && requests(queue.count)}>
        {formatMoney(queue?.amount, 2)}
      </Figure>
      <Figure
        label="Oldest"
        foot={
          oldest !== null && oldestMs !== null
            ? `asked at ${oldestMs < DAY_MS ? `${formatTime(oldest)} UTC` : formatDateTime(oldest)}`
            : queue && 'nothing waits'
        }
      >
        {oldestMs === null ? '–' : formatAge(oldestMs)}
      </Figure>
      <Figure label="Need two operators" foot={two && firstApprovals(two)}>
        {two?.count ?? '–'}
      </Figure>
      <Figure label="Free at the gateway" foot={data && coverWords(data)}>
        {formatMoney(data?.assets.gateway, 2)}
      </Figure>
    </FigureStrip>
  );
}

const requests = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'request' : 'requests'}`;

function firstApprovals({ count, first_approved }: Overview['queues']['two_person']): string {
  if (count === 0) return `from ${formatMoney(withdrawalRules.twoOperatorsFromDollars, 'typed')} a member and day on`;
  if (first_approved === 0) return 'none has its first approval';
  return first_approved === 1 ? 'one has its first approval' : `${first_approved} have their first approval`;
}

/** `queues.withdrawals` has every state in which money is still to leave. */
function coverWords({ assets, queues }: Overview): string {
  const owed = queues.withdrawals.reduce((sum, { amount }) => sum + amount, 0);
  const short = owed - assets.gateway;
  return short > 0 ? `${formatMoney(short, 2)} short of all that waits` : 'covers all that waits';
}
