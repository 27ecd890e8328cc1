import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { SessionDetail } from '#contract/operator/sessions.ts';
import type { tradingHalt } from '#contract/trading/halt.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { sessionQuery } from '../../../api/market/queries.ts';
import { pollEvery } from '../../../api/poll.ts';
import { overviewQuery } from '../shell/queries.ts';

const rows = endpoints.consoleSessions;
const HALT_POLL_MS = 15_000;
const DETAIL_POLL_MS = 15_000;

export const readSessions = (query: PageQuery, signal: AbortSignal) => call(rows.listSessions, { query, signal });

/** One that is over and shared out does not change any more. */
const isOver = (session: SessionDetail | undefined): boolean => session?.bonus?.state === 'done';

export const sessionDetailQuery = (day: string) =>
  queryOptions({
    queryKey: ['operator', 'sessions', 'one', day],
    queryFn: ({ signal }) => call(rows.getSessionDetail, { params: { day }, signal }),
    refetchInterval: (asked) => (isOver(asked.state.data) ? false : pollEvery(DETAIL_POLL_MS)(asked)),
  });

/** Nothing changes by it, so nothing is asked for again. */
export const useRerun = (day: string) =>
  useMutation({ mutationFn: () => call(rows.rerunSession, { params: { day } }) });

/** The job that settles what is over and shares it out; it goes on where it stands. */
export const useTryAgain = () =>
  useMutation({ mutationFn: () => call(endpoints.consoleJobs.runJob, { params: { name: 'income.follow' } }) });

export const haltQuery = queryOptions({
  queryKey: ['operator', 'halt'],
  queryFn: ({ signal }) => call(endpoints.tradingHalt.getHalt, { signal }),
  refetchInterval: pollEvery(HALT_POLL_MS),
});

function useRefresh() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: haltQuery.queryKey });
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    void client.invalidateQueries({ queryKey: ['operator', 'sessions'] });
    void client.invalidateQueries({ queryKey: overviewQuery.queryKey });
  };
}

export const useHalt = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof tradingHalt.haltTrading>) => call(endpoints.tradingHalt.haltTrading, { body }),
    onSettled: useRefresh(),
  });

export const useLift = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof tradingHalt.liftHalt>) => call(endpoints.tradingHalt.liftHalt, { body }),
    onSettled: useRefresh(),
  });
