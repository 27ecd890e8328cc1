import { Box, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Overview } from '#contract/operator/overview.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { formatMoney, formatPercent } from '../../../ui/format/number.ts';
import { formatDate, formatDateTime } from '../../../ui/format/time.ts';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { Panel, Rows } from '../../../ui/layout/panel.tsx';
import { consolePath } from '../../../ui/paths.ts';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { TextLink } from '../../../ui/text/text.tsx';
import { formatAge, useSlowNow } from '../kit/age.ts';
import { Quiet } from '../kit/detail-panel.tsx';
import { Loaded } from '../kit/list-table.tsx';
import { PayoutNeedsBanner } from '../kit/payout-needs.tsx';
import { everyRole, ticketRoles } from '../roles.ts';
import { overviewQuery } from '../shell/queries.ts';
import { Alarms, HealthPanel, JobsPanel, LedgerPanel } from './health.tsx';

/** Solvency, queues, totals of the day and health. */
export function OverviewPage() {
  const query = useQuery(overviewQuery);
  const { data } = query;
  return (
    <>
      <PageHead
        title="Overview"
        facts={
          data
            ? `As of ${formatDateTime(data.at)}. Market day ${formatDate(data.today.day)}${data.simulated ? ', simulated money' : ''}.`
            : 'Solvency, queues and health.'
        }
      />
      <Loaded query={query} title="The overview could not be loaded">
        {(overview) => (
          <>
            <Alarms overview={overview} />
            {overview.payouts.needs && <PayoutNeedsBanner needs={overview.payouts.needs} />}
            <CoverFigures overview={overview} />
            <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
              <QueuesPanel queues={overview.queues} />
              <Stack>
                <TodayPanel today={overview.today} />
                <HealthPanel overview={overview} />
                <LedgerPanel />
                <JobsPanel jobs={overview.jobs} />
              </Stack>
            </SimpleGrid>
          </>
        )}
      </Loaded>
    </>
  );
}

/** Coverage of liabilities; framed in the loss colour below 100 %. */
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
              ? `${formatMoney(assets.counted, 2)} reported and counted`
              : 'assets to liabilities'
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
        <Figure label="Liabilities" foot="owed to members and pools">
          {formatMoney(liabilities, 2)}
        </Figure>
        <Figure label="Surplus" foot="company funds">
          {formatMoney(surplus, 2)}
        </Figure>
      </FigureStrip>
    </Box>
  );
}

/** Every queue, with a link to its page. */
function QueuesPanel({ queues }: { queues: Overview['queues'] }) {
  const { role } = useOperator();
  const now = useSlowNow();
  return (
    <Panel title="Queues" rule padded={false}>
      <Rows>
        {linesOf(queues).map(
          ({ label, count, amount, unit = '', oldest_at, note, page, roles = everyRole, search = '' }) => (
            <Group key={label} component="li" gap="sm" wrap="nowrap" fz="sm">
              <Box flex={1} miw={0}>
                {page !== undefined && roles.includes(role) ? (
                  <TextLink to={{ pathname: consolePath(page), search }}>{label}</TextLink>
                ) : (
                  label
                )}
                {note && <Quiet>{note}</Quiet>}
              </Box>
              <Box ta="right">
                {amount !== undefined && count > 0 && formatMoney(amount, 2) + unit}
                {oldest_at && <Quiet>oldest {formatAge(now - Date.parse(oldest_at))}</Quiet>}
              </Box>
              <Text miw={44} ta="right" fz="sm" {...(count === 0 ? { c: 'dimmed' } : { fw: 600 })}>
                {count.toLocaleString('en-US')}
              </Text>
            </Group>
          ),
        )}
      </Rows>
    </Panel>
  );
}

type QueueLine = {
  label: string;
  count: number;
  amount?: number;
  unit?: string;
  oldest_at?: string | null;
  note?: string | false;
  /** A console page and the query string of its address. */
  page?: string;
  /** The roles that have this page, if restricted. */
  roles?: readonly OperatorRole[];
  search?: string;
};

const withdrawalLabels = {
  requested: 'Withdrawals to approve',
  approved: 'Withdrawals to pay',
  sent: 'Payouts in transit',
  uncertain: 'Payouts with unknown outcome',
} as const;

/** The most urgent queues first. */
function linesOf(queues: Overview['queues']): QueueLine[] {
  const {
    withdrawals,
    deposits_in_review,
    two_person,
    tickets,
    emails,
    proposals,
    rewards,
    statement,
    gateway_statement,
  } = queues;
  return [
    ...withdrawals.map(({ state, ...queue }) => ({
      ...queue,
      label: withdrawalLabels[state],
      unit: ' net',
      page: 'withdrawals',
      ...(state !== 'requested' && { search: `?state=${state}` }),
      note: state === 'requested' && two_person.count > 0 && `${two_person.count} need two operators`,
    })),
    { ...deposits_in_review, label: 'Deposits in review', page: 'deposits' },
    {
      ...tickets,
      label: 'Open tickets',
      page: 'tickets',
      roles: ticketRoles,
      note: tickets.unassigned > 0 && `${tickets.unassigned} unassigned`,
    },
    { label: 'Restrictions to lift', count: proposals.loosenings, page: 'loosenings' },
    { label: 'Email changes to check', count: proposals.email_changes, page: 'email-changes' },
    { label: 'Adjustments to approve', count: proposals.adjustments, page: 'adjustments' },
    { label: 'Treasury moves to approve', count: proposals.treasury_moves, page: 'treasury' },
    { label: 'Exchange fills to approve', count: proposals.venue_fills, page: 'exchange-fills' },
    {
      ...statement,
      label: 'Exchange statement, open entries',
      page: 'exchange-statement',
      note: proposals.statement_lines > 0 && `${proposals.statement_lines} to approve`,
    },
    { ...gateway_statement, label: 'Gateway statement, open entries', page: 'gateway-statement' },
    { label: 'Statements of reserves to approve', count: proposals.reserves, page: 'reserves' },
    { label: 'Position limits to approve', count: proposals.asset_limits, page: 'asset-limits' },
    { label: 'Fee plans to approve', count: proposals.fee_plans, page: 'fee-plans', search: '?view=proposed' },
    {
      label: 'Announcements to approve',
      count: proposals.announcements,
      page: 'announcements',
      roles: ticketRoles,
      search: '?view=proposed',
    },
    { ...rewards, label: 'Rewards waiting for their pool' },
    {
      ...emails,
      label: 'Emails queued',
      page: 'jobs',
      note: emails.failed > 0 && `${emails.failed} failed permanently`,
    },
  ];
}

/** Totals of the market day. */
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
          line('Income paid to members', today.incomes),
        ]}
      />
    </Panel>
  );
}
