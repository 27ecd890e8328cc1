import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { IncomeKind } from '#contract/income.ts';
import { call, callForFile } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { pollUnlessLive } from '../../api/poll.ts';
import { SHARED_MS } from '../../entities/income/queries.ts';

export type PayoutFilter = { kind?: IncomeKind | undefined; from?: string | undefined; to?: string | undefined };

/** Income by market day and kind, newest first, with the totals of all that the filter lets through. */
export const payoutQuery = (filter: PayoutFilter, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['income', 'payout', filter, cursor],
    queryFn: ({ signal }) => call(endpoints.income.getPayout, { query: { ...filter, cursor }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: cursor === undefined && pollUnlessLive(SHARED_MS),
  });

/** All of it as the file that the server writes. */
export const downloadPayout = (filter: PayoutFilter, signal: AbortSignal): Promise<Blob> =>
  callForFile(endpoints.income.getPayout, { query: { ...filter, format: 'csv' }, signal });
