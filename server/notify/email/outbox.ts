import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { ABOVE_EVERY_ID, cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { hasLateMail, listMailRows, type MailRow } from './email-sql.ts';

const KEPT_DAYS = 3;

/** One page of the mails that were given up, newest first. Their text is not told: it may carry a code. */
export async function listFailedMails(
  db: Db,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ items: FailedMailRow[]; nextCursor: string | null }> {
  const before = readIdCursor(page.cursor) ?? ABOVE_EVERY_ID;
  const { rows: found } = await sql<FailedMailRow>`
    select id, to_address, subject, tries, last_fault, created_at from notify.mail
    where state = 'failed' and id < ${before} order by id desc limit ${page.limit + 1}`.execute(db);
  const { rows: items, nextCursor } = cutPage(found, page.limit, ({ id }) => id);
  return { items, nextCursor };
}

/** Puts a mail that was given up back into the line. Refuses `mail_not_failed`, also for one whose text or address is gone. */
export async function retryMail(tx: Tx, id: bigint): Promise<void> {
  const { rows } = await sql`
    update notify.mail set state = 'waiting', deferrals = 0, next_try_at = null, leased_until = null
    where id = ${id} and state = 'failed' and text <> '' and to_address <> '' returning 1`.execute(tx);
  if (rows.length !== 1) throw new Refused('mail_not_failed');
}

/** The text of a mail that was given up is kept for another try, and not for longer than somebody would still send it. */
export async function forgetFailedTexts({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  const before = new Date(now().getTime() - KEPT_DAYS * 86_400_000);
  await sql`
    update notify.mail set text = '' where state = 'failed' and text <> '' and created_at < ${before}`.execute(db);
}

export type MailQueue = {
  readonly waiting: bigint;
  readonly failed: bigint;
  readonly capped: bigint;
  readonly oldestAt: Date | null;
};

/** Mails that wait, since when the oldest does, those that were given up, and those that went over a cap. */
export async function sumMails(db: Db): Promise<MailQueue> {
  const { rows } = await sql<MailQueue>`
    select w.waiting, w."oldestAt", (select count(*) from notify.mail where state = 'failed') as failed,
      (select count(*) from notify.mail where state = 'capped') as capped
    from (select count(*) as waiting, min(created_at) as "oldestAt" from notify.mail where state = 'waiting') w`.execute(
    db,
  );
  return rows[0] as MailQueue;
}

type FailedMailRow = {
  readonly id: bigint;
  readonly to_address: string;
  readonly subject: string;
  readonly tries: number;
  readonly last_fault: string | null;
  readonly created_at: Date;
};

const LATE_AFTER_MS = 60_000;

/**
 * Whether mails wait because they do not get out, so that whoever is promised one can be told that it will come late. Mails
 * that a server asked to bring again (a full mailbox, greylisting) say nothing about the others and do not count.
 */
export const isMailDelayed = (db: Db, now: Date): Promise<boolean> =>
  hasLateMail(db, new Date(now.getTime() - LATE_AFTER_MS));

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
