import { sql } from 'kysely';
import type { ExportSection } from '#server/db/export-sql.ts';

/** A member's tickets as they see them: without private notes. */
export const exportTickets = (memberId: bigint): readonly ExportSection[] => [
  {
    name: 'tickets',
    place: 'bigint',
    rows: sql`
      select id as place, id, reference, subject, category, state, about_kind, about_label, created_at, updated_at, closed_at
      from support.ticket where member_id = ${memberId}`,
  },
  {
    name: 'ticket_messages',
    place: 'bigint',
    rows: sql`
      select m.id as place, m.id, m.ticket_id, m.author, m.text, m.created_at
      from support.message m join support.ticket t on t.id = m.ticket_id
      where t.member_id = ${memberId} and not m.is_private`,
  },
  {
    name: 'ticket_attachments',
    place: 'bigint',
    rows: sql`
      select a.id as place, a.message_id, a.name, a.type, a.bytes, encode(sha256(c.content), 'hex') as sha256
      from support.attachment a join support.attachment_content c on c.attachment_id = a.id
      join support.message m on m.id = a.message_id join support.ticket t on t.id = m.ticket_id
      where t.member_id = ${memberId} and not m.is_private`,
  },
];
