import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { funds, Movement, StatementWallet } from '#contract/funds.ts';
import { toDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { listStatement, type MemberClass, type StatementLine } from '#server/ledger/index.ts';
import { Refused } from '#server/refused.ts';
import { cutPage, readIdCursor } from './core/id-cursor.ts';

type ListMovements = typeof funds.listMovements;

const walletOf: Record<MemberClass, StatementWallet> = {
  primary: 'primary',
  profit: 'profit',
  trade_escrow: 'in_trades',
  investment: 'invested',
  withdrawal_hold: 'on_hold',
};

const classOf = Object.fromEntries(Object.entries(walletOf).map(([name, wallet]) => [wallet, name])) as Record<
  StatementWallet,
  MemberClass
>;

/**
 * A page of the member's statement, newest first. A transfer between two wallets of the member is two lines, one in
 * each wallet, so that every wallet's lines add up to its balance.
 */
export async function listMovements(
  context: Context,
  memberId: bigint,
  query: QueryOf<ListMovements>,
): Promise<DataOf<ListMovements>> {
  const before = readIdCursor(query.cursor);
  if (before === null) throw new Refused('validation', { field: 'cursor' });
  const found = await listStatement(context.db, {
    memberId,
    classes: query.wallet === undefined ? undefined : [classOf[query.wallet]],
    reasons: query.kind === undefined ? undefined : [query.kind],
    from: query.from === undefined ? undefined : new Date(query.from),
    to: query.to === undefined ? undefined : new Date(query.to),
    before,
    limit: query.limit + 1,
  });
  const { rows, nextCursor } = cutPage(found, query.limit, (line) => line.position);
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
