import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { consoleAdjustments } from '#contract/operator/proposals.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import { listAdjustmentRows } from './adjustment-sql.ts';
import { showAdjustments } from './show-adjustments.ts';

type ListAdjustments = typeof consoleAdjustments.listAdjustments;

/** A page of corrections: those that wait oldest first, else newest first. */
export async function listAdjustments(
  { db }: Context,
  { cursor, limit, state, member_id }: QueryOf<ListAdjustments>,
): Promise<DataOf<ListAdjustments>> {
  const memberId = member_id === undefined ? undefined : BigInt(member_id);
  const found = await listAdjustmentRows(db, { state, memberId, after: readIdCursor(cursor), limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { items: await showAdjustments(db, rows), next_cursor: nextCursor };
}
