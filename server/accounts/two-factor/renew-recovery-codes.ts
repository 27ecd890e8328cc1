import type { Context } from '#server/context.ts';
import { secondFactorMail } from '../core/mails.ts';
import { forgetCallers, type MemberCaller } from '../sign-in/find-caller.ts';
import { recordSecurityChange } from '../sign-in/record-security-change.ts';
import { confirmByBoth } from './confirm-by-both.ts';
import { issueRecoveryCodes } from './recovery-codes.ts';

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
      message: 'You have new recovery codes. All other devices were signed out.',
      mail: secondFactorMail(brandName, member.referralCode, 'renewed', supportEmail),
      address: input.address,
    }),
  }));
  forgetCallers(context, ended);
  return codes;
}
