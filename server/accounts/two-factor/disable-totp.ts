import type { Context } from '#server/context.ts';
import { secondFactorMail } from '../core/mails.ts';
import { forgetCallers, type MemberCaller } from '../sign-in/find-caller.ts';
import { recordSecurityChange } from '../sign-in/record-security-change.ts';
import { confirmByBoth } from './confirm-by-both.ts';
import { deleteRecoveryCodes } from './recovery-codes.ts';
import { deleteTotp } from './totp-sql.ts';

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
    await deleteRecoveryCodes(tx, memberId);
    return recordSecurityChange(context, tx, member, {
      keepSession: authSessionId,
      action: 'member.disable_second_factor',
      kind: 'second_factor_off',
      message: 'Your second factor was turned off. All other devices were signed out.',
      mail: secondFactorMail(brandName, member.referralCode, 'off', supportEmail),
      address: input.address,
    });
  });
  forgetCallers(context, ended);
}
