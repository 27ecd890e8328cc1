import type { OperatorCode } from '#contract/fields.ts';
import { otpRules } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { hashToken } from '#server/random-text.ts';
import { Refused } from '#server/refused.ts';
import { readLoginId } from '../core/login-id.ts';
import {
  findOperatorByEmail,
  findOperatorFactors,
  isAnyOn,
  lockActiveOperator,
  lockOperatorPassword,
  type OperatorFactors,
  strengthenOperatorPassword,
} from '../operators/operator-sql.ts';
import { consumeOperatorCode } from '../operators/operators.ts';
import { strengthenHash, verifyPassword } from '../passwords/passwords.ts';
import { beginOperatorSession, type SignedInOperator } from './begin-session.ts';
import { findDevice, findDeviceOfOperator, type SentFrom } from './device-tokens.ts';
import { clearGuess, countGuess } from './guesses.ts';
import { beginChallenge, claimChallengeTry, deleteChallenge } from './sign-in-challenge.ts';

type SignIn = SentFrom & { readonly email: string; readonly password: string };

/**
 * Signs an operator in with email address and password for eight hours, with the protections of a member's sign-in.
 * With an authenticator app or a passkey, the password yields only a challenge, which `verifyOperatorOtp` exchanges for
 * the session.
 */
export async function signInOperator(
  context: Context,
  input: SignIn,
): Promise<SignedInOperator | { readonly challenge: string; readonly factors: OperatorFactors }> {
  const email = readLoginId(input.email).value;
  const deviceId = await findDeviceOfOperator(context.db, email, input.devices ?? [], context.now());
  const { address } = input;
  const guess = await countGuess(context, 'operator_sign_in', { account: email, deviceId, address });
  const found = await findOperatorByEmail(context.db, email);
  const isRight = await verifyPassword(found?.passwordHash, input.password);
  if (found === undefined || found.passwordHash === null || !isRight) {
    context.log.warn({ operatorId: found?.id.toString(), address: input.address }, 'operator sign-in refused');
    throw new Refused('wrong_operator_login');
  }
  const { passwordHash, ...operator } = found;
  const stronger = await strengthenHash(passwordHash, input.password);
  return inTransaction(context.db, async (tx) => {
    // Before the shared lock below, which another sign-in may hold, too.
    if (stronger !== undefined) await strengthenOperatorPassword(tx, found.id, { from: passwordHash, to: stronger });
    // Locked first: an app that is confirmed concurrently is seen below, or ends the new session.
    if (!(await lockOperatorPassword(tx, found.id, passwordHash))) throw new Refused('wrong_operator_login');
    await clearGuess(tx, guess);
    const factors = await findOperatorFactors(tx, found.id);
    if (!isAnyOn(factors))
      return beginOperatorSession(context, tx, operator, { ...input, secondFactor: null, factors });
    return { challenge: await beginChallenge(context, tx, { operatorId: found.id }, { address }), factors };
  });
}

type Input = SentFrom & { readonly challenge: string; readonly otp: OperatorCode };

/**
 * Second step of an operator's sign-in. Five tries per sign-in, counted before the check, and also per operator, or
 * each new sign-in would add five. Refuses `wrong_second_factor` whatever was wrong with the sign-in or the code,
 * `passkey_refused`, `too_many_requests`.
 */
export async function verifyOperatorOtp(context: Context, input: Input): Promise<SignedInOperator> {
  const now = context.now();
  const tokenHash = hashToken(input.challenge);
  const operatorId = await claimChallengeTry(context.db, 'operator', { tokenHash, maxTries: otpRules.tries, now });
  if (operatorId === undefined) throw new Refused('wrong_second_factor');
  const { address, devices = [] } = input;
  const deviceId = await findDevice(context.db, { operatorId }, devices, { secret: 'second_factor', now });
  const tried = { account: operatorId.toString(), deviceId, address };
  const guess = await countGuess(context, 'operator_sign_in_second_factor', tried);
  const signedIn = await inTransaction(context.db, async (tx) => {
    // Locked first: disabling this operator ends the new session, or is seen.
    const operator = await lockActiveOperator(tx, operatorId);
    if (
      operator === undefined ||
      !(await consumeOperatorCode(context, tx, { operatorId, otp: input.otp, for: 'second_factor' }))
    )
      return undefined;
    if ((await deleteChallenge(tx, tokenHash)) === undefined) return undefined;
    await clearGuess(tx, guess);
    const secondFactor = typeof input.otp === 'string' ? 'app' : 'passkey';
    const factors = await findOperatorFactors(tx, operatorId);
    return beginOperatorSession(context, tx, operator, { ...input, secondFactor, factors });
  });
  if (signedIn === undefined) {
    context.log.warn({ operatorId: operatorId.toString(), address: input.address }, 'operator two-factor code refused');
    throw new Refused('wrong_second_factor');
  }
  return signedIn;
}
