import assert from 'node:assert/strict';
import type { OperatorCode } from '#contract/fields.ts';
import type { OperatorCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { factorEmail } from '../core/operator-emails.ts';
import { isGuarded } from '../core/operator-rules.ts';
import { auditOwn } from '../owner.ts';
import { clearAttempts, countAttempt } from '../sign-in/attempts.ts';
import { rememberDevice, type SentDevices, updateDeviceOf } from '../sign-in/device-tokens.ts';
import {
  findTotpStep,
  getSetUp,
  makeTotpSecret,
  totpUri,
  updateConfirmed,
  upsertTotp,
  writeTotpSecret,
} from '../two-factor/second-factor.ts';
import { consoleUrl, notifyOperators } from './accounts/decide.ts';
import { checkOperatorPassword, lockConfirmedOperator } from './check-password.ts';
import { endOtherSignIns } from './end-sign-ins.ts';
import { findOperator, findOperatorFactors, lockOperator, updateAdminAt } from './operator-sql.ts';
import { confirmOperator } from './operators.ts';

/**
 * Starts the set-up of an operator's authenticator app and returns the secret, once. Requires the password, so that an
 * unattended browser is not enough, and a passkey if there is one. Starting again replaces an unconfirmed secret.
 * Refuses `wrong_password`, `second_factor_on`, `second_factor_required`, and what `confirmOperator` does.
 */
export async function startOperatorTotp(
  context: Context,
  operatorId: bigint,
  input: { readonly password: string; readonly otp?: OperatorCode | undefined; readonly address: string },
): Promise<{ secret: string; uri: string }> {
  const now = context.now();
  const { passwordHash, email } = await checkOperatorPassword(context, operatorId, input.password);
  const { hasApp, passkeys } = await findOperatorFactors(context.db, operatorId);
  if (!hasApp && passkeys > 0) {
    if (input.otp === undefined) throw new Refused('second_factor_required', { field: 'otp' });
    await confirmOperator(context, operatorId, input.otp);
  }
  const secret = makeTotpSecret();
  await inTransaction(context.db, async (tx) => {
    await lockConfirmedOperator(tx, operatorId, passwordHash);
    if (!(await upsertTotp(tx, { operatorId }, { secret, now }))) throw new Refused('second_factor_on');
    await auditOwn(tx, { operatorId }, 'operator.start_second_factor', { address: input.address });
  });
  return { secret: writeTotpSecret(secret), uri: totpUri(secret, context.config.brandName, email) };
}

/**
 * Finishes the set-up with a first code of the app, which is consumed. All other sign-ins end, and a pending passkey
 * set-up: they needed the password only. Operators are emailed if there was a passkey before. Refuses
 * `second_factor_missing` without a set-up or half an hour after its start, `second_factor_on`, `wrong_second_factor`,
 * `too_many_requests`.
 *
 * @returns the device token, if the browser was not known before
 */
export async function confirmOperatorTotp(
  context: Context,
  caller: OperatorCaller,
  input: { readonly otp: string; readonly address: string; readonly devices?: SentDevices | undefined },
): Promise<string | undefined> {
  const { operatorId } = caller;
  const now = context.now();
  const { id, secret } = await getSetUp(context.db, { operatorId }, now);
  await countAttempt(context.db, 'operator_second_factor', operatorId.toString(), now);
  const step = orRefuse(findTotpStep(secret, input.otp, now), 'wrong_second_factor');
  return inTransaction(context.db, async (tx) => {
    await lockOperator(tx, operatorId);
    // Confirmed, or restarted with another secret, since it was read.
    if (!(await updateConfirmed(tx, id, { secret, step, now }))) throw new Refused('wrong_second_factor');
    await updateAdminAt(tx, operatorId, now);
    await clearAttempts(tx, 'operator_second_factor', operatorId.toString());
    const endedSessions = await endOtherSignIns(tx, context, caller);
    await auditOwn(tx, { operatorId }, 'operator.confirm_second_factor', {
      after: { endedSessions },
      address: input.address,
    });
    const operator = await findOperator(tx, operatorId);
    assert(operator !== undefined, 'locked above');
    // The first set-up belongs to an invitation, which was emailed.
    if ((await findOperatorFactors(tx, operatorId)).passkeys > 0) {
      const mail = factorEmail(context.config.brandName, 'added', operator, consoleUrl(context, 'operators'));
      await notifyOperators(tx, mail, { everybody: isGuarded(operator.role), ids: [operatorId] });
    }
    // Both factors have been verified.
    const knownAs = await rememberDevice(tx, { operatorId }, { devices: input.devices ?? [], isFull: true, now });
    await updateDeviceOf(tx, caller.authSessionId, knownAs.id);
    return knownAs.token;
  });
}
