import type { CsvCell } from '#contract/csv.ts';
import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { DepositState, funds } from '#contract/funds/deposits.ts';
import type { Context } from '#server/context.ts';
import { type TextFile, writeCsv } from '#server/csv-file.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import { chooseGateways, listPayWith } from '../gateways/choose-gateway.ts';
import { findOwnWeek } from './create-deposit.ts';
import { showDeposit } from './show-deposit.ts';
import { type DepositRow, hasAcceptedRisk, listMemberDeposits } from './sql.ts';

type ListDeposits = typeof funds.listDeposits;

/** A page of the member's deposits, newest first, and whether the member has accepted the risk disclosure. */
export async function listDeposits(
  context: Context,
  memberId: bigint,
  query: QueryOf<ListDeposits>,
): Promise<DataOf<ListDeposits>> {
  const after = readIdCursor(query.cursor);
  const found = await listMemberDeposits(context.db, { memberId, state: query.state, after, limit: query.limit + 1 });
  const { rows, nextCursor } = cutPage(found, query.limit, (row) => row.id);
  return {
    items: rows.map(showDeposit),
    next_cursor: nextCursor,
    pay_with: listPayWith(chooseGateways(context)),
    risk_accepted: await hasAcceptedRisk(context.db, memberId),
    own_week: await findOwnWeek(context, memberId),
  };
}

const head = [
  'Created (UTC)',
  'Reference',
  'Requested (USD)',
  'Credited (USD)',
  'State',
  'Note',
  'Transaction',
  'Updated (UTC)',
];

/** The member's deposits as CSV, newest first, optionally of one state. */
export const writeDeposits = (
  { db }: Context,
  memberId: bigint,
  { state }: { readonly state?: DepositState | undefined },
): TextFile => ({
  name: state === undefined ? 'deposits.csv' : `deposits-${state}.csv`,
  text: writeCsv(head, cellsOf, (last, limit) => listMemberDeposits(db, { memberId, state, after: last?.id, limit })),
});

const cellsOf = (row: DepositRow): CsvCell[] => [
  row.created_at.toISOString(),
  row.reference,
  row.amount_micros,
  row.credited_micros,
  row.state.charAt(0).toUpperCase() + row.state.slice(1),
  row.note,
  row.payment_id,
  row.updated_at.toISOString(),
];
