import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { withdrawals } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import { showWithdrawal } from './show-withdrawal.ts';
import { listMemberWithdrawals } from './withdrawal-sql.ts';

type ListWithdrawals = typeof withdrawals.listWithdrawals;

/** A page of the member's withdrawals, newest first. */
export async function listWithdrawals(
  context: Context,
  memberId: bigint,
  query: QueryOf<ListWithdrawals>,
): Promise<DataOf<ListWithdrawals>> {
  const before = readIdCursor(query.cursor);
  const { state, limit } = query;
  const found = await listMemberWithdrawals(context.db, { memberId, state, before, limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, (row) => row.id);
  return { items: rows.map(showWithdrawal), next_cursor: nextCursor };
}
