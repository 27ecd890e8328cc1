import assert from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { insertMailsToMembers } from './email/email-sql.ts';
import { mailsOf } from './email/emails-of-notices.ts';
import { insertNotifications } from './notification-sql.ts';

/** The mail that goes with an important notification, to the member's own address. */
export type MemberMail = { readonly subject: string; readonly text: string };

export type Notice = {
  readonly memberId: bigint;
  /** What happened, for programs: `trade_settled`. */
  readonly kind: string;
  /** The sentence the member reads in the drawer. */
  readonly message: string;
  readonly mail?: MemberMail;
};

/** Tells one member what happened, in the transaction in which it happened (docs/product.md, section 9). */
export async function notifyMember(tx: Tx, notice: Notice): Promise<void> {
  await notifyMembers(tx, [notice]);
}

/** The same for any number of members, in one statement for the drawer and one for the mails. */
export async function notifyMembers(tx: Tx, notices: readonly Notice[]): Promise<void> {
  assert(tx.isTransaction, 'a notification belongs into the transaction of its event');
  if (notices.length === 0) return;
  await insertNotifications(tx, notices);
  const mails = await mailsOf(tx, notices);
  if (mails.length > 0) await insertMailsToMembers(tx, mails);
}
