import type { SecondFactor } from '#contract/fields.ts';
import { english } from '#contract/texts.ts';
import type { MemberCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { passwordChangedEmail } from '../core/emails.ts';
import {
  findMemberWithPassword,
  lockForChange,
  type Member,
  type MemberWithPassword,
  updatePassword,
} from '../members/members.ts';
import { clearAttempts, countAttempt } from '../sign-in/attempts.ts';
import { evictCallers } from '../sign-in/find-caller.ts';
import { recordSecurityChange } from '../sign-in/record-security-change.ts';
import { consumeSecondFactor, precheckSecondFactor } from '../two-factor/second-factor.ts';
import { refuseWeakPassword } from './password-guesser.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

/**
 * Changes the password of the signed-in member; all other sessions end. Refusals: `wrong_password`, `weak_password`,
 * `second_factor_required`, `wrong_second_factor`, `too_many_requests`.
 */
export async function changePassword(
  context: Context,
  caller: MemberCaller,
  input: {
    readonly currentPassword: string;
    readonly password: string;
    readonly secondFactor?: SecondFactor | undefined;
    readonly address: string;
  },
): Promise<void> {
  const member = await checkOwnPassword(context, caller.memberId, input.currentPassword, 'current_password');
  await refuseWeakPassword(input.password, member);
  await precheckSecondFactor(context, caller.memberId, input.secondFactor);
  const newHash = await hashPassword(input.password);
  const ended = await inTransaction(context.db, async (tx) => {
    // Locked first: a second factor that is turned on concurrently waits, or is seen.
    await lockConfirmed(tx, member, 'current_password');
    await consumeSecondFactor(context, tx, caller.memberId, input.secondFactor);
    const change = {
      newHash,
      keepSession: caller.authSessionId,
      action: 'member.change_password',
      address: input.address,
    } as const;
    return orRefuse(await replacePassword(context, tx, member, change), 'wrong_password');
  });
  evictCallers(context, ended);
}

/** Password and second factor, so that neither an unattended browser nor a lost device is enough to change sign-in. */
export type Confirmation = {
  readonly password: string;
  /** Required if one is on. */
  readonly secondFactor?: SecondFactor | undefined;
  /** Network address of the request. */
  readonly address: string;
};

type PasswordField = 'password' | 'current_password';

/**
 * Verifies the current password of a signed-in member. Tries are limited as at a sign-in, against guessing in an
 * unattended browser. Runs outside transactions, because hashing is slow; the change then locks the password that was
 * checked. Refuses `wrong_password`, `too_many_requests`.
 *
 * @param field the form field of the password
 */
export async function checkOwnPassword(
  context: Context,
  memberId: bigint,
  password: string,
  field: PasswordField = 'password',
): Promise<MemberWithPassword> {
  await countAttempt(context.db, 'current_password', memberId.toString(), context.now());
  const member = await findMemberWithPassword(context.db, memberId);
  const isRight = await verifyPassword(member?.passwordHash, password);
  if (member === undefined || !isRight) throw new Refused('wrong_password', { field });
  return member;
}

/**
 * Locks the member for a change after `checkOwnPassword`, and forgets wrong tries. Refuses `wrong_password` if the
 * password was changed, or the account closed, since it was checked.
 */
export async function lockConfirmed(
  tx: Tx,
  { id, passwordHash }: MemberWithPassword,
  field: PasswordField = 'password',
): Promise<Member> {
  const member = await lockForChange(tx, id, passwordHash);
  if (member === undefined) throw new Refused('wrong_password', { field });
  await clearAttempts(tx, 'current_password', id.toString());
  return member;
}

/**
 * Sets a new password and records the security change. Undefined if the password was changed since it was read.
 *
 * @returns hashes of the tokens that ended, for the caller cache
 */
export async function replacePassword(
  context: Context,
  tx: Tx,
  member: MemberWithPassword,
  change: {
    readonly newHash: string;
    /** The sign-in that stays; null ends all. */
    readonly keepSession: bigint | null;
    readonly action: 'member.change_password' | 'member.reset_password';
    readonly address: string;
  },
): Promise<Buffer[] | undefined> {
  const { newHash, ...rest } = change;
  const all = rest.keepSession === null;
  const now = context.now();
  if (!(await updatePassword(tx, member.id, { oldHash: member.passwordHash, newHash, now }))) return undefined;
  await clearAttempts(tx, 'sign_in', member.referralCode);
  return recordSecurityChange(context, tx, member, {
    ...rest,
    kind: 'password_changed',
    message: all
      ? english.t`Your password was changed. All devices were signed out.`
      : english.t`Your password was changed. All other devices were signed out.`,
    mail: passwordChangedEmail(all),
  });
}
