import { IconChartCandle } from '@tabler/icons-react';
import type { ConsoleSession } from '#contract/operator/sessions.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { formatDate, formatTime } from '../../../ui/format/time.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Money, SignedMoney } from '../../../ui/text/money.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { ListPage, useOpened } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';
import { HaltStanding, HaltTrading } from './halt-trading.tsx';
import { countOf, RunBadge, shortHash } from './labels.tsx';
import { readSessions } from './queries.ts';
import { SessionDetailPanel } from './session-detail.tsx';

const LIST_POLL_MS = 15_000;

/** Every trading window: what its trades came to, how far it is shared out, and what it rested on. */
export function SessionsPage() {
  const operator = useOperator();
  const { opened } = useOpened('sessions');
  const list = useList<ConsoleSession>({
    queryKey: ['sessions', 'list'],
    readPage: readSessions,
    pollMs: LIST_POLL_MS,
  });
  if (!operator) return null;
  return (
    <ListPage
      path="sessions"
      title="Sessions"
      facts="One a day, 12:30 to 17:30 UTC of market time. Settled ones can be worked out again."
      actions={<HaltTrading operator={operator} />}
      label="Sessions"
      columns={opened === undefined ? columns : columns.filter(({ key }) => key !== 'hash')}
      list={list}
      rowKey={(row) => row.day}
      empty={{ icon: <IconChartCandle size={20} stroke={1.5} />, title: 'No session yet' }}
      detail={(day, close) => <SessionDetailPanel key={day} day={day} operator={operator} onClose={close} />}
    >
      <HaltStanding operator={operator} />
    </ListPage>
  );
}

const columns: readonly Column<ConsoleSession>[] = [
  {
    key: 'day',
    label: 'Day, UTC',
    width: '116px',
    sorted: 'descending',
    render: (row) => (
      <>
        {formatDate(row.opens_at)}
        <small>
          {formatTime(row.opens_at)} to {formatTime(row.closes_at)}
        </small>
      </>
    ),
  },
  { key: 'state', label: 'State', width: '98px', render: (row) => <StateBadge of="session" state={row.state} /> },
  {
    key: 'staked',
    label: 'Staked',
    align: 'right',
    width: '168px',
    render: ({ figures }) =>
      figures === null ? (
        '–'
      ) : (
        <>
          <Money value={figures.staked} decimals={2} />
          <small>
            {countOf(figures.trades, 'trade')}, {countOf(figures.members, 'member')}
          </small>
        </>
      ),
  },
  {
    key: 'fees',
    label: 'Fees',
    align: 'right',
    from: 'middle',
    render: ({ figures }) =>
      figures === null ? (
        '–'
      ) : (
        <>
          <Money value={figures.trade_fees} decimals={2} />
          <small>
            of gains <Money value={figures.performance_fees} decimals={2} />
          </small>
        </>
      ),
  },
  {
    key: 'gross',
    label: 'Gross result',
    align: 'right',
    render: ({ figures }) => (figures === null ? '–' : <SignedMoney value={figures.gross} decimals={2} />),
  },
  {
    key: 'hash',
    label: 'Manifest',
    width: '164px',
    from: 'wide',
    render: ({ manifest_hash: hash }) =>
      hash === null ? (
        '–'
      ) : (
        <span title={hash}>
          <CodeText>{shortHash(hash)}</CodeText>
        </span>
      ),
  },
  { key: 'run', label: 'Bonus run', width: '124px', render: (row) => <RunBadge state={row.bonus_run} /> },
];
