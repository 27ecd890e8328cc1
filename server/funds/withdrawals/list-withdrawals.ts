import type { CsvCell } from '#contract/csv.ts';
import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { WithdrawalState, withdrawals } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import { type TextFile, writeCsv } from '#server/csv-file.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
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
export const writeWithdrawals = (
  { db }: Context,
  memberId: bigint,
  { state }: { readonly state?: WithdrawalState | undefined },
): TextFile => ({
  name: state === undefined ? 'withdrawals.csv' : `withdrawals-${state}.csv`,
  text: writeCsv(head, cellsOf, (last, limit) =>
    listMemberWithdrawals(db, { memberId, state, before: last?.id, limit }),
  ),
});

/** What is paid out stands in its column once it was: before, and when it came to nothing, the cell is empty. */
const cellsOf = (row: WithdrawalRow): CsvCell[] => [
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

const asTitle = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
