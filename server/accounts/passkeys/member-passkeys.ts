import type { PasskeyCreation, PasskeyRegistration } from '#contract/accounts/passkeys.ts';
import { english } from '#contract/texts.ts';
import type { MemberCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { twoFactorEmail } from '../core/emails.ts';
import { lockMember } from '../members/members.ts';
import { auditOwn } from '../owner.ts';
import { type Confirmation, checkOwnPassword, lockConfirmed } from '../passwords/change-password.ts';
import { evictCallers } from '../sign-in/find-caller.ts';
import { recordSecurityChange } from '../sign-in/record-security-change.ts';
import { consumeFactorStart, type FactorStart, precheckFactorStart } from '../two-factor/add-factor.ts';
import { keepUsedTwoFactor } from '../two-factor/keep-two-factor.ts';
import {
  consumeSecondFactor,
  deleteRecoveryCodes,
  findSecondFactors,
  isAnyOn,
  issueRecoveryCodes,
  precheckSecondFactor,
} from '../two-factor/second-factor.ts';
import { beginPasskey, finishPasskey, type RelyingParty } from './ceremonies.ts';
import { deletePasskey } from './passkeys.ts';

/**
 * Starts adding a member's passkey. Refuses `wrong_password`, `second_factor_required`, `wrong_second_factor`,
 * `passkey_refused`, `wrong_otp`, `too_many_passkeys`, `too_many_requests`.
 */
export async function startPasskey(
  context: Context,
  { memberId }: MemberCaller,
  rp: RelyingParty,
  input: FactorStart,
): Promise<PasskeyCreation> {
  const checked = await checkOwnPassword(context, memberId, input.password);
  const given = await precheckFactorStart(context, memberId, input);
  return inTransaction(context.db, async (tx) => {
    const member = await lockConfirmed(tx, checked);
    await consumeFactorStart(context, tx, memberId, given);
    await auditOwn(tx, { memberId }, 'member.start_passkey', { address: input.address });
    return beginPasskey(context, tx, rp, { memberId }, { id: member.referralCode, name: member.name });
  });
}

/**
 * Adds the passkey that a device created, which becomes a second factor: all other sign-ins end, and withdrawals wait
 * for a day. Password and second factor were verified at the start, five minutes ago at most. Refuses
 * `passkey_refused`, `passkey_known`, `too_many_passkeys`.
 *
 * @returns ten recovery codes, shown once, with the first second factor; null if the member has them already
 */
export async function addPasskey(
  context: Context,
  { memberId, authSessionId }: MemberCaller,
  input: { readonly name: string; readonly answer: PasskeyRegistration; readonly address: string },
): Promise<string[] | null> {
  const { codes, ended } = await inTransaction(context.db, async (tx) => {
    const member = orRefuse(await lockMember(tx, memberId), 'passkey_refused');
    const hadSecondFactor = isAnyOn(await findSecondFactors(tx, memberId));
    await finishPasskey(context, tx, { memberId }, input);
    await keepUsedTwoFactor(tx, context, memberId, input.address);
    return {
      codes: hadSecondFactor ? null : await issueRecoveryCodes(tx, memberId),
      ended: await recordSecurityChange(context, tx, member, {
        keepSession: authSessionId,
        action: 'member.add_passkey',
        kind: 'passkey_added',
        message: english.t`A passkey was added. All other devices were signed out.`,
        mail: twoFactorEmail(hadSecondFactor ? 'passkeyAdded' : 'firstPasskeyAdded'),
        address: input.address,
      }),
    };
  });
  evictCallers(context, ended);
  return codes;
}

/**
 * Removes a passkey: all other sign-ins end, withdrawals wait for a day, and recovery codes go with the last second
 * factor. Refuses `not_found`, also for someone else's; `wrong_password`, `second_factor_required`,
 * `wrong_second_factor`, `passkey_refused`, `too_many_requests`.
 */
export async function removePasskey(
  context: Context,
  { memberId, authSessionId }: MemberCaller,
  id: bigint,
  { password, secondFactor, address }: Confirmation,
): Promise<void> {
  await precheckSecondFactor(context, memberId, secondFactor);
  const checked = await checkOwnPassword(context, memberId, password);
  const ended = await inTransaction(context.db, async (tx) => {
    const member = await lockConfirmed(tx, checked);
    await consumeSecondFactor(context, tx, memberId, secondFactor);
    if ((await deletePasskey(tx, { memberId }, id)) === undefined) throw new Refused('not_found');
    const isOn = isAnyOn(await findSecondFactors(tx, memberId));
    if (!isOn) await deleteRecoveryCodes(tx, memberId);
    return recordSecurityChange(context, tx, member, {
      keepSession: authSessionId,
      action: 'member.remove_passkey',
      kind: 'passkey_removed',
      message: english.t`A passkey was removed. All other devices were signed out.`,
      mail: twoFactorEmail(isOn ? 'passkeyRemoved' : 'lastPasskeyRemoved'),
      address,
    });
  });
  evictCallers(context, ended);
}
