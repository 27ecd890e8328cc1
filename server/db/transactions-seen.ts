import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';

/**
 * The snapshot of a statement: it saw transactions below `xmin`, and those below `xmax` that were not `running`. A
 * reader uses it to find exactly what was committed since, because ids can become visible out of order.
 */
export type TransactionsSeen = { readonly xmin: bigint; readonly xmax: bigint; readonly running: readonly bigint[] };

/** SQL for the snapshot of the statement, as text. */
export const seenNow: RawBuilder<string> = sql<string>`pg_current_snapshot()::text`;

/** `100:104:100,102` saw those below 100, and 101 and 103. */
export function readSeen(text: string): TransactionsSeen {
  const [xmin, xmax, running] = text.split(':');
  assert(xmin !== undefined && xmax !== undefined && running !== undefined, 'a snapshot has three parts');
  const list = running === '' ? [] : running.split(',').map(BigInt);
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), running: list };
}

export const writeSeen = ({ xmin, xmax, running }: TransactionsSeen): string => `${xmin}:${xmax}:${running.join(',')}`;

/** SQL for whether a row with its transaction in `tx` was not in a snapshot. Reads the end of an index on `tx`. */
export const notSeen = (tx: RawBuilder<unknown>, seen: TransactionsSeen): RawBuilder<boolean> => sql<boolean>`
  (${tx} >= ${seen.xmin}::bigint and (${tx} >= ${seen.xmax}::bigint or ${tx} = any (${[...seen.running]}::bigint[])))`;
