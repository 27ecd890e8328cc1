import { Button, VisuallyHidden } from '@mantine/core';
import { IconMail, IconSettings } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { FailedMail, JobHealth } from '#contract/operator/jobs.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { pollEvery } from '../../../api/poll.ts';
import { formatDateTime, formatShortDateTime } from '../../../ui/format/time.ts';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Tabs } from '../../../ui/frame/tabs.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { formatAge, useSlowNow } from '../kit/age.ts';
import { ListFrame } from '../kit/list-page.tsx';
import { ListTable, useList } from '../kit/list-table.tsx';

/** Every loop and queue of the workers, and the mails that were given up. */
export function JobsPage() {
  const operator = useOperator();
  const [params, setParams] = useSearchParams();
  const isAdmin = operator?.role === 'admin';
  const tab = isAdmin && params.get('tab') === 'mails' ? 'mails' : 'jobs';
  const tabs = [
    { value: 'jobs', label: 'Jobs' },
    ...(isAdmin ? ([{ value: 'mails', label: 'Mails given up' }] as const) : []),
  ] as const;
  return (
    <>
      <PageHead title="Jobs" facts="What runs by itself: when it last went well, and what kind of fault it had." />
      <ListFrame>
        <Tabs
          label="Jobs"
          fill
          tabs={tabs}
          value={tab}
          onChange={(next) => setParams(next === 'jobs' ? {} : { tab: next })}
        >
          {tab === 'jobs' ? <JobList isAdmin={isAdmin} /> : <MailList />}
        </Tabs>
      </ListFrame>
    </>
  );
}

function JobList({ isAdmin }: { isAdmin: boolean }) {
  const query = useQuery(jobsQuery);
  const now = useSlowNow();
  return (
    <ListTable
      label="Jobs"
      columns={isAdmin ? [...jobColumns(now), runColumn] : jobColumns(now)}
      rowKey={(row) => row.name}
      list={{ query, rows: query.data?.items }}
      empty={{ icon: <IconSettings size={20} stroke={1.5} />, title: 'No worker ran yet' }}
    />
  );
}

/** How a job stands, the worst first. */
const stateOf = ({ overdue, state }: JobHealth) => (overdue ? 'overdue' : state);

const jobColumns = (now: number): readonly Column<JobHealth>[] => [
  {
    key: 'name',
    label: 'Job',
    render: (row) => (
      <>
        {row.name}
        <small>{row.kind === 'loop' ? 'goes round all the time' : `queue${row.cron ? `, ${row.cron} UTC` : ''}`}</small>
      </>
    ),
  },
  { key: 'state', label: 'State', width: '112px', render: (row) => <StateBadge of="job" state={stateOf(row)} /> },
  {
    key: 'success',
    label: 'Last success',
    width: '170px',
    render: (row) =>
      row.last_success_at === null ? (
        'never'
      ) : (
        <>
          {formatAge(now - Date.parse(row.last_success_at))} ago
          <small>{formatDateTime(row.last_success_at)}</small>
        </>
      ),
  },
  {
    key: 'took',
    label: 'Took',
    align: 'right',
    width: '100px',
    from: 'middle',
    render: (row) => (row.took_ms === null ? '–' : `${row.took_ms.toLocaleString('en-US')} ms`),
  },
  {
    key: 'fault',
    label: 'Last fault',
    width: '190px',
    from: 'wide',
    render: (row) =>
      row.last_fault_at === null ? (
        '–'
      ) : (
        <>
          {row.last_fault ?? 'unknown'}
          <small>
            {formatShortDateTime(row.last_fault_at)} UTC{row.failures > 0 && `, ${row.failures} since`}
          </small>
        </>
      ),
  },
];

const runColumn: Column<JobHealth> = {
  key: 'run',
  label: <VisuallyHidden>Actions</VisuallyHidden>,
  align: 'right',
  width: '104px',
  // A loop needs nobody to ask.
  render: (row) => row.kind === 'queue' && <RunButton job={row} />,
};

function RunButton({ job }: { job: JobHealth }) {
  const run = useRunJob();
  return (
    <Button
      size="sm"
      variant="default"
      disabled={job.asked_for || run.isPending}
      aria-label={`Run ${job.name}`}
      onClick={() => run.mutate(job.name, { onSuccess: () => toast.success('It runs soon', job.name) })}
    >
      {job.asked_for ? 'Asked for' : 'Run'}
    </Button>
  );
}

function MailList() {
  const list = useList<FailedMail>({ queryKey: ['jobs', 'mails'], readPage: readFailedMails });
  return (
    <ListTable
      label="Mails given up"
      columns={mailColumns}
      list={list}
      empty={{ icon: <IconMail size={20} stroke={1.5} />, title: 'No mail was given up' }}
    />
  );
}

const mailColumns: readonly Column<FailedMail>[] = [
  { key: 'at', label: 'Written, UTC', width: '124px', render: (row) => formatShortDateTime(row.created_at) },
  {
    key: 'subject',
    label: 'Mail',
    render: (row) => (
      <>
        {row.subject}
        <small>{row.to}</small>
      </>
    ),
  },
  { key: 'tries', label: 'Tries', align: 'right', width: '72px', render: (row) => row.tries },
  { key: 'fault', label: 'Fault', from: 'middle', render: (row) => row.fault ?? '–' },
  {
    key: 'retry',
    label: <VisuallyHidden>Actions</VisuallyHidden>,
    align: 'right',
    width: '104px',
    render: (row) => <RetryButton mail={row} />,
  },
];

function RetryButton({ mail }: { mail: FailedMail }) {
  const retry = useRetryMail();
  return (
    <Button
      size="sm"
      variant="default"
      disabled={retry.isPending}
      aria-label={`Try again to send “${mail.subject}”`}
      onClick={() => retry.mutate(mail.id, { onSuccess: () => toast.success('It is tried again', mail.subject) })}
    >
      Try again
    </Button>
  );
}

const rows = endpoints.consoleJobs;
const JOBS_POLL_MS = 5_000;

const jobsQuery = queryOptions({
  queryKey: ['operator', 'jobs', 'list'],
  queryFn: ({ signal }) => call(rows.listJobs, { signal }),
  refetchInterval: pollEvery(JOBS_POLL_MS),
});

const readFailedMails = (query: PageQuery, signal: AbortSignal) => call(rows.listFailedMails, { query, signal });

const useRefresh = () => {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ['operator', 'jobs'] });
};

const useRunJob = () =>
  useMutation({ mutationFn: (name: string) => call(rows.runJob, { params: { name } }), onSettled: useRefresh() });

const useRetryMail = () =>
  useMutation({ mutationFn: (id: string) => call(rows.retryFailedMail, { params: { id } }), onSettled: useRefresh() });
