import { Group, Text } from '@mantine/core';
import { type Icon, IconAlertTriangle, IconHandStop, IconShieldX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import { integrity, solvencySeal } from '#contract/endpoints.ts';
import type { JobHealth } from '#contract/operator/jobs.ts';
import type { Overview } from '#contract/operator/overview.ts';
import type { SolvencySnapshot } from '#contract/solvency/proof.ts';
import { call } from '../../../api/call.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { pollEvery, queryOf } from '../../../api/query-of.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { Banner } from '../../../ui/frame/banner.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { Panel } from '../../../ui/layout/panel.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { formatAge, useSlowNow } from '../kit/age.ts';
import { type Check, CheckList } from '../kit/check-list.tsx';
import { countOf } from '../kit/count-of.ts';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';

type Checked = DataOf<typeof integrity.getIntegrity>;

const RUNNING_POLL_MS = 1_000;
const RESTING_POLL_MS = 30_000;

/** Polled every second while a reconciliation is running. */
const integrityQuery = queryOf(['operator', 'integrity'], integrity.getIntegrity, {
  refetchInterval: (query) => pollEvery(query.state.data?.running ? RUNNING_POLL_MS : RESTING_POLL_MS)(query),
});

const snapshotQuery = queryOf(['operator', 'snapshot'], solvencySeal.getSnapshot, {
  pollMs: RESTING_POLL_MS,
});

/** The last reconciliation and the newest proof of liabilities; admins can start either again. */
export function LedgerPanel() {
  const { role } = useOperator();
  const client = useQueryClient();
  const checked = useQuery(integrityQuery);
  const snapshot = useQuery(snapshotQuery);
  const check = useOperatorMutation(() => call(integrity.runIntegrity), ['integrity', 'overview']);
  const prove = useOperatorMutation(
    () => call(integrity.takeSnapshot),
    ['snapshot', 'overview'],
    (taken) => {
      if (taken === null) return toast.success('Proof requested', 'It is published within a minute.');
      client.setQueryData(snapshotQuery.queryKey, taken);
      toast.success(`Proof no. ${taken.no} published`, `All member balances are in its ${leavesOf(taken)}.`);
    },
  );
  const small = { size: 'sm', variant: 'default' } as const;
  return (
    <Panel
      title="Ledger"
      foot={
        role === 'admin' && (
          <Group gap="xs">
            <BusyButton
              {...small}
              busy={check.isPending || Boolean(checked.data?.running)}
              busyLabel="Running"
              onClick={() => check.mutate()}
            >
              Run reconciliation
            </BusyButton>
            <BusyButton {...small} busy={prove.isPending} busyLabel="Publishing" onClick={() => prove.mutate()}>
              Publish proof
            </BusyButton>
          </Group>
        )
      }
    >
      <KeyValues items={[...checkFacts(checked.data), ...proofFacts(snapshot.data)]} />
      {checked.data?.last?.findings.map(({ check: of, subject, message }) => (
        <Text
          key={`${of} ${subject} ${message}`}
          mt="xs"
          size="xs"
          c="var(--tw-loss)"
          style={{ overflowWrap: 'anywhere' }}
        >
          <b>
            {of}, {subject}
          </b>
          : {message}
        </Text>
      ))}
    </Panel>
  );
}

const outcomes = {
  passed: 'passed',
  failed: 'failed',
  broken: 'ended without a result',
  running: 'running',
} as const;
const scopes = { new: 'new entries', whole: 'whole ledger' } as const;

/** Unknown is a dash. */
function checkFacts(checked: Checked | undefined): [string, string][] {
  const last = checked?.last;
  if (!last) return [['Last reconciliation', checked === undefined ? '–' : 'none yet']];
  const tookMs = last.checks.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  return [
    ['Last reconciliation', formatDateTime(last.finished_at ?? last.started_at)],
    ['Scope', `${scopes[last.scope]}, ${last.checks.length} checks in ${(tookMs / 1000).toFixed(1)} s`],
    ['Outcome', outcomeOf(last)],
  ];
}

function outcomeOf({ state, findings }: NonNullable<Checked['last']>): string {
  if (findings.length > 0) return countOf(findings.length, 'discrepancy', 'discrepancies');
  return state === 'passed' ? 'no discrepancies' : outcomes[state];
}

const MICROS = 1e6;

/** Balance parts and padding, not members (docs/solvency.md, "Proof of liabilities"). */
const leavesOf = ({ leaves }: SolvencySnapshot): string => `${leaves.toLocaleString('en-US')} leaves`;

function proofFacts(snapshot: SolvencySnapshot | null | undefined) {
  if (!snapshot) return [['Proof of liabilities', snapshot === undefined ? '–' : 'none yet']] as const;
  const { no, taken_at, sum_micros, root } = snapshot;
  return [
    ['Proof of liabilities', `No. ${no}, ${formatDateTime(taken_at)}`],
    ['Liabilities', `${formatMoney(Number(sum_micros) / MICROS, 2)} in ${leavesOf(snapshot)}`],
    ['Root', <CodeText key="root">{`${root.slice(0, 16)}…`}</CodeText>],
  ] as const;
}

/** A job that needs an operator. */
const isBroken = ({ state, overdue }: JobHealth): boolean => state === 'failing' || overdue;

type Alarm = { title: string; text: string; Icon?: Icon };

/** The most severe first. */
export function alarmsOf(overview: Overview): Alarm[] {
  const {
    assets,
    liabilities,
    coverage,
    integrity: ledger,
    payouts,
    queues,
    feed,
    session,
    venue,
    jobs,
    backup,
  } = overview;
  const uncertain = queues.withdrawals.find(({ state }) => state === 'uncertain')?.count ?? 0;
  const broken = jobs.filter(isBroken);
  return [
    coverage !== null &&
      coverage < 1 && {
        title: 'Liabilities exceed assets',
        // Based on the ledger: holders may report less while the ledger has a surplus.
        text: `${formatMoney(liabilities - assets.counted, 2)} is missing. Weekly and monthly income is on hold until assets cover liabilities again. Payouts stay stopped until an operator resumes them.`,
      },
    ...ledger.alarms.map(({ cause, why, raised_at }) => ({
      Icon: IconShieldX,
      title: cause === 'solvency' ? 'Solvency alarm' : 'Reconciliation failed',
      text: `${formatDateTime(raised_at)}: ${why}`,
    })),
    payouts.stopped && {
      Icon: IconHandStop,
      title: 'Payouts are stopped',
      text: [payouts.at && `Since ${formatDateTime(payouts.at)}.`, payouts.why].filter(Boolean).join(' '),
    },
    session.halt !== null && {
      Icon: IconHandStop,
      title: 'Trading is halted',
      text: `Since ${formatDateTime(session.halt.at)}. ${session.halt.reason}`,
    },
    uncertain > 0 && {
      title: countOf(uncertain, 'payout with unknown outcome', 'payouts with unknown outcome'),
      text: 'Check at the gateway whether they were sent, then resolve them in the withdrawal queue.',
    },
    feed.stale && { title: 'Prices are stale', text: 'No trade opens or settles until new prices arrive.' },
    venue.state === 'down' && { title: 'The venue does not respond', text: venue.reason ?? 'No reason was given.' },
    venue.funds !== null &&
      venue.funds.short === true && {
        title: 'The exchange has too little free money',
        text: fundsText(venue.funds),
      },
    ...venue.halted.map(({ symbol, reason, since }) => ({
      Icon: IconHandStop,
      title: `${symbol.toUpperCase()} is halted at the exchange`,
      text: `Since ${formatDateTime(since)}: ${reason}`,
    })),
    backup.overdue && {
      title: 'The backup is overdue',
      text: `Last backup: ${backup.at === null ? 'none yet' : formatDateTime(backup.at)}. Look at the log of the backup service.`,
    },
    broken.length > 0 && {
      title: countOf(broken.length, 'job is failing', 'jobs are failing'),
      text: broken.map(({ name }) => name).join(', '),
    },
  ].filter((alarm) => alarm !== false);
}

type Funds = NonNullable<Overview['venue']['funds']>;

/** The balance available for orders, when the exchange reported it, and what queued trades need. */
const fundsText = ({ free, free_at, queued }: Funds): string => {
  const has = free === null ? 'unknown' : formatMoney(free, 2);
  return `${has} free${free_at === null ? '' : `, as of ${formatDateTime(free_at)}`}. Queued trades need ${formatMoney(queued, 2)}.`;
};

/** In the loss colour, above everything else: each needs an operator. */
export const Alarms = ({ overview }: { overview: Overview }) =>
  alarmsOf(overview).map(({ title, text, Icon: Sign = IconAlertTriangle }) => (
    <Banner key={`${title} ${text}`} tone="loss" icon={Sign} title={title}>
      {text}
    </Banner>
  ));

/** Whether prices, orders, payouts and the ledger are healthy. */
function healthOf({ feed, session, venue, payouts, integrity: { last }, backup }: Overview): Check[] {
  const feedState = feed.stale ? 'stale since' : feed.ended ? 'ended' : 'at';
  const venueState = `${venue.state}${venue.since ? ` since ${formatDateTime(venue.since)}` : ''}`;
  return [
    {
      key: 'feed',
      state: feed.stale || feed.ended ? 'warning' : 'done',
      words: `Prices: ${feed.label ?? 'live'}, ${feedState} ${formatDateTime(feed.at)}`,
    },
    { key: 'session', state: session.state === 'settling' ? 'waiting' : 'done', words: `Session: ${session.state}` },
    {
      key: 'venue',
      state: venue.state === 'up' ? 'done' : 'warning',
      words: `Venue: ${venue.kind === 'paper' ? 'paper, always up' : venueState}`,
    },
    ...venueChecks(venue),
    {
      key: 'payouts',
      state: payouts.stopped ? 'warning' : 'done',
      words: `Payouts: ${payouts.stopped ? 'stopped' : 'active'}`,
    },
    last === null
      ? { key: 'ledger', state: 'waiting', words: 'Reconciliation: none yet' }
      : {
          key: 'ledger',
          state: last.state === 'passed' ? 'done' : 'warning',
          words: `Reconciliation: ${outcomes[last.state]}, ${formatDateTime(last.finished_at ?? last.started_at)}`,
        },
    {
      key: 'backup',
      state: backup.overdue ? 'warning' : backup.at === null ? 'waiting' : 'done',
      words: `Backup: ${backup.at === null ? 'none yet' : formatDateTime(backup.at)}`,
    },
  ];
}

/** Money, halted assets and residuals at an exchange; nothing in paper mode. */
function venueChecks({ kind, funds, halted, residuals }: Overview['venue']): Check[] {
  if (kind === 'paper') return [];
  return [
    ...(funds === null ? [] : [fundsCheck(funds)]),
    {
      key: 'halted',
      state: halted.length > 0 ? 'warning' : 'done',
      words: `Halted assets: ${halted.map(({ symbol }) => symbol.toUpperCase()).join(', ') || 'none'}`,
    },
    {
      key: 'residuals',
      state: 'done',
      words: `Residuals: ${residuals.length === 0 ? 'none' : residualText(residuals)}`,
    },
  ];
}

function fundsCheck(funds: Funds): Check {
  const known = funds.free === null ? 'waiting' : 'done';
  return { key: 'funds', state: funds.short ? 'warning' : known, words: `Exchange funds: ${fundsText(funds)}` };
}

/** `$70.00 in 2 assets`; if one of them has no price, there is no total. */
function residualText(residuals: Overview['venue']['residuals']): string {
  const values = residuals.flatMap(({ value }) => value ?? []);
  const sum = values.reduce((total, value) => total + value, 0);
  const assets = countOf(residuals.length, 'asset');
  return values.length < residuals.length ? `${assets}, value unknown` : `${formatMoney(sum, 2)} in ${assets}`;
}

export const HealthPanel = ({ overview }: { overview: Overview }) => (
  <Panel title="Health">
    <CheckList checks={healthOf(overview)} />
  </Panel>
);

/** Failing jobs by name; the others as a count. */
export function jobChecks(jobs: readonly JobHealth[], now: number): Check[] {
  if (jobs.length === 0) return [{ key: 'none', state: 'waiting', words: 'No jobs yet' }];
  const broken = jobs.filter(isBroken).map((job): Check => {
    const since = job.last_success_at === null ? 'never' : `${formatAge(now - Date.parse(job.last_success_at))} ago`;
    const fault = job.last_fault === null ? '' : `, ${job.last_fault}`;
    return { key: job.name, state: 'warning', words: `${job.name}: last success ${since}${fault}` };
  });
  const fine = jobs.length - broken.length;
  if (fine === 0) return broken;
  return [...broken, { key: 'fine', state: 'done', words: countOf(fine, 'job runs normally', 'jobs run normally') }];
}

export const JobsPanel = ({ jobs }: { jobs: readonly JobHealth[] }) => (
  <Panel title="Jobs">
    <CheckList checks={jobChecks(jobs, useSlowNow())} />
  </Panel>
);
