import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { funds } from '#contract/endpoints.ts';
import type { Movement, Statement } from '#contract/funds/deposits.ts';
import { call, callForFile } from '../../../api/call.ts';
import { collectPages } from '../../../api/csv.ts';
import { queryOf } from '../../../api/query-of.ts';
import type { StatementFilter } from './statement-filters.ts';

export const movementsQuery = (filter: StatementFilter & { cursor?: string | undefined }) =>
  queryOf(['funds', 'movements', filter], funds.listMovements, {
    query: filter,
    placeholderData: keepPreviousData,
  });

/** The totals of the lines in `movementsQuery`. */
export const statementQuery = (filter: StatementFilter) =>
  queryOf(['funds', 'statement', filter], funds.getStatement, {
    query: filter,
    placeholderData: keepPreviousData,
  });

/** All of them as the file written by the server. */
export const downloadStatement = (filter: StatementFilter, signal: AbortSignal): Promise<Blob> =>
  callForFile(funds.listMovements, { query: { ...filter, format: 'csv' }, signal });

/** The maximum number of printed lines; the file has them all. */
export const MAX_PRINTED = 5_000;
const READINGS = 3;

/** The totals, and their lines oldest first; null where there are too many to print. */
export type PrintedStatement = { statement: Statement; lines: readonly Movement[] | null };

export const printedStatementQuery = (filter: StatementFilter) =>
  queryOptions({
    queryKey: ['funds', 'printed-statement', filter],
    queryFn: ({ signal }) => readPrinted(filter, signal),
    // A printed statement does not change while it is read.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/**
 * Lines are read page by page up to the instant of the totals. A transfer uncommitted at that instant can be in the
 * lines but not in the totals: then both are read again, so that a printed statement always adds up.
 */
async function readPrinted(filter: StatementFilter, signal: AbortSignal): Promise<PrintedStatement> {
  for (let reading = 1; reading <= READINGS; reading += 1) {
    const statement = await call(funds.getStatement, { query: filter, signal });
    if (statement.movements > MAX_PRINTED) return { statement, lines: null };
    const lines = await collectPages(
      (query) => call(funds.listMovements, { query: { ...filter, to: statement.to, ...query }, signal }),
      () => {},
    );
    if (lines.length === statement.movements) return { statement, lines: lines.toReversed() };
  }
  throw new Error('the lines of the statement changed while they were read');
}
