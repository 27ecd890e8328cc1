import type { DeskTicket } from '#contract/tickets/tickets.ts';
import { type Contact, listContacts } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';
import { listUnreadOfSupport } from '../message-sql.ts';
import { listOperatorNames, showTickets } from '../show-ticket.ts';
import type { TicketRow } from '../ticket-sql.ts';

/** Tickets as operators see them, in the order they are given. */
export async function showDeskTickets(db: Db, rows: readonly TicketRow[]): Promise<DeskTicket[]> {
  const unread = await listUnreadOfSupport(
    db,
    rows.map((row) => row.id),
  );
  const contacts = await listContacts(db, [...new Set(rows.map((row) => row.member_id))]);
  const names = await listOperatorNames(
    db,
    rows.map((row) => row.assigned_to),
  );
  return showTickets(rows, unread).map((ticket, index) => {
    const row = rows[index] as TicketRow;
    return {
      ...ticket,
      version: row.version,
      member: showMember(contacts.get(row.member_id) as Contact),
      assigned_to:
        row.assigned_to === null ? null : { id: row.assigned_to.toString(), name: names.get(row.assigned_to) ?? '' },
      waiting_since: row.waiting_since?.toISOString() ?? null,
    };
  });
}

export async function showDeskTicket(db: Db, row: TicketRow): Promise<DeskTicket> {
  const [ticket] = await showDeskTickets(db, [row]);
  return ticket as DeskTicket;
}

const showMember = ({ id, referralCode, name }: Contact): DeskTicket['member'] => ({
  id: id.toString(),
  referral_code: referralCode,
  name,
});
