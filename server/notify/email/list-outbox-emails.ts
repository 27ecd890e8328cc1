import { ABOVE_EVERY_ID, cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { listMailRows, type MailRow } from './email-sql.ts';

export type StoredMail = MailRow;

/** One page of the outbox, newest first. Who may read it is the caller's rule. */
export async function listMails(
  db: Db,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ items: StoredMail[]; nextCursor: string | null }> {
  const before = readIdCursor(page.cursor) ?? ABOVE_EVERY_ID;
  const found = await listMailRows(db, before, page.limit + 1);
  const { rows: items, nextCursor } = cutPage(found, page.limit, ({ id }) => id);
  return { items, nextCursor };
}
