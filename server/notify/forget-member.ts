import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import { execute, hasRow } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import type { MemberEmail } from './queue-notices.ts';

/**
 * Deletes a member's address and messages in the transaction that closes the account (docs/product.md, section 8). One
 * last email is sent, then its address is deleted, too.
 */
export async function forgetMember(tx: Tx, memberId: bigint, lastEmail: MemberEmail): Promise<void> {
  assert(tx.isTransaction, 'what is forgotten goes with the account');
  await insertLastEmail(tx, memberId, lastEmail);
  await blankEmails(tx, memberId);
  await deleteMemberRows(tx, memberId);
}

/**
 * Locks a member who chooses something here, until the transaction ends: closing the account waits, or is seen. Refuses
 * `session_required` once it is closed.
 */
export async function lockRecipient(tx: Tx, memberId: bigint): Promise<void> {
  const isOpen = await hasRow(tx)`select 1 from notify.recipient where member_id = ${memberId} for key share`;
  if (!isOpen) throw new Refused('session_required');
}

/** Replaces the text of a notification that names another member, who closes the account. */
export const replaceMessage = (
  tx: Tx,
  notice: {
    readonly memberId: bigint;
    readonly kind: string;
    readonly at: RawBuilder<unknown>;
    readonly message: string;
  },
) =>
  execute(tx)`
    update notify.notification set message = ${notice.message}
    where member_id = ${notice.memberId} and kind = ${notice.kind} and created_at = ${notice.at}`;

/** The last email to a member, whose address is deleted once it is sent. */
const insertLastEmail = (tx: Tx, memberId: bigint, mail: MemberEmail) =>
  execute(tx)`
    insert into notify.mail (to_name, to_address, subject, text, member_id, is_last)
    select name, address, ${mail.subject}, ${mail.text}, member_id, true
    from notify.recipient where member_id = ${memberId}`;

/**
 * Emails without a member are matched by address: codes for several accounts of one address, and emails from before the
 * member was stored. Queued emails to an operator with the same address stay, because anyone can sign up with it.
 */
const isTheirs = (memberId: bigint) => sql`
  not is_last and (member_id = ${memberId} or (member_id is null and (kind is not null or state = 'sent') and lower(to_address) = (
    select lower(address) from notify.recipient where member_id = ${memberId})))`;

/** Queued emails are not sent; of all others only their existence remains, and failed ones can no longer be retried. */
async function blankEmails(tx: Tx, memberId: bigint): Promise<void> {
  await execute(tx)`delete from notify.mail where state = 'waiting' and ${isTheirs(memberId)}`;
  await execute(tx)`
    update notify.mail
    set to_name = '', to_address = '', subject = '', text = '', failed_at = case when state = 'failed' then '-infinity'::timestamptz end
    where state <> 'waiting' and ${isTheirs(memberId)}`;
}

async function deleteMemberRows(tx: Tx, memberId: bigint): Promise<void> {
  // First, because it waits for `lockRecipient`.
  await execute(tx)`delete from notify.recipient where member_id = ${memberId}`;
  await execute(tx)`delete from notify.notification where member_id = ${memberId}`;
  await execute(tx)`delete from notify.announcement_dismissal where member_id = ${memberId}`;
  await execute(tx)`delete from notify.mail_preference where member_id = ${memberId}`;
}
