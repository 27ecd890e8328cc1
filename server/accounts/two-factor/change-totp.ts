import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { twoFactorEmail } from '../core/emails.ts';
import { lockForChange, type Member } from '../members/member-sql.ts';
import { checkOwnPassword } from '../passwords/change-password.ts';
import { countAttempt, forgetAttempts } from '../sign-in/attempts.ts';
import { forgetCallers, type MemberCaller } from '../sign-in/find-caller.ts';
import { recordSecurityChange } from '../sign-in/record-security-change.ts';
import { findSecondFactors, isAnyOn } from './find-second-factors.ts';
import { deleteRecoveryCodes, issueRecoveryCodes } from './recovery-codes.ts';
import { deleteTotp, findTotp, takeAppCode } from './totp-sql.ts';

/**
 * Ten new recovery codes in place of the old ones, told this once; all other sign-ins end. Refusals:
 * `second_factor_missing`, `wrong_password`, `wrong_second_factor`, `too_many_requests`.
 */
export async function renewRecoveryCodes(
  context: Context,
  { memberId, authSessionId }: MemberCaller,
  input: { readonly password: string; readonly otp: string; readonly address: string },
): Promise<string[]> {
  const { brandName, supportEmail } = context.config;
  const { codes, ended } = await confirmByBoth(context, memberId, input, async (tx, member) => ({
    codes: await issueRecoveryCodes(tx, memberId),
    ended: await recordSecurityChange(context, tx, member, {
      keepSession: authSessionId,
      action: 'member.renew_recovery_codes',
      kind: 'recovery_codes_renewed',
      message: english.t`You have new recovery codes. All other devices were signed out.`,
      mail: twoFactorEmail(brandName, member.referralCode, 'renewed', supportEmail),
      address: input.address,
    }),
  }));
  forgetCallers(context, ended);
  return codes;
}

/**
 * Turns the second factor off: secret and recovery codes are gone, all other sign-ins end. Refusals:
 * `second_factor_missing`, `wrong_password`, `wrong_second_factor`, `too_many_requests`.
 */
export async function disableTotp(
  context: Context,
  { memberId, authSessionId }: MemberCaller,
  input: { readonly password: string; readonly otp: string; readonly address: string },
): Promise<void> {
  const { brandName, supportEmail } = context.config;
  const ended = await confirmByBoth(context, memberId, input, async (tx, member, totpId) => {
    await deleteTotp(tx, totpId);
    if (!isAnyOn(await findSecondFactors(tx, memberId))) await deleteRecoveryCodes(tx, memberId);
    return recordSecurityChange(context, tx, member, {
      keepSession: authSessionId,
      action: 'member.disable_second_factor',
      kind: 'second_factor_off',
      message: english.t`Two-factor authentication is off. All other devices were signed out.`,
      mail: twoFactorEmail(brandName, member.referralCode, 'off', supportEmail),
      address: input.address,
    });
  });
  forgetCallers(context, ended);
}

/**
 * Runs a change of the second factor, in one transaction, for who knows the password and has the app: neither an open
 * browser nor a lost phone is enough. Refusals: `second_factor_missing`, `wrong_password`, `wrong_second_factor`,
 * `too_many_requests`.
 */
async function confirmByBoth<T>(
  context: Context,
  memberId: bigint,
  input: { readonly password: string; readonly otp: string },
  change: (tx: Tx, member: Member, totpId: bigint) => Promise<T>,
): Promise<T> {
  const now = context.now();
  const totp = await findTotp(context.db, { memberId });
  if (totp?.isConfirmed !== true) throw new Refused('second_factor_missing');
  const { passwordHash } = await checkOwnPassword(context, memberId, input.password);
  await countAttempt(context.db, 'second_factor', memberId.toString(), now);
  return inTransaction(context.db, async (tx) => {
    const member = await lockForChange(tx, memberId, passwordHash);
    if (member === undefined) throw new Refused('wrong_password', { field: 'password' });
    if (!(await takeAppCode(tx, { memberId }, input.otp, now))) throw new Refused('wrong_second_factor');
    await forgetAttempts(tx, 'current_password', memberId.toString());
    await forgetAttempts(tx, 'second_factor', memberId.toString());
    return change(tx, member, totp.id);
  });
}
