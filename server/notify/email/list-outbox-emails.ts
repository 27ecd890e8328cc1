import type { Db } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { cutPage, readIdCursor } from '../core/id-cursor.ts';
import { listMailRows, type MailRow } from './email-sql.ts';

export type StoredMail = MailRow;

/** One page of the outbox, newest first. Who may read it is the caller's rule. */
export async function listMails(
  db: Db,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ items: StoredMail[]; nextCursor: string | null }> {
  const before = readIdCursor(page.cursor);
  if (before === null) throw new Refused('validation', { field: 'cursor' });
  return cutPage(await listMailRows(db, before, page.limit + 1), page.limit);
}
