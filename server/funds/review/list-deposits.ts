import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { DeskDeposit, payoutDesk } from '#contract/funds/review.ts';
import { toDollars } from '#contract/money.ts';
import { type Contact, listContacts } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { heldMicrosOf } from '../core/deposit-decision.ts';
import { showDeposit } from '../deposits/show-deposit.ts';
import { type DepositRow, findDeposit } from '../deposits/sql.ts';
import { reviewedOf } from './decide-deposit.ts';
import { listDeskDepositRows } from './deposit-review-sql.ts';

type ListDeskDeposits = typeof payoutDesk.listDeskDeposits;

/** A page of all members' deposits, with what is held of each. */
export async function listDeskDeposits(
  { db }: Context,
  query: QueryOf<ListDeskDeposits>,
): Promise<DataOf<ListDeskDeposits>> {
  const after = readIdCursor(query.cursor);
  const found = await listDeskDepositRows(db, { state: query.state, after, limit: query.limit + 1 });
  const { rows, nextCursor } = cutPage(found, query.limit, (row) => row.id);
  return { items: await showDeskDeposits(db, rows), next_cursor: nextCursor };
}

/** One of them. Refuses `deposit_not_found`. */
export async function getDeskDeposit({ db }: Context, id: bigint): Promise<DeskDeposit> {
  const row = await findDeposit(db, id);
  if (row === undefined) throw new Refused('deposit_not_found');
  const [shown] = await showDeskDeposits(db, [row]);
  return shown as DeskDeposit;
}

export async function showDeskDeposits(db: Db, rows: readonly DepositRow[]): Promise<DeskDeposit[]> {
  const contacts = await listContacts(db, [...new Set(rows.map((row) => row.member_id))]);
  return rows.map((row) => show(row, contacts.get(row.member_id) as Contact));
}

const show = (row: DepositRow, contact: Contact): DeskDeposit => ({
  ...showDeposit(row),
  version: row.version,
  member: {
    id: contact.id.toString(),
    referral_code: contact.referralCode,
    name: contact.name,
    frozen: contact.frozenAt !== null,
  },
  gateway: row.gateway,
  invoice_id: row.invoice_id,
  held: toDollars(heldMicrosOf(reviewedOf(row))),
  refunded: toDollars(row.refunded_micros),
});
