import { sql } from 'kysely';
import type { ExportSection } from '#server/db/export-sql.ts';

/** A member's address and messages. The text of a sent email is not stored. */
export const exportMessages = (memberId: bigint): readonly ExportSection[] => [
  {
    name: 'recipient',
    place: 'bigint',
    rows: sql`select member_id as place, name, address, language from notify.recipient where member_id = ${memberId}`,
  },
  {
    name: 'notifications',
    place: 'bigint',
    rows: sql`
      select id as place, created_at, kind, message, read_at from notify.notification where member_id = ${memberId}`,
  },
  {
    name: 'mail_preferences',
    place: 'text',
    rows: sql`
      select topic as place, topic, is_wanted from notify.mail_preference where member_id = ${memberId}`,
  },
  {
    name: 'announcements_dismissed',
    place: 'bigint',
    rows: sql`
      select d.announcement_id as place, a.title, d.dismissed_at
      from notify.announcement_dismissal d join notify.announcement a on a.id = d.announcement_id
      where d.member_id = ${memberId}`,
  },
  {
    name: 'emails',
    place: 'bigint',
    rows: sql`
      select id as place, created_at, to_address, subject, state from notify.mail where member_id = ${memberId}`,
  },
];
