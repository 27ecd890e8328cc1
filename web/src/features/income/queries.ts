import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DataOf, QueryInOf } from '#contract/endpoint.ts';
import type { BonusKind, income, LineKind } from '#contract/income.ts';
import { call } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { pollUnlessLive } from '../../api/poll.ts';
import { SHARED_MS } from '../../entities/income/queries.ts';

const CONTRIBUTORS = '10';

type LinesQuery = QueryInOf<typeof income.listLines>;

/** One page of an income's lines; team profit has a call of its own (the specification, point 7). */
export const readLines = (kind: LineKind, query: LinesQuery, signal: AbortSignal) =>
  kind === 'team-profit'
    ? call(endpoints.income.listTeamProfit, { query, signal })
    : call(endpoints.income.listLines, { params: { kind }, query, signal });

/** Lines of one income, newest first, with the sum of a lifetime. */
export const linesQuery = (kind: LineKind, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['income', 'lines', kind, cursor],
    queryFn: ({ signal }) => readLines(kind, { cursor }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: cursor === undefined && pollUnlessLive(SHARED_MS),
  });

/** The page without its sum: `total` is dollars here, and not how many lines there are. */
export const pageOf = (lines: DataOf<typeof income.listLines> | undefined) =>
  lines && { items: lines.items, next_cursor: lines.next_cursor };

/** A bonus line down to whose trades it comes from, some of them at a time. What was paid does not change any more. */
export const bonusQuery = (kind: BonusKind, id: string) =>
  infiniteQueryOptions({
    queryKey: ['income', 'bonus', kind, id],
    queryFn: ({ pageParam, signal }) =>
      call(endpoints.income.explainLine, {
        params: { kind, id },
        query: { limit: CONTRIBUTORS, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.contributors.next_cursor ?? undefined,
  });

export const weeksQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['income', 'weeks', cursor],
    queryFn: ({ signal }) => call(endpoints.income.listWeekly, { query: { cursor }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: cursor === undefined && pollUnlessLive(SHARED_MS),
  });

export const weekQuery = (id: string) =>
  queryOptions({
    queryKey: ['income', 'week', id],
    queryFn: ({ signal }) => call(endpoints.income.explainWeek, { params: { id }, signal }),
  });

export const monthQuery = (id: string) =>
  queryOptions({
    queryKey: ['income', 'month', id],
    queryFn: ({ signal }) => call(endpoints.income.explainMonth, { params: { id }, signal }),
  });
