import assert from 'node:assert';
import type { SecondFactor } from '#contract/fields.ts';
import { recoveryCodePattern } from '#contract/rules.ts';
import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { recoveryCodeUsedEmail } from '../core/emails.ts';
import { getMember } from '../members/members.ts';
import { takePasskeyAnswer } from '../passkeys/take-passkey-answer.ts';
import { countAttempt, forgetAttempts } from '../sign-in/attempts.ts';
import { tellSecurity } from '../sign-in/tell-security.ts';
import { findSecondFactors, isAnyOn } from './find-second-factors.ts';
import { countRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts';
import { takeAppCode } from './totp.ts';

/** With what a member answered. */
export type FactorKind = 'app' | 'passkey' | 'recovery_code';

/** Whether a member is asked for more than the password. */
export const hasSecondFactor = async (db: Db, memberId: bigint): Promise<boolean> =>
  isAnyOn(await findSecondFactors(db, memberId));

/**
 * Before the transaction of an operation that asks for the second factor: an answer that is missing is refused before
 * any other secret of the operation is tried, and one that is there is counted as a try whatever becomes of the
 * operation. Refusals: `second_factor_required`, `too_many_requests`.
 */
export async function admitSecondFactor(
  context: Context,
  memberId: bigint,
  answer: SecondFactor | undefined,
): Promise<void> {
  if (!(await hasSecondFactor(context.db, memberId))) return;
  if (answer === undefined) throw new Refused('second_factor_required');
  await countSecondFactorTry(context, memberId);
}

/** One more try, which the transaction that looks at it cannot undo. Refusal: `too_many_requests`. */
export async function countSecondFactorTry({ db, now }: Pick<Context, 'db' | 'now'>, memberId: bigint): Promise<void> {
  assert(!db.isTransaction, 'a try counts whatever becomes of the operation');
  await countAttempt(db, 'second_factor', memberId.toString(), now());
}

/**
 * Takes the second factor in the transaction of an operation, which holds the member: one that is turned on or off at
 * this moment waits. Nothing is asked of who has none. Rolled back, the answer was not used up, but its try stays counted
 * (`admitSecondFactor`). Refusals: `second_factor_required` and `wrong_second_factor`, at
 * `second_factor`; `passkey_refused`.
 *
 * @returns with what it was answered; null when nothing was asked for
 */
export async function takeSecondFactor(
  context: Context,
  tx: Tx,
  memberId: bigint,
  answer: SecondFactor | undefined,
): Promise<FactorKind | null> {
  if (!(await hasSecondFactor(tx, memberId))) return null;
  if (answer === undefined) throw new Refused('second_factor_required');
  const kind = await takeAnswer(context, tx, memberId, answer, 'change');
  if (kind === undefined) throw new Refused('wrong_second_factor', { field: 'second_factor' });
  return kind;
}

/**
 * Uses an answer up, of which the try was counted, and forgets the tries. Undefined of a code that is wrong, old or used.
 * Refusal: `passkey_refused`.
 */
export async function takeAnswer(
  context: Context,
  tx: Tx,
  memberId: bigint,
  answer: SecondFactor,
  use: 'sign_in' | 'change',
): Promise<FactorKind | undefined> {
  if (typeof answer !== 'string') {
    await takePasskeyAnswer(context, tx, { memberId }, answer, use === 'sign_in' ? 'second_factor' : 'confirm');
    await forgetAttempts(tx, 'second_factor', memberId.toString());
    return 'passkey';
  }
  const kind = recoveryCodePattern.test(answer) ? 'recovery_code' : 'app';
  const isRight =
    kind === 'app'
      ? await takeAppCode(tx, { memberId }, answer, context.now())
      : await takeRecoveryCode(tx, memberId, answer);
  if (!isRight) return undefined;
  await forgetAttempts(tx, 'second_factor', memberId.toString());
  if (kind === 'recovery_code') await tellRecoveryCodeUsed(context, tx, memberId, use);
  return kind;
}

async function tellRecoveryCodeUsed(
  context: Context,
  tx: Tx,
  memberId: bigint,
  use: 'sign_in' | 'change',
): Promise<void> {
  const { brandName, supportEmail } = context.config;
  const { referralCode } = await getMember(tx, memberId);
  const left = await countRecoveryCodes(tx, memberId);
  await tellSecurity(context, tx, {
    memberId,
    kind: 'recovery_code_used',
    message:
      use === 'sign_in'
        ? english.plural(left, {
            one: 'A recovery code was used to sign in. # is left.',
            other: 'A recovery code was used to sign in. # are left.',
          })
        : english.plural(left, {
            one: 'A recovery code was used to confirm a change or a withdrawal. # is left.',
            other: 'A recovery code was used to confirm a change or a withdrawal. # are left.',
          }),
    mail: recoveryCodeUsedEmail(brandName, referralCode, use, left, supportEmail),
  });
}
