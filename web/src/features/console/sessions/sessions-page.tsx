import { IconChartCandle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { consoleSessions, tradingHalt } from '#contract/endpoints.ts';
import type { ConsoleSession } from '#contract/operator/sessions.ts';
import { call } from '../../../api/call.ts';
import { sessionQuery } from '../../../api/market/queries.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatDate, formatDateTime, formatTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { Money, SignedMoney } from '../../../ui/text/money.tsx';
import { CodeText, shorten } from '../../../ui/text/text.tsx';
import { column, lines, rightColumn } from '../kit/columns.tsx';
import { countOf } from '../kit/count-of.ts';
import { ListPage, useOpened } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';
import { type StopDecisions, useStopSwitch } from '../kit/stop-switch.tsx';
import { overviewQuery } from '../shell/queries.ts';
import { SessionDetailPanel } from './session-detail.tsx';

const LIST_POLL_MS = 15_000;

const DIGEST = 'digest';

/** Trading sessions with their totals, run digests and bonus runs. */
export function SessionsPage() {
  const { opened } = useOpened('sessions');
  const list = useList<ConsoleSession>({
    queryKey: ['sessions', 'list'],
    readPage: (query, signal) => call(consoleSessions.listSessions, { query, signal }),
    pollMs: LIST_POLL_MS,
  });
  const halt = useTradingHalt();
  return (
    <ListPage
      path="sessions"
      title="Sessions"
      facts="Daily, 12:30 to 17:30 UTC market time. Settled sessions can be recalculated."
      actions={halt.button}
      label="Sessions"
      columns={opened === undefined ? columns : columns.filter(({ key }) => key !== DIGEST)}
      list={list}
      rowKey={(row) => row.day}
      empty={{ icon: IconChartCandle, title: 'No sessions yet' }}
      detail={(day, close) => <SessionDetailPanel key={day} day={day} onClose={close} />}
    >
      {halt.banner}
      <HaltedAssets />
    </ListPage>
  );
}

/** Assets whose trades wait, and the exchange's reason. */
function HaltedAssets() {
  const { data } = useQuery(overviewQuery);
  return data?.venue.halted.map(({ symbol, reason, since }) => (
    <Banner key={symbol} tone="amber" title={`Trades of ${symbol.toUpperCase()} wait`}>
      Since {formatDateTime(since)}: {reason}
    </Banner>
  ));
}

const columns: readonly Column<ConsoleSession>[] = [
  column(
    'Day, UTC',
    ({ opens_at, closes_at }) => lines(formatDate(opens_at), `${formatTime(opens_at)} to ${formatTime(closes_at)}`),
    { width: '108px', sorted: 'descending' },
  ),
  column('State', (row) => <StateBadge of="session" state={row.state} />, { width: '94px' }),
  rightColumn(
    'Amount traded',
    ({ figures }) =>
      figures === null
        ? '–'
        : lines(
            <Money value={figures.staked} decimals={2} />,
            `${countOf(figures.trades, 'trade')}, ${countOf(figures.members, 'member')}`,
          ),
    { width: '152px', drop: 'next' },
  ),
  rightColumn(
    'Fees',
    ({ figures }) =>
      figures === null
        ? '–'
        : lines(
            <Money value={figures.trade_fees} decimals={2} />,
            <>
              performance <Money value={figures.performance_fees} decimals={2} />
            </>,
          ),
    { width: '130px', drop: 'next' },
  ),
  rightColumn(
    'Gross P&L',
    ({ figures }) => (figures === null ? '–' : <SignedMoney value={figures.gross} decimals={2} />),
    { width: '102px' },
  ),
  column(
    'Run digest',
    ({ manifest_hash: hash }) =>
      hash === null ? (
        '–'
      ) : (
        <span title={hash}>
          <CodeText>{shorten(hash, 8)}</CodeText>
        </span>
      ),
    { key: DIGEST, width: '164px', drop: 'first' },
  ),
  column('Bonus run', ({ bonus_run: state }) => (state === null ? '–' : <StateBadge of="run" state={state} />), {
    width: '100px',
    drop: 'next',
  }),
];

const HALT_POLL_MS = 15_000;
const { getHalt, haltTrading, liftHalt } = tradingHalt;

const haltQuery = queryOf(['operator', 'halt'], getHalt, { pollMs: HALT_POLL_MS });

const decisions: StopDecisions = {
  stop: {
    button: 'Halt trading',
    title: 'Halt trading',
    text: 'From now on no trade is placed or opened. Queued trades are refunded in full, and plans do not buy. Open positions stay open: members can close them, and stops and the session close still sell them.',
    busy: 'Halting',
    danger: true,
    reason: 'Visible to all members, on every page.',
    done: 'Trading is halted',
    send: ({ reason }) => call(haltTrading, { body: { reason } }),
  },
  resume: {
    button: 'Resume trading',
    title: 'Resume trading',
    text: 'Trades open again with the next price. Plans decide again at the next quarter of an hour.',
    busy: 'Resuming',
    reason: 'Visible to all operators.',
    otp: true,
    done: 'Trading resumed',
    send: ({ reason: note, otp }, version) => call(liftHalt, { body: { version, note, otp } }),
  },
};

/** Who halted trading, when and why, and the switch. */
function useTradingHalt() {
  const query = useQuery(haltQuery);
  const { data } = query;
  const halt = data?.halt;
  return useStopSwitch({
    query,
    // Resumes the halt that the dialog was opened for, and no later one.
    version: halt?.version ?? 0,
    decisions,
    refreshes: ['halt', 'sessions', 'overview', sessionQuery.queryKey],
    title: 'Trading is halted',
    stopped: halt && `${halt.by.name}, ${formatDateTime(halt.at)}: ${halt.reason}`,
  });
}
