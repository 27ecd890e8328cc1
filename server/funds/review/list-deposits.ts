import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { OperatorDeposit, operatorPayouts } from '#contract/funds/review.ts';
import { type Contact, listContacts, nameMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { orRefuse } from '#server/refused.ts';
import { showDeposit } from '../deposits/show-deposit.ts';
import { type DepositRow, findDeposit, listOperatorDepositRows } from '../deposits/sql.ts';

type ListOperatorDeposits = typeof operatorPayouts.listOperatorDeposits;

/** A page of all members' deposits, with their held amounts. */
export async function listOperatorDeposits(
  { db }: Context,
  query: QueryOf<ListOperatorDeposits>,
): Promise<DataOf<ListOperatorDeposits>> {
  const after = readIdCursor(query.cursor);
  const found = await listOperatorDepositRows(db, { state: query.state, after, limit: query.limit + 1 });
  const { rows, nextCursor } = cutPage(found, query.limit, (row) => row.id);
  return { items: await showOperatorDeposits(db, rows), next_cursor: nextCursor };
}

/** Any member's deposit. Refuses `deposit_not_found`. */
export async function getOperatorDeposit({ db }: Context, id: bigint): Promise<OperatorDeposit> {
  return showOperatorDeposit(db, orRefuse(await findDeposit(db, id), 'deposit_not_found'));
}

export async function showOperatorDeposit(db: Db, row: DepositRow): Promise<OperatorDeposit> {
  const [shown] = await showOperatorDeposits(db, [row]);
  return shown as OperatorDeposit;
}

async function showOperatorDeposits(db: Db, rows: readonly DepositRow[]): Promise<OperatorDeposit[]> {
  const contacts = await listContacts(db, [...new Set(rows.map((row) => row.member_id))]);
  return rows.map((row) => show(row, contacts.get(row.member_id) as Contact));
}

const show = (row: DepositRow, contact: Contact): OperatorDeposit => ({
  ...showDeposit(row),
  version: row.version,
  member: {
    ...nameMember(contact),
    frozen: contact.frozenAt !== null,
    closed: contact.closedAt !== null,
  },
  gateway: row.gateway,
  invoice_id: row.invoice_id,
});
