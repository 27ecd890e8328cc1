import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';

const rows = endpoints.consoleJobs;
const JOBS_POLL_MS = 5_000;

export const jobsQuery = queryOptions({
  queryKey: ['operator', 'jobs', 'list'],
  queryFn: ({ signal }) => call(rows.listJobs, { signal }),
  refetchInterval: pollEvery(JOBS_POLL_MS),
});

export const readFailedMails = (query: PageQuery, signal: AbortSignal) => call(rows.listFailedMails, { query, signal });

const useRefresh = () => {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ['operator', 'jobs'] });
};

export const useRunJob = () =>
  useMutation({ mutationFn: (name: string) => call(rows.runJob, { params: { name } }), onSettled: useRefresh() });

export const useRetryMail = () =>
  useMutation({ mutationFn: (id: string) => call(rows.retryFailedMail, { params: { id } }), onSettled: useRefresh() });
