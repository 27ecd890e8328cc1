import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { consoleTreasury } from '#contract/operator/proposals.ts';
import type { Context } from '#server/context.ts';
import { cutPage } from '../core/id-cursor.ts';
import { readCursor } from '../read-cursor.ts';
import { showTreasuryMoves } from './show-treasury-moves.ts';
import { listTreasuryMoveRows } from './treasury-move-sql.ts';

type ListMoves = typeof consoleTreasury.listTreasuryMoves;

/** A page of moves: those that wait oldest first, else newest first. */
export async function listTreasuryMoves(
  { db }: Context,
  { cursor, limit, state }: QueryOf<ListMoves>,
): Promise<DataOf<ListMoves>> {
  const found = await listTreasuryMoveRows(db, { state, after: readCursor(cursor), limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit);
  return { items: await showTreasuryMoves(db, rows), next_cursor: nextCursor };
}
