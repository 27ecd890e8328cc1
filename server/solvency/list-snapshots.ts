import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { solvencySeal } from '#contract/solvency/proof.ts';
import type { Context } from '#server/context.ts';
import { ABOVE_EVERY_ID, cutPage, readIdCursor } from '#server/cursor.ts';
import { orRefuse } from '#server/refused.ts';
import { showSnapshot } from './show-snapshot.ts';
import { findLastSnapshot, findSnapshot, listSnapshotRows } from './snapshot-sql.ts';

type ListSnapshots = typeof solvencySeal.listSnapshots;

/**
 * A snapshot's public sums and hashes, without member data. Refuses `not_found` for an unknown number.
 *
 * @param no the newest by default
 */
export async function getSnapshot({ db }: Context, no?: bigint): Promise<DataOf<typeof solvencySeal.getSnapshot>> {
  const snapshot = no === undefined ? await findLastSnapshot(db) : orRefuse(await findSnapshot(db, no), 'not_found');
  return snapshot === undefined ? null : showSnapshot(snapshot);
}

/** The chain, newest first. The cursor is the number of the last one shown. */
export async function listSnapshots({ db }: Context, query: QueryOf<ListSnapshots>): Promise<DataOf<ListSnapshots>> {
  const { cursor, limit } = query;
  const found = await listSnapshotRows(db, readIdCursor(cursor) ?? ABOVE_EVERY_ID, limit + 1);
  const { rows, nextCursor } = cutPage(found, limit, ({ no }) => no);
  return { items: rows.map(showSnapshot), next_cursor: nextCursor };
}
