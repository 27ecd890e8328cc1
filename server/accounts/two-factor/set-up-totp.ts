import { english } from '#contract/texts.ts';
import type { MemberCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { twoFactorEmail } from '../core/emails.ts';
import { lockMember } from '../members/members.ts';
import { auditOwn } from '../owner.ts';
import { countPasskeys } from '../passkeys/passkeys.ts';
import { checkOwnPassword, lockConfirmed } from '../passwords/change-password.ts';
import { clearAttempts, countAttempt } from '../sign-in/attempts.ts';
import { evictCallers } from '../sign-in/find-caller.ts';
import { recordSecurityChange } from '../sign-in/record-security-change.ts';
import { consumeFactorStart, type FactorStart, precheckFactorStart } from './add-factor.ts';
import { keepUsedTwoFactor } from './keep-two-factor.ts';
import {
  findSecondFactors,
  findTotpStep,
  getSetUp,
  issueRecoveryCodes,
  makeTotpSecret,
  totpUri,
  updateConfirmed,
  upsertTotp,
  writeTotpSecret,
} from './second-factor.ts';

/**
 * Starts the set-up of a member's authenticator app and returns the secret, once. Requires the password, so that an
 * unattended browser is not enough, and an emailed code, or if there is a passkey, that or a recovery code. Sign-in does
 * not require the app before a first code confirms it; until then a new start replaces the secret. Refuses
 * `wrong_password`, `second_factor_on`, `second_factor_required`, `wrong_second_factor`, `passkey_refused`, `wrong_otp`,
 * `too_many_requests`.
 */
export async function startTotp(
  context: Context,
  { memberId }: MemberCaller,
  input: FactorStart,
): Promise<{ secret: string; uri: string }> {
  const checked = await checkOwnPassword(context, memberId, input.password);
  if ((await findSecondFactors(context.db, memberId)).hasApp) throw new Refused('second_factor_on');
  const given = await precheckFactorStart(context, memberId, input);
  const secret = makeTotpSecret();
  await inTransaction(context.db, async (tx) => {
    await lockConfirmed(tx, checked);
    await consumeFactorStart(context, tx, memberId, given);
    if (!(await upsertTotp(tx, { memberId }, { secret, now: context.now() }))) throw new Refused('second_factor_on');
    await auditOwn(tx, { memberId }, 'member.start_second_factor', { address: input.address });
  });
  return { secret: writeTotpSecret(secret), uri: totpUri(secret, context.config.brandName, checked.referralCode) };
}

/**
 * Finishes the set-up with a first code of the app, which is consumed. All other sign-ins end, because they used the
 * password only. Refuses `second_factor_missing` without a set-up or half an hour after its start, `second_factor_on`,
 * `wrong_second_factor`, `too_many_requests`.
 *
 * @returns ten recovery codes, shown once; null if the member has them already, with a passkey
 */
export async function confirmTotp(
  context: Context,
  { memberId, authSessionId }: MemberCaller,
  input: { readonly otp: string; readonly address: string },
): Promise<string[] | null> {
  const now = context.now();
  const { id, secret } = await getSetUp(context.db, { memberId }, now);
  await countAttempt(context.db, 'second_factor', memberId.toString(), now);
  const step = orRefuse(findTotpStep(secret, input.otp, now), 'wrong_second_factor');
  const { codes, ended } = await inTransaction(context.db, async (tx) => {
    const member = await lockMember(tx, memberId);
    // Confirmed, or restarted with another secret, since it was read.
    const isConfirmed = member !== undefined && (await updateConfirmed(tx, id, { secret, step, now }));
    if (!isConfirmed) throw new Refused('wrong_second_factor');
    await clearAttempts(tx, 'second_factor', memberId.toString());
    await keepUsedTwoFactor(tx, context, memberId, input.address);
    const wasOn = (await countPasskeys(tx, { memberId })) > 0;
    return {
      codes: wasOn ? null : await issueRecoveryCodes(tx, memberId),
      ended: await recordSecurityChange(context, tx, member, {
        keepSession: authSessionId,
        action: 'member.confirm_second_factor',
        kind: 'second_factor_on',
        message: wasOn
          ? english.t`An authenticator app was added. All other devices were signed out.`
          : english.t`Two-factor authentication is on. All other devices were signed out.`,
        mail: twoFactorEmail(wasOn ? 'appAdded' : 'on'),
        address: input.address,
      }),
    };
  });
  evictCallers(context, ended);
  return codes;
}
