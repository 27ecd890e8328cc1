import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { consoleTreasury } from '#contract/operator/proposals.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import { showTreasuryMoves } from './show-treasury-moves.ts';
import { listTreasuryMoveRows } from './treasury-move-sql.ts';

type ListMoves = typeof consoleTreasury.listTreasuryMoves;

/** A page of moves: those that wait oldest first, else newest first. */
export async function listTreasuryMoves(
  { db }: Context,
  { cursor, limit, state }: QueryOf<ListMoves>,
): Promise<DataOf<ListMoves>> {
  const found = await listTreasuryMoveRows(db, { state, after: readIdCursor(cursor), limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { items: await showTreasuryMoves(db, rows), next_cursor: nextCursor };
}
