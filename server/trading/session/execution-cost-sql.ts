import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getValue } from '#server/db/rows.ts';
import { venueResultsOf } from '#server/ledger/index.ts';

/**
 * Assigns batches to the bonus run of a session: those of the session, and earlier ones booked too late for their own
 * run. Each batch is assigned once; one that is booked later goes to the next run.
 */
export const chargeBatches = (tx: Tx, day: string) =>
  execute(tx)`
    update trading.batch set charged_on = ${day}::date
    where charged_on is null and state = 'booked' and session_day <= ${day}::date`;

/** SQL for `key, signed`: the transfers that `getExecutionResult` adds up. */
export const executionResult = (day: string): RawBuilder<unknown> =>
  venueResultsOf(
    sql`select 'batch/' || b.id || '/result' as key from trading.batch b where b.charged_on = ${day}::date`,
  );

/**
 * The house's result at the exchange from the batches of a session's bonus run, in micros: the markup and the
 * residual's gains, negative when execution cost money. 0 on paper.
 */
export const getExecutionResult = (db: Db, day: string): Promise<bigint> =>
  getValue(db)<bigint>`
    select coalesce(sum(signed), 0)::bigint as result from (${executionResult(day)}) as moved`;
