import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { solvencySeal } from '#contract/solvency/proof.ts';
import type { Context } from '#server/context.ts';
import { ABOVE_EVERY_ID, cutPage, readIdCursor } from '#server/cursor.ts';
import { showSnapshot } from './show-snapshot.ts';
import { findLastSnapshot, listSnapshotRows } from './snapshot-sql.ts';

type ListSnapshots = typeof solvencySeal.listSnapshots;

/** What anybody may see without signing in: sums and hashes, of nobody. */
export async function getSnapshot({ db }: Context): Promise<DataOf<typeof solvencySeal.getSnapshot>> {
  const snapshot = await findLastSnapshot(db);
  return snapshot === undefined ? null : showSnapshot(snapshot);
}

/** The chain, the newest first. The cursor is the number of the last one shown. */
export async function listSnapshots({ db }: Context, query: QueryOf<ListSnapshots>): Promise<DataOf<ListSnapshots>> {
  const { cursor, limit } = query;
  const found = await listSnapshotRows(db, readIdCursor(cursor) ?? ABOVE_EVERY_ID, limit + 1);
  const { rows, nextCursor } = cutPage(found, limit, ({ no }) => no);
  return { items: rows.map(showSnapshot), next_cursor: nextCursor };
}
