import { otpRules } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { takeOperatorCode } from '../operators/confirm-operator.ts';
import { lockActiveOperator } from '../operators/operator-sql.ts';
import { hashToken } from '../secrets.ts';
import { countAttempt } from './attempts.ts';
import { beginOperatorSession, type SignedInOperator } from './begin-session.ts';
import { claimChallengeTry, deleteChallenge } from './sign-in-challenge-sql.ts';

type Input = {
  readonly challenge: string;
  readonly otp: string;
  readonly userAgent: string;
  readonly address: string;
};

/**
 * Second half of an operator's sign-in. Five tries a sign-in, counted before the code is looked at, and counted for the
 * operator as well, or a new sign-in would bring five new ones. Refusals: `wrong_second_factor` whatever was wrong,
 * `too_many_requests`.
 */
export async function verifyOperatorOtp(context: Context, input: Input): Promise<SignedInOperator> {
  const now = context.now();
  const tokenHash = hashToken(input.challenge);
  const operatorId = await claimChallengeTry(context.db, 'operator', { tokenHash, mostTries: otpRules.tries, now });
  if (operatorId === undefined) throw new Refused('wrong_second_factor');
  await countAttempt(context.db, 'operator_second_factor', operatorId.toString(), now);
  const signedIn = await inTransaction(context.db, async (tx) => {
    // The lock comes first: whoever disables this operator sees what is made here, or is seen.
    const operator = await lockActiveOperator(tx, operatorId);
    if (operator === undefined || !(await takeOperatorCode(tx, operatorId, input.otp, now))) return undefined;
    if ((await deleteChallenge(tx, tokenHash)) === undefined) return undefined;
    return beginOperatorSession(context, tx, operator, { ...input, secondFactor: true });
  });
  if (signedIn === undefined) {
    context.log.warn({ operatorId: operatorId.toString(), address: input.address }, 'operator second factor refused');
    throw new Refused('wrong_second_factor');
  }
  return signedIn;
}
