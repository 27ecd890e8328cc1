import type { Attachment, OperatorMessage, Ticket, TicketMessage } from '#contract/tickets/tickets.ts';
import type { AttachmentRow } from './attachment-sql.ts';
import type { MessageRow, Unread } from './message-sql.ts';
import type { TicketRow } from './ticket-sql.ts';

export const showTicket = (row: TicketRow, unread: number): Ticket => ({
  id: row.id.toString(),
  reference: row.reference,
  subject: row.subject,
  category: row.category,
  state: row.state,
  about: showAbout(row),
  unread,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** Several tickets with their unread counts. */
export const showTickets = (rows: readonly TicketRow[], unread: readonly Unread[]): Ticket[] =>
  rows.map((row) => showTicket(row, unread.find(({ ticket_id }) => ticket_id === row.id)?.unread ?? 0));

function showAbout({ about_kind, about_id, about_label }: TicketRow): Ticket['about'] {
  if (about_kind === null || about_id === null || about_label === null) return null;
  return { kind: about_kind, id: about_id.toString(), label: about_label };
}

/** The names of a ticket's authors. */
export type Writers = { readonly member: string; readonly operators: ReadonlyMap<bigint, string> };

/** A message; `seen` means that the other side's read mark has reached it. */
export const showMessage = (
  row: MessageRow,
  attachments: readonly AttachmentRow[],
  ticket: TicketRow,
  writers: Writers,
): TicketMessage => ({
  id: row.id.toString(),
  author: row.author,
  name: row.operator_id === null ? writers.member : (writers.operators.get(row.operator_id) ?? ''),
  message: row.text,
  attachments: attachments.filter((file) => file.message_id === row.id).map(showAttachment),
  seen: !row.is_private && row.id <= (row.author === 'member' ? ticket.support_read_id : ticket.member_read_id),
  created_at: row.created_at.toISOString(),
});

const showAttachment = (row: AttachmentRow): Attachment => ({
  id: row.id.toString(),
  name: row.name,
  type: row.type,
  bytes: row.bytes,
});

/** The operators' view, including private notes. */
export const showOperatorMessage = (
  row: MessageRow,
  attachments: readonly AttachmentRow[],
  ticket: TicketRow,
  writers: Writers,
): OperatorMessage => ({ ...showMessage(row, attachments, ticket, writers), private: row.is_private });
