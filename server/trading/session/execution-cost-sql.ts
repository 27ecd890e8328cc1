import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getRow } from '#server/db/rows.ts';
import { venueResultsOf } from '#server/ledger/index.ts';

/**
 * Gives the bonus run of a session the batches whose result it takes: those of the session, and of earlier ones what was
 * booked too late for theirs. A batch is taken once; one that is booked later waits for the next run.
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
 * What the batches that the bonus run of a session took brought the house at the exchange, in micros: the markup and what
 * the residual gained; below zero what execution cost. 0 with the paper venue, which has none.
 */
export async function getExecutionResult(db: Db, day: string): Promise<bigint> {
  const { result } = await getRow(db)<{ result: bigint }>`
    select coalesce(sum(signed), 0)::bigint as result from (${executionResult(day)}) as moved`;
  return result;
}
