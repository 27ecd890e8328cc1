import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { funds } from '#contract/funds/deposits.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import { findOwnWeek } from './find-own-week.ts';
import { showDeposit } from './show-deposit.ts';
import { hasAcceptedRisk, listMemberDeposits } from './sql.ts';

type ListDeposits = typeof funds.listDeposits;

/** A page of the member's deposits, newest first, and whether the risk disclosure was ticked already. */
export async function listDeposits(
  context: Context,
  memberId: bigint,
  query: QueryOf<ListDeposits>,
): Promise<DataOf<ListDeposits>> {
  const before = readIdCursor(query.cursor);
  const found = await listMemberDeposits(context.db, { memberId, state: query.state, before, limit: query.limit + 1 });
  const { rows, nextCursor } = cutPage(found, query.limit, (row) => row.id);
  return {
    items: rows.map(showDeposit),
    next_cursor: nextCursor,
    risk_accepted: await hasAcceptedRisk(context.db, memberId),
    own_week: await findOwnWeek(context, memberId),
  };
}
