import { Box, Flex, Text } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import type { PlanSession } from '#contract/trading/plan.ts';
import { plural, t, translate } from '../../api/texts.ts';
import { useNegativeMembers } from '../../entities/trade/negative-members.ts';
import { summariseSessions } from '../../entities/trade/session-bars.tsx';
import { ResultBars } from '../../ui/charts/result-bars.tsx';
import { formatDate, formatDay } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import { type Column, DataTable, MobileRow } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { useKeptState } from '../../ui/table/use-kept-state.ts';
import { usePages } from '../../ui/table/use-pages.ts';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { Day, Quiet, Trans } from '../../ui/text/text.tsx';

const HEIGHT = 128;
const PAGE_SIZE = 10;

const tradesText = ({ trades }: PlanSession) => plural(trades, { one: '# trade', other: '# trades' });
/** A session's outcome: the number of trades, or why there were none. */
const outcomeText = (session: PlanSession) => (session.words === null ? tradesText(session) : translate(session.words));

const columns: readonly Column<PlanSession>[] = [
  column(t`Session`, ({ day }) => <Day on={day} />),
  column(t`Activity`, (session) => <Quiet>{outcomeText(session)}</Quiet>),
  rightColumn(t`P&L`, ({ result }) => <SignedMoney value={result} />),
  rightColumn(t`Value after`, ({ value }) => <Money value={value} />),
];

const RowOnMobile = ({ session }: { session: PlanSession }) => (
  <MobileRow>
    <span>
      {formatDate(session.day)}
      <SignedMoney value={session.result} />
    </span>
    <span>
      <small>{outcomeText(session)}</small>
      <Box component="small" flex="none">
        <Trans text={t`Value after: <value/>`} value={<Money value={session.value} />} />
      </Box>
    </span>
  </MobileRow>
);

/** The result of each session: as bars from one zero line, and as figures, with the reason where there was no trade. */
export function SessionResults({ sessions, query }: { sessions: readonly PlanSession[]; query: ListQuery }) {
  const newestFirst = sessions.toReversed();
  const { shown, paging } = usePages(newestFirst, PAGE_SIZE, useKeptState('sessions', 0));
  const [first] = sessions;
  const last = newestFirst[0];
  return (
    <Panel
      title={t`P&L by session`}
      padded={false}
      foot={useNegativeMembers()}
      control={
        <Text span inherit c="dimmed" fz="xs">
          {plural(sessions.length, { one: '# session', other: '# sessions' })}
        </Text>
      }
    >
      {first && last && (
        <Box px={{ base: 'md', sm: 20 }} pt={8} pb="md" style={{ borderBottom: '1px solid var(--tw-line)' }}>
          <ResultBars
            results={sessions.map(({ day, result }) => ({ key: day, result }))}
            summary={summariseSessions(sessions)}
            height={HEIGHT}
          />
          <Flex justify="space-between" mt={8} c="var(--tw-axis)" fz="var(--tw-fs-11)" lh="0.875rem">
            <span>{formatDay(first.day)}</span>
            {sessions.length > 1 && <span>{formatDay(last.day)}</span>}
          </Flex>
        </Box>
      )}
      <DataTable
        label={t`P&L by session`}
        columns={columns}
        rows={shown}
        rowKey={({ day }) => day}
        query={query}
        minHeight={200}
        paging={paging}
        mobileRow={(session) => <RowOnMobile session={session} />}
        empty={{
          icon: IconChartBar,
          title: t`No sessions yet`,
          text: t`Each session adds a bar and a row. If the plan did not trade, the row says why.`,
        }}
      />
    </Panel>
  );
}
