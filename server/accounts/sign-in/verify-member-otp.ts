import { otpRules } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { recoveryCodeUsedMail } from '../core/mails.ts';
import { lockForSignIn, type Member } from '../members/member-sql.ts';
import { hashToken } from '../secrets.ts';
import { countRecoveryCodes, takeRecoveryCode } from '../two-factor/recovery-codes.ts';
import { takeAppCode } from '../two-factor/take-app-code.ts';
import { countAttempt, forgetAttempts } from './attempts.ts';
import { beginMemberSession, type SignedInMember } from './begin-session.ts';
import { claimChallengeTry, deleteChallenge } from './sign-in-challenge-sql.ts';

type SecondFactor = { readonly otp: string } | { readonly recoveryCode: string };

type Input = {
  readonly challenge: string;
  readonly code: SecondFactor;
  readonly userAgent: string;
  readonly address: string;
};

/**
 * Second half of a member's sign-in: a code of the authenticator app, or a recovery code. Five tries a sign-in, counted
 * before the code is looked at, and counted for the member as well, or a new sign-in would bring five new ones. *Remember
 * Me* is kept from the first half. Refusals: `sign_in_expired` when it is unknown, over, or was tried five times;
 * `wrong_second_factor` whatever was wrong with the code; `too_many_requests`.
 */
export async function verifyMemberOtp(context: Context, input: Input): Promise<SignedInMember> {
  const now = context.now();
  const tokenHash = hashToken(input.challenge);
  const memberId = await claimChallengeTry(context.db, 'member', { tokenHash, mostTries: otpRules.tries, now });
  if (memberId === undefined) throw new Refused('sign_in_expired');
  await countAttempt(context.db, 'second_factor', memberId.toString(), now);
  return inTransaction(context.db, async (tx) => {
    // The lock comes first: a change of password or second factor has ended the challenge by now, or waits.
    const member = await lockForSignIn(tx, memberId);
    const challenge = await deleteChallenge(tx, tokenHash);
    if (member === undefined || challenge === undefined) throw new Refused('sign_in_expired');
    // Refused, the challenge is still there for the tries that are left.
    if (!(await takeCode(context, tx, member, input.code))) {
      context.log.info({ memberId: memberId.toString(), address: input.address }, 'second factor refused');
      throw new Refused('wrong_second_factor', { field: 'otp' in input.code ? 'otp' : 'recovery_code' });
    }
    await forgetAttempts(tx, 'second_factor', memberId.toString());
    const { userAgent, address } = input;
    const secondFactor = 'otp' in input.code ? 'app' : 'recovery_code';
    return beginMemberSession(context, tx, member, {
      remember: challenge.isRemembered,
      secondFactor,
      userAgent,
      address,
    });
  });
}

async function takeCode(context: Context, tx: Tx, member: Member, code: SecondFactor): Promise<boolean> {
  if ('otp' in code) return takeAppCode(tx, { memberId: member.id }, code.otp, context.now());
  if (!(await takeRecoveryCode(tx, member.id, code.recoveryCode))) return false;
  const left = await countRecoveryCodes(tx, member.id);
  const { brandName, supportEmail } = context.config;
  await notifyMember(tx, {
    memberId: member.id,
    kind: 'recovery_code_used',
    message: `A recovery code was used to sign in. ${left} ${left === 1 ? 'is' : 'are'} left.`,
    mail: recoveryCodeUsedMail(brandName, member.referralCode, left, supportEmail),
  });
  return true;
}
