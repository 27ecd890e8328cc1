import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember, setRecipient } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { claimOtpTry, useOtp } from '../codes/one-time-password.ts';
import { emailChangedEmail, maskEmail } from '../core/emails.ts';
import { auditOwn } from '../owner.ts';
import { checkOwnPassword } from '../passwords/change-password.ts';
import { forgetAttempts } from '../sign-in/attempts.ts';
import { forgetCallers, type MemberCaller } from '../sign-in/find-caller.ts';
import { recordSecurityChange } from '../sign-in/record-security-change.ts';
import { lockForChange, type Member, updateEmail } from './member-sql.ts';
import { getMember } from './members.ts';

type Input = {
  readonly email: string;
  readonly otp: string;
  readonly password: string;
  /** Network address of the request. */
  readonly address: string;
};

/**
 * Takes an email address that a code came back from. The member's own is verified by it; another one takes its place, which
 * is a security change, told to the address before. Addresses are not in the audit log: nothing is ever taken out of it
 * (docs/product.md, section 8, "Closing an account"). Refusals: `account_frozen`, `wrong_password`, `wrong_otp`,
 * `too_many_requests`.
 */
export async function changeEmail(context: Context, caller: MemberCaller, input: Input): Promise<Member> {
  const { memberId } = caller;
  const now = context.now();
  if ((await getMember(context.db, memberId)).frozenAt !== null) throw new Refused('account_frozen');
  const { passwordHash } = await checkOwnPassword(context, memberId, input.password);
  if (!(await claimOtpTry(context.db, { memberId, purpose: 'email', now }))) throw new Refused('wrong_otp');
  const { member, ended } = await inTransaction(context.db, async (tx) => {
    const before = await lockForChange(tx, memberId, passwordHash);
    if (before === undefined) throw new Refused('wrong_password', { field: 'password' });
    if (before.frozenAt !== null) throw new Refused('account_frozen');
    const { email, otp } = input;
    if (!(await useOtp(tx, { memberId, purpose: 'email', details: email, otp, now }))) throw new Refused('wrong_otp');
    await forgetAttempts(tx, 'current_password', memberId.toString());
    await updateEmail(tx, memberId, email, now);
    const isVerifiedOnly = email === before.email;
    return {
      member: { ...before, email },
      ended: isVerifiedOnly
        ? await tellVerified(tx, memberId, input.address)
        : await replaceAddress(context, tx, before, caller, input),
    };
  });
  forgetCallers(context, ended);
  return member;
}

/** Nothing about the protection of the account has changed: no sign-in ends. */
async function tellVerified(tx: Tx, memberId: bigint, address: string): Promise<Buffer[]> {
  await auditOwn(tx, { memberId }, 'member.verify_email', { address });
  await notifyMember(tx, { memberId, kind: 'email_verified', message: english.t`Your email address was verified.` });
  return [];
}

async function replaceAddress(
  context: Context,
  tx: Tx,
  before: Member,
  { memberId, authSessionId }: MemberCaller,
  { email, address }: Input,
): Promise<Buffer[]> {
  const { brandName, supportEmail } = context.config;
  const ended = await recordSecurityChange(context, tx, before, {
    keepSession: authSessionId,
    action: 'member.change_email',
    kind: 'email_changed',
    message: english.t`Your email address was changed. All other devices were signed out.`,
    mail: emailChangedEmail(brandName, before.referralCode, maskEmail(email), supportEmail),
    address,
  });
  // After the email above, which so still goes to the address before.
  await setRecipient(tx, { memberId, name: before.name, address: email });
  return ended;
}
