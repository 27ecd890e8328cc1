import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { QueryInOf } from '#contract/endpoint.ts';
import { income } from '#contract/endpoints.ts';
import type { Rank } from '#contract/fee-plan.ts';
import type { BonusKind, IncomeKind, LineKind } from '#contract/income.ts';
import { call, callForFile } from '../../api/call.ts';
import { pollUnlessLive, queryOf } from '../../api/query-of.ts';
import { useOwnChange } from '../../api/trading-queries.ts';

/** A session of an accelerated market is settled and distributed every few minutes. */
const POLL_MS = 15_000;
const CONTRIBUTORS = '10';

/** Common options of paged lists: the first page is polled, and a page stays until the next has loaded. */
const paged = (cursor: string | undefined) => ({
  placeholderData: keepPreviousData,
  refetchInterval: cursor === undefined && pollUnlessLive(POLL_MS),
});

/** Sums of each income by market day, week and month. */
export const earningsQuery = queryOf(['income', 'earnings'], income.getEarnings, {
  refetchInterval: pollUnlessLive(POLL_MS),
});

type LinesQuery = QueryInOf<typeof income.listLines>;

/** One page of an income's lines; team profit has a call of its own (the specification, point 7). */
export const readLines = (kind: LineKind, query: LinesQuery, signal: AbortSignal) =>
  kind === 'team-profit'
    ? call(income.listTeamProfit, { query, signal })
    : call(income.listLines, { params: { kind }, query, signal });

/** Lines of one income, newest first, with the lifetime sum. */
export const linesQuery = (kind: LineKind, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['income', 'lines', kind, cursor],
    queryFn: ({ signal }) => readLines(kind, { cursor }, signal),
    ...paged(cursor),
  });

/** A bonus line with the members whose trades it comes from, a page of them at a time. */
export const bonusQuery = (kind: BonusKind, id: string) =>
  infiniteQueryOptions({
    queryKey: ['income', 'bonus', kind, id],
    queryFn: ({ pageParam, signal }) =>
      call(income.explainLine, {
        params: { kind, id },
        query: { limit: CONTRIBUTORS, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.contributors.next_cursor ?? undefined,
  });

export const weeksQuery = (cursor: string | undefined) =>
  queryOf(['income', 'weeks', cursor], income.listWeekly, { query: { cursor }, ...paged(cursor) });

/** Months newest first, with the current month, the ranks, and what the last months paid of their nominal income. */
export const monthsQuery = (cursor?: string) =>
  queryOf(['income', 'months', cursor], income.listMonthly, { query: { cursor }, ...paged(cursor) });

export const weekQuery = (id: string) => queryOf(['income', 'week', id], income.explainWeek, { params: { id } });

export const monthQuery = (id: string) => queryOf(['income', 'month', id], income.explainMonth, { params: { id } });

/** The rank ladder with progress, and the queue before the pool. */
export const rewardsQuery = queryOf(['income', 'rewards'], income.listRewards, {
  refetchInterval: pollUnlessLive(POLL_MS),
});

/** The client reuses the key of a request without a response, so that pressing twice is one claim. */
export const useClaimReward = () => useOwnChange((rank: Rank) => call(income.claimReward, { body: { rank } }));

export type PayoutFilter = { kind?: IncomeKind | undefined; from?: string | undefined; to?: string | undefined };

/** Income by market day and kind, newest first, with the totals of all lines that match the filter. */
export const payoutQuery = (filter: PayoutFilter, cursor: string | undefined) =>
  queryOf(['income', 'payout', filter, cursor], income.getPayout, {
    query: { ...filter, cursor },
    ...paged(cursor),
  });

/** All of it as the file written by the server. */
export const downloadPayout = (filter: PayoutFilter, signal: AbortSignal): Promise<Blob> =>
  callForFile(income.getPayout, { query: { ...filter, format: 'csv' }, signal });
