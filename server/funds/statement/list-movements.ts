import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { funds, Movement } from '#contract/funds/deposits.ts';
import { toDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import { listStatement, type StatementLine } from '#server/ledger/index.ts';
import { walletOf } from '../core/statement-wallets.ts';
import { readStatementFilter } from './read-statement-filter.ts';

type ListMovements = typeof funds.listMovements;

/**
 * A page of the member's statement, newest first. A transfer between two wallets of the member is two lines, one in
 * each wallet, so that every wallet's lines add up to its balance.
 *
 * @throws Refused period_turned
 */
export async function listMovements(
  context: Context,
  memberId: bigint,
  { cursor, limit, ...filter }: QueryOf<ListMovements>,
): Promise<DataOf<ListMovements>> {
  const before = readIdCursor(cursor);
  const found = await listStatement(context.db, {
    memberId,
    ...readStatementFilter(filter),
    before,
    limit: limit + 1,
  });
  const { rows, nextCursor } = cutPage(found, limit, (line) => line.position);
  return { items: rows.map(showMovement), next_cursor: nextCursor };
}

const showMovement = (line: StatementLine): Movement => ({
  id: line.position.toString(),
  kind: line.reason,
  wallet: walletOf[line.class],
  amount: toDollars(line.signedMicros),
  balance_after: toDollars(line.balanceAfterMicros),
  reference: line.reference,
  note: line.note,
  created_at: line.createdAt.toISOString(),
});
