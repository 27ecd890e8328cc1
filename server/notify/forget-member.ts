import assert from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { blankMails, deleteMemberRows, insertLastMail } from './forget-member-sql.ts';
import type { MemberMail } from './notify-members.ts';

/**
 * Forgets how a member is reached and what they were told, in the transaction that closes the account (docs/product.md,
 * section 8): one last mail goes out, and then its address is forgotten, too.
 */
export async function forgetMember(tx: Tx, memberId: bigint, lastMail: MemberMail): Promise<void> {
  assert(tx.isTransaction, 'what is forgotten goes with the account');
  await insertLastMail(tx, memberId, lastMail);
  await blankMails(tx, memberId);
  await deleteMemberRows(tx, memberId);
}
