import { english } from '#contract/texts.ts';
import type { MemberCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember, setRecipient } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { claimOtpTry, consumeOtp } from '../codes/one-time-password.ts';
import { emailChangedEmail, maskEmail } from '../core/emails.ts';
import { endEmailRequest } from '../email-change/request-email-change.ts';
import { auditOwn } from '../owner.ts';
import { type Confirmation, checkOwnPassword, lockConfirmed } from '../passwords/change-password.ts';
import { evictCallers } from '../sign-in/find-caller.ts';
import { recordSecurityChange } from '../sign-in/record-security-change.ts';
import { consumeSecondFactor, precheckSecondFactor } from '../two-factor/second-factor.ts';
import { getMember, type Member, updateEmail } from './members.ts';

type Input = Confirmation & {
  readonly email: string;
  readonly otp: string;
  /** From the current mailbox, if the address changes. */
  readonly oldOtp?: string | undefined;
};

/**
 * Verifies the member's email address with an emailed code, or replaces it. Replacing it is a security change that also
 * needs a code from the current mailbox and the second factor; both addresses are notified, and an open request to
 * change it without that mailbox ends. The audit log has no addresses, because its entries are never deleted
 * (docs/product.md, section 8, "Closing an account"). Refuses `account_frozen`, `wrong_password`,
 * `second_factor_required`, `wrong_second_factor`, `wrong_otp` at `otp` or `old_otp`, `too_many_requests`.
 */
export async function changeEmail(context: Context, caller: MemberCaller, input: Input): Promise<Member> {
  const { memberId } = caller;
  const now = context.now();
  if ((await getMember(context.db, memberId)).frozenAt !== null) throw new Refused('account_frozen');
  const before = await checkOwnPassword(context, memberId, input.password);
  const isChange = input.email !== before.email;
  if (isChange) await precheckSecondFactor(context, memberId, input.secondFactor);
  if (isChange && input.oldOtp === undefined) throw new Refused('wrong_otp', { field: 'old_otp' });
  if (!(await claimOtpTry(context.db, { memberId, purpose: 'email', now }))) throw new Refused('wrong_otp');
  if (isChange && !(await claimOtpTry(context.db, { memberId, purpose: 'old_email', now }))) {
    throw new Refused('wrong_otp', { field: 'old_otp' });
  }
  const executor = { actor: { kind: 'member', id: memberId }, address: input.address } as const;
  const { member, ended } = await inTransaction(context.db, async (tx) => {
    const member = await lockConfirmed(tx, before);
    if (member.frozenAt !== null) throw new Refused('account_frozen');
    // The address has changed since it was read.
    if (member.email !== before.email) throw new Refused('wrong_otp');
    const { email, otp, oldOtp } = input;
    if (isChange) await consumeSecondFactor(context, tx, memberId, input.secondFactor);
    if (!(await consumeOtp(tx, { memberId, purpose: 'email', details: email, otp, now })))
      throw new Refused('wrong_otp');
    if (
      isChange &&
      !(await consumeOtp(tx, { memberId, purpose: 'old_email', details: email, otp: oldOtp ?? '', now }))
    ) {
      throw new Refused('wrong_otp', { field: 'old_otp' });
    }
    if (!isChange) await updateEmail(tx, memberId, email, now);
    else await endEmailRequest(tx, context, { memberId, outcome: 'withdrawn', executor, why: 'changed' });
    return {
      member: { ...member, email },
      ended: isChange
        ? await replaceAddress(context, tx, member, { ...input, keepSession: caller.authSessionId })
        : await recordVerifiedEmail(tx, memberId, input.address),
    };
  });
  evictCallers(context, ended);
  return member;
}

/** Verifying is no security change: no sign-in ends. */
async function recordVerifiedEmail(tx: Tx, memberId: bigint, address: string): Promise<Buffer[]> {
  await auditOwn(tx, { memberId }, 'member.verify_email', { address });
  await notifyMember(tx, { memberId, kind: 'email_verified', message: english.t`Your email address was verified.` });
  return [];
}

/**
 * Replaces the address of a member, whom the caller has locked. Emails go to the new one from now on, and for seven
 * days security emails go to the old one, too.
 *
 * @param change `keepSession` is the sign-in that stays; null ends all
 * @returns hashes of the tokens that ended, for the caller cache
 */
export async function replaceAddress(
  context: Context,
  tx: Tx,
  before: Member,
  change: { readonly email: string; readonly keepSession: bigint | null; readonly address: string | undefined },
): Promise<Buffer[]> {
  const { email, keepSession, address } = change;
  await updateEmail(tx, before.id, email, context.now());
  await setRecipient(tx, { memberId: before.id, name: before.name, address: email });
  return recordSecurityChange(context, tx, before, {
    keepSession,
    action: 'member.change_email',
    kind: 'email_changed',
    message:
      keepSession === null
        ? english.t`Your email address was changed. All devices were signed out.`
        : english.t`Your email address was changed. All other devices were signed out.`,
    mail: emailChangedEmail(maskEmail(email), keepSession === null),
    address,
  });
}
