import type { Db } from '#server/db/connect.ts';
import { hasLateMail } from './email-sql.ts';

const LATE_AFTER_MS = 60_000;

/**
 * Whether mails wait because they do not get out, so that whoever is promised one can be told that it will come late. Mails
 * that a server asked to bring again (a full mailbox, greylisting) say nothing about the others and do not count.
 */
export const isMailDelayed = (db: Db, now: Date): Promise<boolean> =>
  hasLateMail(db, new Date(now.getTime() - LATE_AFTER_MS));
