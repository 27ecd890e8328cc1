import { Button } from '@mantine/core';
import { IconMail, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { consoleJobs } from '#contract/endpoints.ts';
import type { FailedEmail, JobHealth } from '#contract/operator/jobs.ts';
import { call } from '../../../api/call.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatDateTime, formatShortDateTime } from '../../../ui/format/time.ts';
import { toast } from '../../../ui/frame/toast.ts';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { formatAge, useSlowNow } from '../kit/age.ts';
import { column, lines, rightColumn, timeLines, unlabelledColumn } from '../kit/columns.tsx';
import { ListFrame } from '../kit/list-page.tsx';
import { ListTable, useList } from '../kit/list-table.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';

const JOBS_POLL_MS = 5_000;

const jobsQuery = queryOf(['operator', 'jobs', 'list'], consoleJobs.listJobs, { pollMs: JOBS_POLL_MS });

/** Background jobs, and emails that failed permanently. */
export function JobsPage() {
  const isAdmin = useOperator().role === 'admin';
  const [params, setParams] = useSearchParams();
  const tab = isAdmin && params.get('tab') === 'emails' ? 'emails' : 'jobs';
  const tabs = [
    { value: 'jobs', label: 'Jobs' },
    ...(isAdmin ? ([{ value: 'emails', label: 'Failed emails' }] as const) : []),
  ] as const;
  return (
    <>
      <PageHead title="Jobs" facts="Background jobs, with their last success and last error." />
      <ListFrame
        tabs={{
          label: 'Jobs',
          tabs,
          value: tab,
          onChange: (next) => setParams(next === 'jobs' ? {} : { tab: next }),
        }}
      >
        {tab === 'jobs' ? <JobList isAdmin={isAdmin} /> : <MailList />}
      </ListFrame>
    </>
  );
}

function JobList({ isAdmin }: { isAdmin: boolean }) {
  const query = useQuery(jobsQuery);
  const columns = jobColumns(useSlowNow());
  return (
    <ListTable
      label="Jobs"
      whole
      columns={isAdmin ? [...columns, runColumn] : columns}
      rowKey={(row) => row.name}
      list={{ query, rows: query.data?.items }}
      empty={{ icon: IconSettings, title: 'No jobs yet' }}
    />
  );
}

const jobColumns = (now: number): readonly Column<JobHealth>[] => [
  column('Job', ({ name, kind, cron }) =>
    lines(name, kind === 'loop' ? 'runs continuously' : `queue${cron ? `, ${cron} UTC` : ''}`),
  ),
  column('State', (row) => <StateBadge of="job" state={row.overdue ? 'overdue' : row.state} />, { width: '112px' }),
  column(
    'Last success',
    (row) => lines(ageOf(row, now), row.last_success_at !== null && formatDateTime(row.last_success_at)),
    { width: '170px', drop: 'next', below: (row) => `success ${ageOf(row, now)}` },
  ),
  rightColumn('Duration', (row) => (row.took_ms === null ? '–' : `${row.took_ms.toLocaleString('en-US')} ms`), {
    width: '100px',
    drop: 'next',
  }),
  column(
    'Last error',
    ({ last_fault_at: at, last_fault, failures }) =>
      at === null
        ? '–'
        : lines(
            last_fault ?? 'unknown',
            `${formatShortDateTime(at)} UTC${failures > 0 ? `, ${failures} in a row` : ''}`,
          ),
    { width: '190px', drop: 'first', below: (row) => row.state === 'failing' && (row.last_fault ?? 'unknown') },
  ),
];

const ageOf = ({ last_success_at: at }: JobHealth, now: number) =>
  at === null ? 'never' : `${formatAge(now - Date.parse(at))} ago`;

/** A loop runs continuously, without a schedule. */
const runColumn = unlabelledColumn<JobHealth>(
  'Actions',
  (row) => row.kind === 'queue' && <RunButton job={row} />,
  '104px',
);

function RunButton({ job: { name, asked_for } }: { job: JobHealth }) {
  const run = useOperatorMutation(() => call(consoleJobs.runJob, { params: { name } }), ['jobs']);
  const label = asked_for ? 'Scheduled' : 'Run now';
  return (
    <Button
      size="sm"
      variant="default"
      disabled={asked_for || run.isPending}
      aria-label={`${label}: ${name}`}
      onClick={() => run.mutate(undefined, { onSuccess: () => toast.success('Run scheduled', name) })}
    >
      {label}
    </Button>
  );
}

const MailList = () => (
  <ListTable
    label="Failed emails"
    whole
    columns={mailColumns}
    list={useList<FailedEmail>({
      queryKey: ['jobs', 'emails'],
      readPage: (query, signal) => call(consoleJobs.listFailedEmails, { query, signal }),
    })}
    empty={{ icon: IconMail, title: 'No failed emails' }}
  />
);

const mailColumns: readonly Column<FailedEmail>[] = [
  column('Written, UTC', (row) => timeLines(row.created_at), { width: '124px' }),
  column('Email', (row) => lines(row.subject, row.to)),
  rightColumn('Attempts', (row) => row.tries, { width: '88px', drop: 'next' }),
  column('Error', (row) => row.fault ?? '–', { drop: 'next', below: (row) => row.fault }),
  unlabelledColumn('Actions', (row) => <RetryButton mail={row} />, '104px'),
];

function RetryButton({ mail: { id, subject } }: { mail: FailedEmail }) {
  const retry = useOperatorMutation(() => call(consoleJobs.retryFailedEmail, { params: { id } }), ['jobs']);
  return (
    <Button
      size="sm"
      variant="default"
      disabled={retry.isPending}
      aria-label={`Resend “${subject}”`}
      onClick={() => retry.mutate(undefined, { onSuccess: () => toast.success('Email queued again', subject) })}
    >
      Resend
    </Button>
  );
}
