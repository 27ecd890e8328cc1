import assert from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { emailCodeMail } from '../core/mails.ts';
import { findMember } from '../members/member-sql.ts';
import { mailOtp, type SentOtp } from './send-operation-otp.ts';

/**
 * Mails a code to a mail address, the member's own or another one, that is bound to exactly this address: coming back it
 * shows that the member reads what arrives there. Refusals: `account_frozen`, `too_many_requests`.
 *
 * @param brandName as the mail is signed
 */
export async function sendEmailOtp(
  tx: Tx,
  brandName: string,
  operation: {
    readonly memberId: bigint;
    readonly email: string;
    readonly now: Date;
    /** Network address of the request. */
    readonly address?: string;
  },
): Promise<SentOtp> {
  const { email, ...rest } = operation;
  const member = await findMember(tx, rest.memberId);
  assert(member !== undefined, 'codes are mailed to members');
  if (member.frozenAt !== null) throw new Refused('account_frozen');
  return mailOtp(tx, { ...rest, purpose: 'email', details: email }, ({ referralCode }, code, expiresAt) => ({
    to: email,
    ...emailCodeMail(brandName, referralCode, email, code, expiresAt),
  }));
}
