import { sql } from 'kysely';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { ABOVE_EVERY_ID, cutPage, type Paging, readIdCursor } from '#server/cursor.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getRow, getValue, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';

const KEPT_DAYS = 3;

type Clock = Pick<Context, 'db' | 'now'>;

/** Failed emails that can still be retried: it may take three days until one fails. */
const isKept = ({ now }: Clock) =>
  sql<boolean>`coalesce(failed_at, created_at) >= ${new Date(now().getTime() - KEPT_DAYS * 86_400_000)}`;

/** One page of failed emails that can be retried, newest first, without their text, which may contain a code. */
export async function listFailedEmails(
  context: Clock,
  page: Paging,
): Promise<{ items: FailedEmailRow[]; nextCursor: string | null }> {
  const before = readIdCursor(page.cursor) ?? ABOVE_EVERY_ID;
  const found = await listRows(context.db)<FailedEmailRow>`
    select id, to_address, subject, tries, last_fault, created_at from notify.mail
    where state = 'failed' and ${isKept(context)} and id < ${before}
    order by id desc limit ${page.limit + 1}`;
  const { rows: items, nextCursor } = cutPage(found, page.limit, ({ id }) => id);
  return { items, nextCursor };
}

/** Queues a permanently failed email again. Refuses `email_not_failed`, also if its text or address was deleted. */
export async function retryEmail(tx: Tx, id: bigint): Promise<void> {
  const rows = await listRows(tx)`
    update notify.mail set state = 'waiting', deferrals = 0, next_try_at = null, leased_until = null, failed_at = null
    where id = ${id} and state = 'failed' and text <> '' and to_address <> '' returning 1`;
  if (rows.length !== 1) throw new Refused('email_not_failed');
}

/** Job: deletes the text of permanently failed emails that can no longer be retried. */
export const forgetFailedTexts = (context: Clock): Promise<void> =>
  execute(context.db)`
    update notify.mail set text = '' where state = 'failed' and text <> '' and not ${isKept(context)}`;

export type EmailQueue = {
  readonly waiting: bigint;
  readonly failed: bigint;
  readonly capped: bigint;
  readonly oldestAt: Date | null;
};

/**
 * Queued emails, the time of the oldest, failed ones that can be retried, and those beyond a cap. A deferred one, as of a
 * full mailbox, is not the oldest once one written later was sent: it waits for its recipient, not for our server.
 */
export const sumEmails = (context: Clock) =>
  getRow(context.db)<EmailQueue>`
    select w.waiting, w."oldestAt",
      (select count(*) from notify.mail where state = 'failed' and ${isKept(context)}) as failed,
      (select count(*) from notify.mail where state = 'capped') as capped
    from (
      select count(*) as waiting,
        min(created_at) filter (where deferrals = 0 or id > coalesce((
          select id from notify.mail where state in ('sent', 'logged') order by id desc limit 1), 0)) as "oldestAt"
      from notify.mail where state = 'waiting') w`;

type FailedEmailRow = {
  readonly id: bigint;
  readonly to_address: string;
  readonly subject: string;
  readonly tries: number;
  readonly last_fault: string | null;
  readonly created_at: Date;
};

const LATE_AFTER_MS = 60_000;

/**
 * Whether emails are delayed in general, so that a person who expects one can be warned. Emails deferred by their
 * recipient's server (a full mailbox, greylisting) do not count.
 */
export const isEmailDelayed = (db: Db, now: Date): Promise<boolean> =>
  getValue(db)<boolean>`
    select exists (
      select from notify.mail
      where state = 'waiting' and deferrals = 0
        and (next_try_at is not null or created_at <= ${new Date(now.getTime() - LATE_AFTER_MS)})) as found`;

export type StoredEmail = {
  readonly id: bigint;
  readonly to_name: string;
  readonly to_address: string;
  readonly subject: string;
  readonly text: string;
  readonly state: 'waiting' | 'sent' | 'logged' | 'failed' | 'capped';
  readonly last_fault: string | null;
  readonly created_at: Date;
};

type OutboxPage = Paging & { readonly id?: string | undefined };

/** One page of the outbox, newest first, or one email. The caller checks permission. */
export async function listEmails(
  db: Db,
  page: OutboxPage,
): Promise<{ items: StoredEmail[]; nextCursor: string | null }> {
  const before = readIdCursor(page.cursor) ?? ABOVE_EVERY_ID;
  const found = await listRows(db)<StoredEmail>`
    select id, to_name, to_address, subject, text, state, last_fault, created_at from notify.mail
    where id < ${before} and id = coalesce(${page.id ?? null}::bigint, id) order by id desc limit ${page.limit + 1}`;
  const { rows: items, nextCursor } = cutPage(found, page.limit, ({ id }) => id);
  return { items, nextCursor };
}

/** Whether emails stay here to be read. */
export const hasOutbox = ({ smtpUrl }: Context['config']): boolean => smtpUrl === undefined;

/**
 * One page of the outbox, newest first, or one email, only without an email server, thus in paper mode, because emails contain codes that
 * give access to accounts. Elsewhere the call does not exist. Each access is audited.
 */
export async function listOutbox(
  context: Context,
  operatorId: bigint,
  page: OutboxPage,
  address: string,
): Promise<{ items: StoredEmail[]; nextCursor: string | null }> {
  if (!hasOutbox(context.config)) throw new Refused('not_found');
  return inTransaction(context.db, async (tx) => {
    const found = await listEmails(tx, page);
    await writeAudit(tx, {
      actor: { kind: 'operator', id: operatorId },
      action: 'operator.read_outbox',
      subject: 'outbox',
      after: { mailIds: found.items.map((mail) => mail.id) },
      address,
    });
    return found;
  });
}
