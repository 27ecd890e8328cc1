import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';

/**
 * Which transactions a statement saw: those below `xmin`, and those below `xmax` that were not `running`. With it a
 * reader finds exactly what was committed since it last looked: ids become visible out of their order, this does not.
 */
export type TransactionsSeen = { readonly xmin: bigint; readonly xmax: bigint; readonly running: readonly bigint[] };

/** SQL for what the statement it stands in sees, as text. */
export const seenNow: RawBuilder<string> = sql<string>`pg_current_snapshot()::text`;

/** `100:104:100,102` → those below 100, and 101 and 103. */
export function readSeen(text: string): TransactionsSeen {
  const [xmin, xmax, running] = text.split(':');
  assert(xmin !== undefined && xmax !== undefined && running !== undefined, 'a snapshot has three parts');
  const list = running === '' ? [] : running.split(',').map(BigInt);
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), running: list };
}

export const writeSeen = ({ xmin, xmax, running }: TransactionsSeen): string => `${xmin}:${xmax}:${running.join(',')}`;

/** SQL for whether a row that says which transaction wrote it was not seen then. Reads the end of an index on it. */
export const notSeen = (tx: RawBuilder<unknown>, seen: TransactionsSeen): RawBuilder<boolean> => sql<boolean>`
  (${tx} >= ${seen.xmin}::bigint and (${tx} >= ${seen.xmax}::bigint or ${tx} = any (${[...seen.running]}::bigint[])))`;
