import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { solvencySeal } from '#contract/solvency/proof.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { showSnapshot } from './show-snapshot.ts';
import { findLastSnapshot, listSnapshotRows } from './snapshot-sql.ts';

type ListSnapshots = typeof solvencySeal.listSnapshots;

const ABOVE_ALL = 2n ** 63n - 1n;

/** What anybody may see without signing in: sums and hashes, of nobody. */
export async function getSnapshot({ db }: Context): Promise<DataOf<typeof solvencySeal.getSnapshot>> {
  const snapshot = await findLastSnapshot(db);
  return snapshot === undefined ? null : showSnapshot(snapshot);
}

/** The chain, the newest first. The cursor is the number of the last one shown. */
export async function listSnapshots({ db }: Context, query: QueryOf<ListSnapshots>): Promise<DataOf<ListSnapshots>> {
  const { cursor, limit } = query;
  if (cursor !== undefined && !/^[1-9]\d{0,17}$/.test(cursor)) throw new Refused('validation', { field: 'cursor' });
  const found = await listSnapshotRows(db, cursor === undefined ? ABOVE_ALL : BigInt(cursor), limit + 1);
  const shown = found.slice(0, limit);
  return {
    items: shown.map(showSnapshot),
    next_cursor: found.length > limit ? String(shown.at(-1)?.no) : null,
  };
}
