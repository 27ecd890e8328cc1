import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconHandStop, IconShieldX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DataOf } from '#contract/endpoint.ts';
import type { integrity } from '#contract/operator/integrity.ts';
import type { JobHealth } from '#contract/operator/jobs.ts';
import type { Overview } from '#contract/operator/overview.ts';
import type { SolvencySnapshot } from '#contract/solvency/proof.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { Banner } from '../../../ui/frame/banner.tsx';
import { Panel } from '../../../ui/frame/panel.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { formatAge, useSlowNow } from '../kit/age.ts';
import { type Check, CheckList } from '../kit/check-list.tsx';
import { integrityQuery, snapshotQuery, useCheckNow, useSealNow } from './queries.ts';

type Checked = DataOf<typeof integrity.getIntegrity>;

/** The last check of the books and the newest seal of what is owed; admins make another of each at once. */
export function BooksPanel() {
  const operator = useOperator();
  const checked = useQuery(integrityQuery);
  const snapshot = useQuery(snapshotQuery);
  const check = useCheckNow();
  const seal = useSealNow();
  const isRunning = Boolean(checked.data?.running);
  return (
    <Panel
      title="Books"
      foot={
        operator?.role === 'admin' && (
          <Group gap="xs">
            <BusyButton
              size="sm"
              variant="default"
              busy={check.isPending || isRunning}
              busyLabel="Checking"
              onClick={() => check.mutate()}
            >
              Check now
            </BusyButton>
            <BusyButton
              size="sm"
              variant="default"
              busy={seal.isPending}
              busyLabel="Sealing"
              onClick={() =>
                seal.mutate(undefined, {
                  onSuccess: ({ no, leaves }) => toast.success(`Sealed as no. ${no}`, `${leaves} members counted.`),
                })
              }
            >
              Seal now
            </BusyButton>
          </Group>
        )
      }
    >
      <KeyValues items={[...checkFacts(checked.data), ...sealFacts(snapshot.data)]} />
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

const verdicts = {
  passed: 'nothing found',
  failed: 'wrong',
  broken: 'ended without a result',
  running: 'under way',
} as const;
const scopes = { new: 'what came since', whole: 'everything' } as const;

/** What is not known is a dash. */
function checkFacts(checked: Checked | undefined): [string, string][] {
  const last = checked?.last;
  if (!last) return [['Last check', checked === undefined ? '–' : 'none yet']];
  const tookMs = last.checks.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  return [
    ['Last check', `${formatDateTime(last.finished_at ?? last.started_at)}`],
    ['Looked at', `${scopes[last.scope]}, ${last.checks.length} checks in ${(tookMs / 1000).toFixed(1)} s`],
    ['Result', last.findings.length === 0 ? verdicts[last.state] : `${last.findings.length} found`],
  ];
}

const MICROS = 1e6;

function sealFacts(snapshot: SolvencySnapshot | null | undefined) {
  if (!snapshot) return [['Last seal', snapshot === undefined ? '–' : 'none yet']] as const;
  const { no, taken_at, leaves, sum_micros, root } = snapshot;
  return [
    ['Last seal', `no. ${no}, ${formatDateTime(taken_at)}`],
    ['Owed then', `${formatMoney(Number(sum_micros) / MICROS, 2)} to ${leaves.toLocaleString('en-US')} members`],
    ['Root', <CodeText key="root">{`${root.slice(0, 16)}…`}</CodeText>],
  ] as const;
}

type Alarm = { key: string; icon: ReactNode; title: string; text: string };

const icon = { size: 20, stroke: 1.5 } as const;

/** What is wrong, the worst first; nothing when nothing is. */
export function alarmsOf(overview: Overview): Alarm[] {
  const { coverage, surplus, integrity, payouts, queues, feed, session, venue, jobs } = overview;
  const alarms: Alarm[] = [];
  if (coverage !== null && coverage < 1) {
    alarms.push({
      key: 'cover',
      icon: <IconAlertTriangle {...icon} />,
      title: 'More is owed than is held',
      text: `${formatMoney(-surplus, 2)} is missing. Payouts, weekly and monthly incomes wait until the books are right.`,
    });
  }
  for (const { cause, why, raised_at } of integrity.alarms) {
    alarms.push({
      key: `${cause} ${raised_at}`,
      icon: <IconShieldX {...icon} />,
      title: cause === 'solvency' ? 'Solvency alarm' : 'The books do not add up',
      text: `${formatDateTime(raised_at)}: ${why}`,
    });
  }
  if (payouts.stopped) {
    alarms.push({
      key: 'payouts',
      icon: <IconHandStop {...icon} />,
      title: 'Payouts are stopped',
      text: [payouts.at && `Since ${formatDateTime(payouts.at)}.`, payouts.why].filter(Boolean).join(' '),
    });
  }
  if (session.halt !== null) {
    alarms.push({
      key: 'halt',
      icon: <IconHandStop {...icon} />,
      title: 'Trading is halted',
      text: `Since ${formatDateTime(session.halt.at)}. ${session.halt.reason}`,
    });
  }
  const uncertain = queues.withdrawals.find(({ state }) => state === 'uncertain')?.count ?? 0;
  if (uncertain > 0) {
    alarms.push({
      key: 'uncertain',
      icon: <IconAlertTriangle {...icon} />,
      title: uncertain === 1 ? 'One payout is uncertain' : `${uncertain} payouts are uncertain`,
      text: 'Somebody has to look at the gateway: nobody knows whether they left.',
    });
  }
  if (feed.stale) {
    alarms.push({
      key: 'feed',
      icon: <IconAlertTriangle {...icon} />,
      title: 'Prices are stale',
      text: 'No trade opens or settles until prices come again.',
    });
  }
  if (venue.state === 'down') {
    alarms.push({
      key: 'venue',
      icon: <IconAlertTriangle {...icon} />,
      title: 'The venue does not answer',
      text: venue.reason ?? 'It gave no reason.',
    });
  }
  const broken = jobs.filter((job) => job.state === 'failing' || job.overdue);
  if (broken.length > 0) {
    alarms.push({
      key: 'jobs',
      icon: <IconAlertTriangle {...icon} />,
      title: broken.length === 1 ? 'One job is in trouble' : `${broken.length} jobs are in trouble`,
      text: broken.map(({ name }) => name).join(', '),
    });
  }
  return alarms;
}

/** Rose, above everything else: somebody has to do something about each of them. */
export function Alarms({ overview }: { overview: Overview }) {
  return alarmsOf(overview).map(({ key, icon: sign, title, text }) => (
    <Banner key={key} tone="loss" icon={sign} title={title}>
      {text}
    </Banner>
  ));
}

/** Whether prices come, orders go and the books are right. */
function healthOf({ feed, session, venue, payouts, integrity }: Overview): Check[] {
  return [
    {
      key: 'feed',
      state: feed.stale || feed.ended ? 'look' : 'done',
      words: `Prices: ${feed.label ?? 'live'}, ${feed.stale ? 'stale since' : feed.ended ? 'ended' : 'at'} ${formatDateTime(feed.at)}`,
    },
    {
      key: 'session',
      state: session.state === 'settling' ? 'waits' : 'done',
      words: `Session: ${session.state}`,
    },
    {
      key: 'venue',
      state: venue.state === 'up' ? 'done' : 'look',
      words:
        venue.kind === 'paper'
          ? 'Venue: paper, always up'
          : `Venue: ${venue.state}${venue.since ? ` since ${formatDateTime(venue.since)}` : ''}`,
    },
    {
      key: 'payouts',
      state: payouts.stopped ? 'look' : 'done',
      words: payouts.stopped ? 'Payouts: stopped' : 'Payouts: going on',
    },
    booksOf(integrity),
  ];
}

const booksWords = {
  passed: 'right',
  failed: 'wrong',
  broken: 'could not be checked',
  running: 'being checked',
} as const;

function booksOf({ last }: Overview['integrity']): Check {
  if (last === null) return { key: 'integrity', state: 'waits', words: 'Books: not checked yet' };
  return {
    key: 'integrity',
    state: last.state === 'passed' ? 'done' : 'look',
    words: `Books: ${booksWords[last.state]}, ${formatDateTime(last.finished_at ?? last.started_at)}`,
  };
}

export function HealthPanel({ overview }: { overview: Overview }) {
  return (
    <Panel title="Health">
      <CheckList checks={healthOf(overview)} />
    </Panel>
  );
}

/** Those in trouble first: the rest is one line. */
export function jobChecks(jobs: readonly JobHealth[], now: number): Check[] {
  const isBroken = (job: JobHealth) => job.state === 'failing' || job.overdue;
  const broken = jobs.filter(isBroken).map((job): Check => {
    const since = job.last_success_at === null ? 'never' : `${formatAge(now - Date.parse(job.last_success_at))} ago`;
    const fault = job.last_fault === null ? '' : `, ${job.last_fault}`;
    return { key: job.name, state: 'look', words: `${job.name}: last success ${since}${fault}` };
  });
  if (jobs.length === 0) return [{ key: 'none', state: 'waits', words: 'No worker ran yet' }];
  const fine = jobs.length - broken.length;
  return fine === 0
    ? broken
    : [
        ...broken,
        {
          key: 'fine',
          state: 'done',
          words: fine === 1 ? 'One job runs as it should' : `${fine} jobs run as they should`,
        },
      ];
}

export function JobsPanel({ jobs }: { jobs: readonly JobHealth[] }) {
  const now = useSlowNow();
  return (
    <Panel title="Jobs">
      <CheckList checks={jobChecks(jobs, now)} />
    </Panel>
  );
}
