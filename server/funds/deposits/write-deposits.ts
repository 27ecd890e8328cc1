import { csvLines } from '#contract/csv.ts';
import type { DepositState } from '#contract/funds/deposits.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { type DepositRow, listMemberDeposits } from './sql.ts';

const ROWS_AT_ONCE = 500;

const head = [
  'Created (UTC)',
  'Reference',
  'Asked (USDT)',
  'Credited (USDT)',
  'State',
  'Note',
  'Transaction',
  'Changed (UTC)',
];

/** The member's deposits as the text of a CSV file, newest first, all that are in the state if one is given. */
export function writeDeposits(
  { db }: Context,
  memberId: bigint,
  filter: { readonly state?: DepositState | undefined },
): { readonly name: string; readonly text: AsyncIterable<string> } {
  return {
    name: filter.state === undefined ? 'deposits.csv' : `deposits-${filter.state}.csv`,
    text: writeRows(db, memberId, filter.state),
  };
}

async function* writeRows(db: Db, memberId: bigint, state: DepositState | undefined): AsyncGenerator<string> {
  yield csvLines([head]);
  let rows: DepositRow[] = [];
  do {
    rows = await listMemberDeposits(db, { memberId, state, before: rows.at(-1)?.id, limit: ROWS_AT_ONCE });
    yield csvLines(rows.map(cellsOf));
  } while (rows.length === ROWS_AT_ONCE);
}

const cellsOf = (row: DepositRow) => [
  row.created_at.toISOString(),
  row.reference,
  row.amount_micros,
  row.credited_micros,
  row.state.charAt(0).toUpperCase() + row.state.slice(1),
  row.note,
  row.payment_id,
  row.updated_at.toISOString(),
];
