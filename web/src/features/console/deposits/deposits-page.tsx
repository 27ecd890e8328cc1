import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { DepositState } from '#contract/funds/deposits.ts';
import type { DeskDeposit } from '#contract/funds/review.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatShortDateTime, formatTime } from '../../../ui/format/time.ts';
import { CsvExport } from '../../../ui/table/csv-export.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { stateWord } from '../../../ui/text/state-badge.tsx';
import { formatAge, useSlowNow } from '../kit/age.ts';
import { Flag } from '../kit/flag.tsx';
import { ListPage, useTab } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';
import { MemberCell } from '../kit/member.tsx';
import { overviewQuery } from '../shell/queries.ts';
import { DepositDetail } from './deposit-detail.tsx';
import { flagOf, readDeposits } from './queries.ts';

const LIST_POLL_MS = 15_000;

/** The tabs: what waits for somebody first, then in the order a deposit can go through them. */
const states = [
  'review',
  'created',
  'pending',
  'underpaid',
  'credited',
  'refunded',
  'rejected',
  'expired',
  'failed',
] as const satisfies readonly DepositState[];

/** Deposits that a person decides about, and all others to look at (docs/product.md, section 4). */
export function DepositsPage() {
  const operator = useOperator();
  const now = useSlowNow();
  const tab = useTab<DepositState>(states);
  const state = tab.value;
  const { data: overview } = useQuery(overviewQuery);
  const list = useList<DeskDeposit>({
    queryKey: ['deposits', 'list', state],
    readPage: readDeposits(state),
    pollMs: LIST_POLL_MS,
  });
  const columns = columnsOf(state, now);
  return (
    <ListPage
      path="deposits"
      title="Deposits in review"
      facts="Paid late, too little, too much, or to an account that is frozen. Oldest first."
      actions={<CsvExport fileName={`deposits-${state}.csv`} columns={columns} readPage={readDeposits(state)} />}
      tabs={{
        label: 'State',
        tabs: states.map((value) => ({
          value,
          label: stateWord(value),
          count: (value === 'review' && overview?.queues.deposits_in_review.count) || undefined,
        })),
        ...tab,
      }}
      label={`Deposits, ${stateWord(state).toLowerCase()}`}
      columns={columns}
      list={list}
      empty={{
        icon: <IconDownload size={20} stroke={1.5} />,
        title: `None is ${stateWord(state).toLowerCase()}`,
        text: 'What the gateway cannot decide by itself comes here.',
      }}
      detail={(id, close) => operator && <DepositDetail key={id} id={id} operator={operator} onClose={close} />}
    />
  );
}

/** Those in review say how long they wait, and what is odd about them. */
function columnsOf(state: DepositState, now: number): readonly Column<DeskDeposit>[] {
  const isReview = state === 'review';
  return [
    { key: 'file reference', label: 'Reference', csv: (row) => row.reference },
    { key: 'state', label: 'State', csv: (row) => row.state },
    {
      key: 'when',
      label: isReview ? 'Waits' : 'Created, UTC',
      width: '108px',
      sorted: isReview ? 'ascending' : 'descending',
      render: (row) =>
        isReview ? (
          <>
            {formatAge(now - Date.parse(row.updated_at))}
            <small>{formatTime(row.updated_at)} UTC</small>
          </>
        ) : (
          formatShortDateTime(row.created_at)
        ),
      csvLabel: 'Created, UTC',
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
      key: 'reference',
      label: 'Reference',
      width: '112px',
      from: 'middle',
      render: (row) => (
        <>
          <CodeText>{row.reference}</CodeText>
          <small>{row.gateway}</small>
        </>
      ),
    },
    {
      key: 'amount',
      label: 'Asked',
      align: 'right',
      width: '104px',
      render: (row) => (
        <>
          {formatMoney(row.amount, 'typed')}
          <small>{row.currency}</small>
        </>
      ),
      csv: (row) => row.amount,
    },
    { key: 'currency', label: 'Currency', csv: (row) => row.currency },
    { key: 'file credited', label: 'Credited', csv: (row) => row.credited },
    { key: 'file held', label: 'Held', csv: (row) => row.held },
    {
      key: 'held',
      label: isReview ? 'Held' : 'Credited',
      align: 'right',
      width: '120px',
      render: (row) => <Money value={isReview ? row.held : row.credited} />,
    },
    { key: 'refunded', label: 'Sent back', csv: (row) => row.refunded },
    { key: 'gateway', label: 'Gateway', csv: (row) => row.gateway },
    { key: 'invoice', label: 'Invoice', csv: (row) => row.invoice_id },
    { key: 'transaction', label: 'Transaction', csv: (row) => row.transaction },
    {
      key: 'flag',
      label: isReview ? 'Why' : 'Note',
      align: 'right',
      width: '160px',
      from: 'wide',
      render: (row) => {
        const flag = flagOf(row);
        return flag ? <Flag>{flag}</Flag> : row.note;
      },
      csvLabel: 'Note',
      csv: (row) => row.note,
    },
  ];
}
