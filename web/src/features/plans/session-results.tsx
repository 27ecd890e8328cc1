import { Box, Flex, Text } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import type { PlanSession } from '#contract/trading/plan.ts';
import { ResultBars } from '../../ui/charts/result-bars.tsx';
import { formatSignedMoney } from '../../ui/format/money.ts';
import { formatDate, formatDay } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import classes from './session-results.module.css';
import { usePages } from './use-pages.ts';

const HEIGHT = 128;
const PAGE_SIZE = 10;

const tradesWords = ({ trades }: PlanSession) => (trades === 1 ? '1 trade' : `${trades} trades`);
/** What a session did: how many trades, or why none. */
const didWords = (session: PlanSession) => session.words ?? tradesWords(session);

const columns: readonly Column<PlanSession>[] = [
  {
    key: 'day',
    label: 'Session',
    render: ({ day }) => (
      <Box component="span" style={{ whiteSpace: 'nowrap' }}>
        {formatDate(day)}
      </Box>
    ),
  },
  {
    key: 'did',
    label: 'What it did',
    render: (session) => (
      <Text span inherit c="var(--tw-text-2)">
        {didWords(session)}
      </Text>
    ),
  },
  { key: 'result', label: 'Result', align: 'right', render: ({ result }) => <SignedMoney value={result} /> },
  { key: 'value', label: 'Worth after', align: 'right', render: ({ value }) => <Money value={value} /> },
];

const RowOnMobile = ({ session }: { session: PlanSession }) => (
  <div className={classes.row}>
    <span>
      <b>{formatDate(session.day)}</b>
      <SignedMoney value={session.result} />
    </span>
    <span>
      <Box component="small" flex="1 1 200px">
        {didWords(session)}
      </Box>
      <Box component="small" ml="auto">
        then <Money value={session.value} />
      </Box>
    </span>
  </div>
);

/** What each session brought or cost: as bars from one zero line, and in figures with the words for those without a trade. */
export function SessionResults({ sessions, query }: { sessions: readonly PlanSession[]; query: ListQuery }) {
  const newestFirst = sessions.toReversed();
  const { shown, paging } = usePages(newestFirst, PAGE_SIZE);
  const [first] = sessions;
  const last = newestFirst[0];
  return (
    <Panel
      title="Result by session"
      padded={false}
      control={
        <Text span inherit c="dimmed" fz="xs">
          {sessions.length === 1 ? '1 session' : `${sessions.length} sessions`}
        </Text>
      }
    >
      {first && last && (
        <div className={classes.chart}>
          <ResultBars
            results={sessions.map(({ day, result }) => ({ key: day, result }))}
            summary={summaryOf(sessions)}
            height={HEIGHT}
          />
          <Flex justify="space-between" mt={8} c="var(--tw-axis)" fz="var(--tw-fs-11)" lh="14px">
            <span>{formatDay(first.day)}</span>
            {sessions.length > 1 && <span>{formatDay(last.day)}</span>}
          </Flex>
        </div>
      )}
      <DataTable
        label="Result by session"
        columns={columns}
        rows={shown}
        rowKey={({ day }) => day}
        query={query}
        minHeight={200}
        paging={paging}
        mobileRow={(session) => <RowOnMobile session={session} />}
        empty={{
          icon: <IconChartBar size={20} stroke={1.5} />,
          title: 'No session yet',
          text: 'Each session adds a bar and a line, with the reason in words when the plan did not trade.',
        }}
      />
    </Panel>
  );
}

function summaryOf(sessions: readonly PlanSession[]): string {
  const results = sessions.flatMap(({ day, result }) => (result === null ? [] : [{ day, result }]));
  const up = results.filter(({ result }) => result > 0).length;
  const down = results.filter(({ result }) => result < 0).length;
  const words = `Result of ${sessions.length} sessions: ${up} up, ${down} down, ${sessions.length - results.length} without a trade.`;
  const [first, ...rest] = results.toSorted((one, other) => one.result - other.result);
  if (first === undefined) return words;
  const of = ({ day, result }: { day: string; result: number }) => `${formatSignedMoney(result)} on ${formatDate(day)}`;
  return `${words} Best ${of(rest.at(-1) ?? first)}, worst ${of(first)}.`;
}
