import { csvLines } from '#contract/csv.ts';
import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { WithdrawalState, withdrawals } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { showWithdrawal } from './show-withdrawal.ts';
import { listMemberWithdrawals, type WithdrawalRow } from './withdrawal-sql.ts';

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

const ROWS_AT_ONCE = 500;

const head = [
  'Requested (UTC)',
  'Reference',
  'Amount (USDT)',
  'Fee (USDT)',
  'Paid out (USDT)',
  'Wallet',
  'Network',
  'Address',
  'State',
  'Note',
  'Transaction',
  'Changed (UTC)',
];

/** The member's withdrawals as the text of a CSV file, newest first, all that are in the state if one is given. */
export function writeWithdrawals(
  { db }: Context,
  memberId: bigint,
  filter: { readonly state?: WithdrawalState | undefined },
): { readonly name: string; readonly text: AsyncIterable<string> } {
  return {
    name: filter.state === undefined ? 'withdrawals.csv' : `withdrawals-${filter.state}.csv`,
    text: writeRows(db, memberId, filter.state),
  };
}

async function* writeRows(db: Db, memberId: bigint, state: WithdrawalState | undefined): AsyncGenerator<string> {
  yield csvLines([head]);
  let rows: WithdrawalRow[] = [];
  do {
    rows = await listMemberWithdrawals(db, { memberId, state, before: rows.at(-1)?.id, limit: ROWS_AT_ONCE });
    yield csvLines(rows.map(cellsOf));
  } while (rows.length === ROWS_AT_ONCE);
}

/** What is paid out stands in its column once it was: before, and when it came to nothing, the cell is empty. */
function cellsOf(row: WithdrawalRow) {
  return [
    row.created_at.toISOString(),
    row.reference,
    row.amount_micros,
    row.fee_micros,
    row.state === 'completed' ? row.amount_micros - row.fee_micros : null,
    asTitle(row.wallet),
    row.network,
    row.address,
    asTitle(row.state),
    row.note,
    row.transaction,
    row.updated_at.toISOString(),
  ];
}

const asTitle = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
