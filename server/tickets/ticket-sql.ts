import assert from 'node:assert';
import { sql } from 'kysely';
import type { TicketState } from '#contract/tickets/ticket-rules.ts';
import type { Ticket, TicketAbout } from '#contract/tickets/tickets.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { findRow, findValue, listRows } from '#server/db/rows.ts';

export type TicketRow = {
  readonly id: bigint;
  readonly member_id: bigint;
  readonly reference: string;
  readonly subject: string;
  readonly category: Ticket['category'];
  readonly state: TicketState;
  readonly about_kind: TicketAbout['kind'] | null;
  readonly about_id: bigint | null;
  readonly about_label: string | null;
  readonly assigned_to: bigint | null;
  readonly member_read_id: bigint;
  readonly support_read_id: bigint;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly waiting_since: Date | null;
  readonly closed_at: Date | null;
};

/** For queries elsewhere in this folder that select whole tickets. */
export const ticketColumns = sql`
  id, member_id, reference, subject, category, state, about_kind, about_id, about_label, assigned_to, member_read_id,
  support_read_id, version, created_at, updated_at, waiting_since, closed_at`;

export type NewTicket = {
  readonly memberId: bigint;
  readonly reference: string;
  readonly subject: string;
  readonly category: Ticket['category'];
  readonly about: { readonly kind: TicketAbout['kind']; readonly id: bigint; readonly label: string } | undefined;
  readonly now: Date;
};

/** Undefined if the reference is already in use. */
export async function insertTicket(tx: Tx, draft: NewTicket): Promise<TicketRow | undefined> {
  const { about } = draft;
  return findRow(tx)<TicketRow>`
    insert into support.ticket (member_id, reference, subject, category, state, about_kind, about_id, about_label,
                                created_at, updated_at, waiting_since)
    values (${draft.memberId}, ${draft.reference}, ${draft.subject}, ${draft.category}, 'open', ${about?.kind ?? null},
            ${about?.id ?? null}, ${about?.label ?? null}, ${draft.now}, ${draft.now}, ${draft.now})
    on conflict (reference) do nothing
    returning ${ticketColumns}`;
}

/** Every change of a ticket and every new message takes this lock first, which serializes them. */
export const lockTicket = (tx: Tx, id: bigint) =>
  findRow(tx)<TicketRow>`
    select ${ticketColumns} from support.ticket where id = ${id} for update`;

/** Only if the ticket is the member's. */
export const lockMemberTicket = (tx: Tx, memberId: bigint, id: bigint) =>
  findRow(tx)<TicketRow>`
    select ${ticketColumns} from support.ticket where id = ${id} and member_id = ${memberId} for update`;

export const findTicket = (db: Db, id: bigint) =>
  findRow(db)<TicketRow>`select ${ticketColumns} from support.ticket where id = ${id}`;

export const findMemberTicket = (db: Db, memberId: bigint, id: bigint) =>
  findRow(db)<TicketRow>`
    select ${ticketColumns} from support.ticket where id = ${id} and member_id = ${memberId}`;

/** Last changed first, after a cursor. */
export async function listMemberTickets(
  db: Db,
  filter: {
    readonly memberId: bigint;
    readonly state: TicketState | undefined;
    readonly after: TicketPlace | undefined;
    readonly limit: number;
  },
): Promise<TicketRow[]> {
  const inState = filter.state === undefined ? sql`true` : sql`state = ${filter.state}`;
  const below =
    filter.after === undefined
      ? sql`true`
      : sql`(updated_at, id) < (${filter.after.at}::timestamptz, ${filter.after.id}::bigint)`;
  return listRows(db)<TicketRow>`
    select ${ticketColumns} from support.ticket where member_id = ${filter.memberId} and ${inState} and ${below}
    order by updated_at desc, id desc limit ${filter.limit}`;
}

/**
 * Updates the state of a ticket that the caller has locked, and increments its version. A ticket waits from its opening
 * until support answers or it is closed.
 */
export async function updateTicketState(tx: Tx, row: TicketRow, state: TicketState, now: Date): Promise<TicketRow> {
  const after = await findRow(tx)<TicketRow>`
    update support.ticket set state = ${state}, updated_at = ${now}, version = version + 1,
      waiting_since = ${state === 'open' ? (row.waiting_since ?? now) : null},
      closed_at = ${state === 'closed' ? now : null}
    where id = ${row.id} and version = ${row.version}
    returning ${ticketColumns}`;
  return changed(after, row);
}

/**
 * Changes only what operators see, so the member's list keeps its order. Without `to`, it only increments the version.
 */
export async function updateAssignment(
  tx: Tx,
  row: TicketRow,
  to: bigint | null = row.assigned_to,
): Promise<TicketRow> {
  const after = await findRow(tx)<TicketRow>`
    update support.ticket set assigned_to = ${to}, version = version + 1
    where id = ${row.id} and version = ${row.version}
    returning ${ticketColumns}`;
  return changed(after, row);
}

function changed(after: TicketRow | undefined, before: TicketRow): TicketRow {
  assert(after !== undefined, `ticket ${before.id} was not locked while it was changed`);
  return after;
}

/** A cursor: instant in milliseconds and id of the last row. */
export type TicketPlace = { readonly at: Date; readonly id: bigint };

/** The cursor of a list of tickets: `1772625600000_17` for 2026-03-04 12:00 and 17. */
export const writeTicketCursor = ({ at, id }: TicketPlace): string => `${at.getTime()}_${id}`;

/** Undefined if the text is no cursor of this list. */
export function readTicketCursor(cursor: string): TicketPlace | undefined {
  const [, at, id] = /^(\d{12,14})_([1-9]\d{0,17})$/.exec(cursor) ?? [];
  return at === undefined || id === undefined ? undefined : { at: new Date(Number(at)), id: BigInt(id) };
}

/** The member of the ticket with a reference such as `Q-7M2QX4`. */
export const findTicketOwner = (db: Db, reference: string) =>
  findValue(db)<bigint>`
    select member_id from support.ticket where reference = ${reference}`;
