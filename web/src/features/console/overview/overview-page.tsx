import { Box, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Overview } from '#contract/operator/overview.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { formatMoney, formatSignedMoney } from '../../../ui/format/money.ts';
import { formatPercent } from '../../../ui/format/percent.ts';
import { formatDate, formatDateTime } from '../../../ui/format/time.ts';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Panel } from '../../../ui/frame/panel.tsx';
import { Rows } from '../../../ui/frame/rows.tsx';
import { consolePath } from '../../../ui/paths.ts';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { TextLink } from '../../../ui/text/text-link.tsx';
import { formatAge, useSlowNow } from '../kit/age.ts';
import { DeskError, DeskLoading } from '../kit/list-table.tsx';
import { Quiet } from '../kit/quiet.tsx';
import { answerers, everyRole } from '../roles.ts';
import { overviewQuery } from '../shell/queries.ts';
import { Alarms, BooksPanel, HealthPanel, JobsPanel } from './health.tsx';

/** Whether it is solvent, what moved today, what waits for whom, and whether everything runs. */
export function OverviewPage() {
  const query = useQuery(overviewQuery);
  const { data: overview } = query;
  return (
    <>
      <PageHead
        title="Overview"
        facts={
          overview
            ? `As of ${formatDateTime(overview.at)}. Market day ${formatDate(overview.today.day)}${overview.simulated ? ', simulated money' : ''}.`
            : 'What is held and owed, what moves and what waits.'
        }
      />
      {overview ? (
        <>
          <Alarms overview={overview} />
          <CoverFigures overview={overview} />
          <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
            <QueuesPanel queues={overview.queues} />
            <Stack>
              <TodayPanel today={overview.today} />
              <HealthPanel overview={overview} />
              <BooksPanel />
              <JobsPanel jobs={overview.jobs} />
            </Stack>
          </SimpleGrid>
        </>
      ) : query.isError ? (
        <DeskError query={query} title="The overview could not be loaded" />
      ) : (
        <DeskLoading />
      )}
    </>
  );
}

/** The promise in four figures; framed in rose as soon as it does not hold. */
function CoverFigures({ overview }: { overview: Overview }) {
  const { assets, liabilities, surplus, coverage } = overview;
  const isShort = coverage !== null && coverage < 1;
  return (
    <Box {...(isShort && { bdrs: 'lg', style: { boxShadow: '0 0 0 1px var(--tw-loss)' } })}>
      <FigureStrip>
        <Figure
          label="Coverage"
          foot={
            assets.counted < assets.booked
              ? `${formatMoney(assets.counted, 2)} reported counts`
              : 'assets of liabilities'
          }
        >
          {formatPercent(coverage === null ? null : coverage * 100)}
        </Figure>
        <Figure
          label="Assets, booked"
          foot={`gateway ${formatMoney(assets.gateway, 2)}, venue ${formatMoney(assets.venue, 2)}`}
        >
          {formatMoney(assets.booked, 2)}
        </Figure>
        <Figure label="Liabilities" foot="all that members and pools are owed">
          {formatMoney(liabilities, 2)}
        </Figure>
        <Figure label="Surplus" foot="what is the house’s own">
          {formatSignedMoney(surplus, 2)}
        </Figure>
      </FigureStrip>
    </Box>
  );
}

/** Everything that waits for somebody, and the way to it. */
function QueuesPanel({ queues }: { queues: Overview['queues'] }) {
  const operator = useOperator();
  const now = useSlowNow();
  return (
    <Panel title="What waits" rule padded={false}>
      <Rows>
        {linesOf(queues).map(({ key, label, count, amount, oldestAt, note, page, roles = everyRole, search = '' }) => (
          <Group key={key} component="li" gap="sm" wrap="nowrap" fz="sm">
            <Box flex={1} miw={0}>
              {page !== undefined && operator && roles.includes(operator.role) ? (
                <TextLink to={{ pathname: consolePath(page), search }}>{label}</TextLink>
              ) : (
                label
              )}
              {note && <Quiet>{note}</Quiet>}
            </Box>
            <Box ta="right">
              {amount !== undefined && count > 0 && formatMoney(amount, 2)}
              {oldestAt && <Quiet>oldest {formatAge(now - Date.parse(oldestAt))}</Quiet>}
            </Box>
            <Text miw={44} ta="right" fz="sm" {...(count === 0 ? { c: 'dimmed' } : { fw: 600 })}>
              {count.toLocaleString('en-US')}
            </Text>
          </Group>
        ))}
      </Rows>
    </Panel>
  );
}

type QueueLine = {
  key: string;
  label: string;
  count: number;
  amount?: number;
  oldestAt?: string | null;
  note?: string;
  /** Of the console, and what its address says behind the question mark. */
  page?: string;
  /** Who has that page, where it is not for everybody. */
  roles?: readonly OperatorRole[];
  search?: string;
};

const withdrawalLabels = {
  requested: 'Withdrawals to approve',
  approved: 'Withdrawals to pay',
  sent: 'Payouts on their way',
  uncertain: 'Payouts that are uncertain',
} as const;

/** The queues as lines, in the order in which money and people wait. */
function linesOf(queues: Overview['queues']): QueueLine[] {
  const { two_person, tickets, mails, proposals, rewards } = queues;
  return [
    ...queues.withdrawals.map(({ state, count, amount, oldest_at }) => ({
      key: state,
      label: withdrawalLabels[state],
      count,
      amount,
      oldestAt: oldest_at,
      page: 'withdrawals',
      ...(state !== 'requested' && { search: `?state=${state}` }),
      ...(state === 'requested' && two_person.count > 0 && { note: `${two_person.count} by two operators` }),
    })),
    {
      key: 'deposits',
      label: 'Deposits in review',
      count: queues.deposits_in_review.count,
      amount: queues.deposits_in_review.amount,
      oldestAt: queues.deposits_in_review.oldest_at,
      page: 'deposits',
    },
    {
      key: 'tickets',
      label: 'Open tickets',
      count: tickets.count,
      oldestAt: tickets.oldest_at,
      page: 'tickets',
      roles: answerers,
      ...(tickets.unassigned > 0 && { note: `${tickets.unassigned} with nobody` }),
    },
    { key: 'adjustments', label: 'Adjustments to approve', count: proposals.adjustments, page: 'adjustments' },
    { key: 'treasury', label: 'Treasury moves to approve', count: proposals.treasury_moves, page: 'treasury' },
    {
      key: 'fee_plans',
      label: 'Fee plans to approve',
      count: proposals.fee_plans,
      page: 'fee-plans',
      search: '?view=proposed',
    },
    {
      key: 'rewards',
      label: 'Rewards that wait for their pool',
      count: rewards.count,
      amount: rewards.amount,
      oldestAt: rewards.oldest_at,
    },
    {
      key: 'mails',
      label: 'Mails to send',
      count: mails.count,
      oldestAt: mails.oldest_at,
      page: 'jobs',
      ...(mails.failed > 0 && { note: `${mails.failed} given up` }),
    },
  ];
}

/** What came in, went out and was earned on this market day. */
function TodayPanel({ today }: { today: Overview['today'] }) {
  const line = (label: string, value: number) => [label, <Money key={label} value={value} decimals={2} />] as const;
  return (
    <Panel title="Today" control={`Market day ${formatDate(today.day)}`}>
      <KeyValues
        rule
        items={[
          line('Deposits credited', today.deposits),
          line('Withdrawals paid', today.withdrawals),
          line('Trade fees', today.trade_fees),
          line('Performance fees', today.performance_fees),
          line('Withdrawal fees', today.withdrawal_fees),
          line('Incomes paid to members', today.incomes),
        ]}
      />
    </Panel>
  );
}
