import type { SecondFactor } from '#contract/fields.ts';
import { english } from '#contract/texts.ts';
import type { MemberCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { twoFactorEmail } from '../core/emails.ts';
import type { Member } from '../members/members.ts';
import { checkOwnPassword, lockConfirmed } from '../passwords/change-password.ts';
import { evictCallers } from '../sign-in/find-caller.ts';
import { recordSecurityChange } from '../sign-in/record-security-change.ts';
import {
  consumeSecondFactor,
  countSecondFactorTry,
  deleteRecoveryCodes,
  deleteTotp,
  findSecondFactors,
  findTotp,
  hasSecondFactor,
  isAnyOn,
  issueRecoveryCodes,
} from './second-factor.ts';

/**
 * Replaces the recovery codes with ten new ones, returned once; all other sign-ins end. Refuses
 * `second_factor_missing`, `wrong_password`, `wrong_second_factor`, `too_many_requests`.
 */
export async function renewRecoveryCodes(
  context: Context,
  { memberId, authSessionId }: MemberCaller,
  input: Confirmation & { readonly address: string },
): Promise<string[]> {
  const { codes, ended } = await confirmByBoth(context, memberId, input, async (tx, member) => ({
    codes: await issueRecoveryCodes(tx, memberId),
    ended: await recordSecurityChange(context, tx, member, {
      keepSession: authSessionId,
      action: 'member.renew_recovery_codes',
      kind: 'recovery_codes_renewed',
      message: english.t`You have new recovery codes. All other devices were signed out.`,
      mail: twoFactorEmail('renewed'),
      address: input.address,
    }),
  }));
  evictCallers(context, ended);
  return codes;
}

/**
 * Removes the authenticator app, and without a passkey the recovery codes; all other sign-ins end. Refuses
 * `second_factor_missing`, `wrong_password`, `wrong_second_factor`, `too_many_requests`.
 */
export async function disableTotp(
  context: Context,
  { memberId, authSessionId }: MemberCaller,
  input: Confirmation & { readonly address: string },
): Promise<void> {
  const ended = await confirmByBoth(context, memberId, input, async (tx, member) => {
    const totp = await findTotp(tx, { memberId });
    if (totp?.isConfirmed !== true) throw new Refused('second_factor_missing');
    await deleteTotp(tx, totp.id);
    const isStillOn = isAnyOn(await findSecondFactors(tx, memberId));
    if (!isStillOn) await deleteRecoveryCodes(tx, memberId);
    return recordSecurityChange(context, tx, member, {
      keepSession: authSessionId,
      action: 'member.disable_second_factor',
      kind: 'second_factor_off',
      message: isStillOn
        ? english.t`Your authenticator app was removed. All other devices were signed out.`
        : english.t`Two-factor authentication is off. All other devices were signed out.`,
      mail: twoFactorEmail(isStillOn ? 'appRemoved' : 'off'),
      address: input.address,
    });
  });
  evictCallers(context, ended);
}

type Confirmation = { readonly password: string; readonly secondFactor: SecondFactor | undefined };

/**
 * Runs a change of the second factor in one transaction, after verifying password and second factor: neither an
 * unattended browser nor a lost phone is enough. Refuses `second_factor_missing`, `second_factor_required`,
 * `wrong_password`, `wrong_second_factor`, `passkey_refused`, `too_many_requests`.
 */
async function confirmByBoth<T>(
  context: Context,
  memberId: bigint,
  { password, secondFactor }: Confirmation,
  change: (tx: Tx, member: Member) => Promise<T>,
): Promise<T> {
  if (!(await hasSecondFactor(context.db, memberId))) throw new Refused('second_factor_missing');
  if (secondFactor === undefined) throw new Refused('second_factor_required');
  const checked = await checkOwnPassword(context, memberId, password);
  await countSecondFactorTry(context, memberId);
  return inTransaction(context.db, async (tx) => {
    const member = await lockConfirmed(tx, checked);
    if ((await consumeSecondFactor(context, tx, memberId, secondFactor)) === null) {
      throw new Refused('second_factor_missing');
    }
    return change(tx, member);
  });
}
