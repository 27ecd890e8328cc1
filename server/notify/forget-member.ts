import assert from 'node:assert';
import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';
import type { MemberEmail } from './queue-notices.ts';

/**
 * Forgets how a member is reached and what they were told, in the transaction that closes the account (docs/product.md,
 * section 8): one last email goes out, and then its address is forgotten, too.
 */
export async function forgetMember(tx: Tx, memberId: bigint, lastEmail: MemberEmail): Promise<void> {
  assert(tx.isTransaction, 'what is forgotten goes with the account');
  await insertLastEmail(tx, memberId, lastEmail);
  await blankEmails(tx, memberId);
  await deleteMemberRows(tx, memberId);
}

/** The last word to a member, at the address they are reached at now: forgotten once it has gone. */
const insertLastEmail = (tx: Tx, memberId: bigint, mail: MemberEmail) =>
  execute(tx)`
    insert into notify.mail (to_name, to_address, subject, text, member_id, is_last)
    select name, address, ${mail.subject}, ${mail.text}, member_id, true
    from notify.recipient where member_id = ${memberId}`;

/**
 * Emails that name no member go by their address: codes for several accounts of one, which cannot be told apart, and what was sent
 * before it was noted whose an email is. What is still to go to an operator of the same address stays: anybody can sign up with it.
 */
const isTheirs = (memberId: bigint) => sql`
  not is_last and (member_id = ${memberId} or (member_id is null and (kind is not null or state = 'sent') and lower(to_address) = (
    select lower(address) from notify.recipient where member_id = ${memberId})))`;

/** Those that wait are not sent any more; of those that went nothing is left but that there was one. */
async function blankEmails(tx: Tx, memberId: bigint): Promise<void> {
  await sql`delete from notify.mail where state = 'waiting' and ${isTheirs(memberId)}`.execute(tx);
  await sql`
    update notify.mail set to_name = '', to_address = '', subject = '', text = ''
    where state <> 'waiting' and ${isTheirs(memberId)}`.execute(tx);
}

async function deleteMemberRows(tx: Tx, memberId: bigint): Promise<void> {
  await sql`delete from notify.notification where member_id = ${memberId}`.execute(tx);
  await sql`delete from notify.announcement_dismissal where member_id = ${memberId}`.execute(tx);
  await sql`delete from notify.mail_preference where member_id = ${memberId}`.execute(tx);
  await sql`delete from notify.recipient where member_id = ${memberId}`.execute(tx);
}
