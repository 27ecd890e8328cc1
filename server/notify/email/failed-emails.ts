import type { Context } from '#server/context.ts';
import { ABOVE_EVERY_ID, cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { blankFailedTexts, type FailedMailRow, listFailedRows, updateFailedToWaiting } from './email-queue-sql.ts';

const KEPT_DAYS = 3;

/** One page of the mails that were given up, newest first. Their text is not told: it may carry a code. */
export async function listFailedMails(
  db: Db,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ items: FailedMailRow[]; nextCursor: string | null }> {
  const before = readIdCursor(page.cursor) ?? ABOVE_EVERY_ID;
  const found = await listFailedRows(db, before, page.limit + 1);
  const { rows: items, nextCursor } = cutPage(found, page.limit, ({ id }) => id);
  return { items, nextCursor };
}

/** Puts a mail that was given up back into the line. Refuses `mail_not_failed`, also for one whose text is gone. */
export async function retryMail(tx: Tx, id: bigint): Promise<void> {
  if (!(await updateFailedToWaiting(tx, id))) throw new Refused('mail_not_failed');
}

/** The text of a mail that was given up is kept for another try, and not for longer than somebody would still send it. */
export async function forgetFailedTexts({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  await blankFailedTexts(db, new Date(now().getTime() - KEPT_DAYS * 86_400_000));
}
