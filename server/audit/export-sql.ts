import { sql } from 'kysely';
import type { ExportSection } from '#server/db/export-sql.ts';

/** What the log says that a member did. What operators noted about them is the operators'. */
export const exportOwnActions = (memberId: bigint): ExportSection => ({
  name: 'actions',
  place: 'bigint',
  rows: sql`
    select id as place, created_at, action, subject, before, after, address
    from audit.entry where actor_kind = 'member' and actor_id = ${memberId}`,
});
