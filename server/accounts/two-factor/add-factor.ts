import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { claimOtpTry, consumeOtp } from '../codes/one-time-password.ts';
import { type OperationOtp, sendOperationOtp } from '../codes/send-operation-otp.ts';
import type { Confirmation } from '../passwords/change-password.ts';
import { consumeSecondFactor, hasSecondFactor, precheckSecondFactor } from './second-factor.ts';

/** What adding an authenticator app or a passkey takes: `otp` for the first, the present second factor afterwards. */
export type FactorStart = Confirmation & {
  /** The code of `sendFirstFactorOtp`. */
  readonly otp?: string | undefined;
};

const operation = { purpose: 'second_factor', details: '' } as const;

/**
 * Emails the code that a member's first second factor takes: somebody who knows only the password could otherwise add
 * their own and lock the owner out. Refuses `second_factor_on`, `too_many_requests`.
 */
export async function sendFirstFactorOtp(
  tx: Tx,
  request: Pick<OperationOtp, 'memberId' | 'now' | 'address'>,
): ReturnType<typeof sendOperationOtp> {
  if (await hasSecondFactor(tx, request.memberId)) throw new Refused('second_factor_on');
  const what = english.t`that an authenticator app or a passkey is added, which turns on two-factor authentication`;
  return sendOperationOtp(tx, { ...request, ...operation, what });
}

/**
 * Runs before the transaction that starts adding a second factor and counts a try of what it takes. Refuses
 * `second_factor_required`, `wrong_otp`, `too_many_requests`.
 *
 * @returns what `consumeFactorStart` may compare
 */
export async function precheckFactorStart(
  context: Context,
  memberId: bigint,
  { secondFactor, otp }: FactorStart,
): Promise<Pick<FactorStart, 'secondFactor' | 'otp'>> {
  if (await hasSecondFactor(context.db, memberId)) {
    await precheckSecondFactor(context, memberId, secondFactor);
    return { secondFactor };
  }
  const attempt = { memberId, purpose: operation.purpose, now: context.now() };
  if (otp === undefined || !(await claimOtpTry(context.db, attempt))) throw new Refused('wrong_otp');
  return { secondFactor, otp };
}

/**
 * Verifies and consumes the present second factor, or without one the emailed code. The caller has locked the member,
 * so the first second factor cannot be added, nor the last removed, in the meantime. Refuses `wrong_otp` and what
 * `consumeSecondFactor` refuses.
 */
export async function consumeFactorStart(
  context: Context,
  tx: Tx,
  memberId: bigint,
  { secondFactor, otp }: Pick<FactorStart, 'secondFactor' | 'otp'>,
): Promise<void> {
  if ((await consumeSecondFactor(context, tx, memberId, secondFactor)) !== null) return;
  const isRight = otp !== undefined && (await consumeOtp(tx, { memberId, ...operation, otp, now: context.now() }));
  if (!isRight) throw new Refused('wrong_otp');
}
