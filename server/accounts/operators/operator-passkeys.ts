import type { Passkey, PasskeyCreation, PasskeyRegistration } from '#contract/accounts/passkeys.ts';
import type { OperatorCode } from '#contract/fields.ts';
import type { OperatorCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { factorEmail } from '../core/operator-emails.ts';
import { isGuarded } from '../core/operator-rules.ts';
import { auditOwn } from '../owner.ts';
import { beginPasskey, finishPasskey, type RelyingParty } from '../passkeys/ceremonies.ts';
import { deletePasskey, listPasskeys } from '../passkeys/passkeys.ts';
import { consoleUrl, notifyOperators } from './accounts/decide.ts';
import { checkOperatorPassword, lockConfirmedOperator } from './check-password.ts';
import { endOtherSignIns } from './end-sign-ins.ts';
import { endLegalConfirmation } from './legal/legal-confirmation.ts';
import { findOperator, findOperatorFactors, isAnyOn, lockOperator, updateAdminAt } from './operator-sql.ts';
import { confirmOperator } from './operators.ts';

/**
 * Starts adding a passkey, confirmed by the password and a second factor: a code without passkeys, a passkey once there
 * is one. So the admin whom the legal contact confirmed vouches for every further passkey, and a phished code adds
 * none. The first set-up needs the password only.
 *
 * Refuses `wrong_password`, `second_factor_required` without `otp`, `passkey_required` for a code in place of a
 * passkey, `too_many_passkeys`, and what `confirmOperator` does.
 */
export async function startPasskey(
  context: Context,
  rp: RelyingParty,
  operatorId: bigint,
  input: { readonly password: string; readonly otp?: OperatorCode | undefined; readonly address: string },
): Promise<PasskeyCreation> {
  const { email, name, passwordHash } = await checkOperatorPassword(context, operatorId, input.password);
  const factors = await findOperatorFactors(context.db, operatorId);
  if (isAnyOn(factors)) {
    if (input.otp === undefined) throw new Refused('second_factor_required', { field: 'otp' });
    if (factors.passkeys > 0 && typeof input.otp === 'string') throw new Refused('passkey_required');
    await confirmOperator(context, operatorId, input.otp);
  }
  return inTransaction(context.db, async (tx) => {
    await lockConfirmedOperator(tx, operatorId, passwordHash);
    await auditOwn(tx, { operatorId }, 'operator.start_passkey', { address: input.address });
    return beginPasskey(context, tx, rp, { operatorId }, { id: email, name });
  });
}

/**
 * Adds the passkey that the operator's device created. All other sign-ins end, and operators are emailed as about every
 * change. Refuses what `finishPasskey` does.
 */
export const addPasskey = (
  context: Context,
  caller: OperatorCaller,
  input: { readonly name: string; readonly answer: PasskeyRegistration; readonly address: string },
): Promise<Passkey> =>
  inTransaction(context.db, async (tx) => {
    const { operatorId } = caller;
    await lockOperator(tx, operatorId);
    const { id } = await finishPasskey(context, tx, { operatorId }, input);
    await updateAdminAt(tx, operatorId, context.now());
    await recordChange(context, tx, caller, { change: 'added', id, ...input });
    const added = (await listPasskeys(tx, { operatorId })).find((passkey) => passkey.id === id.toString());
    return added as Passkey;
  });

/**
 * Removes a passkey, confirmed by password and second factor. Removing the last one ends the legal contact's
 * confirmation. Refuses `not_found`, also for someone else's; `last_second_factor` if no second factor would remain;
 * `wrong_password`, and what `confirmOperator` does.
 */
export async function removePasskey(
  context: Context,
  caller: OperatorCaller,
  input: { readonly id: bigint; readonly password: string; readonly otp: OperatorCode; readonly address: string },
): Promise<void> {
  const { operatorId } = caller;
  const owner = { operatorId };
  const known = await listPasskeys(context.db, owner);
  if (!known.some(({ id }) => id === input.id.toString())) throw new Refused('not_found');
  if (isLast(await findOperatorFactors(context.db, operatorId))) throw new Refused('last_second_factor');
  const { passwordHash } = await checkOperatorPassword(context, operatorId, input.password);
  await confirmOperator(context, operatorId, input.otp);
  await inTransaction(context.db, async (tx) => {
    // Of two concurrent removals of the last two, the second sees what is left.
    await lockOperator(tx, operatorId);
    await lockConfirmedOperator(tx, operatorId, passwordHash);
    if (isLast(await findOperatorFactors(tx, operatorId))) throw new Refused('last_second_factor');
    const removed = orRefuse(await deletePasskey(tx, owner, input.id), 'not_found');
    await recordChange(context, tx, caller, { change: 'removed', name: removed.name, ...input });
    const { passkeys } = await findOperatorFactors(tx, operatorId);
    if (passkeys > 0) return;
    const actor = { kind: 'operator', id: operatorId } as const;
    await endLegalConfirmation(tx, operatorId, { actor, address: input.address, why: 'passkey' });
  });
}

const isLast = ({ hasApp, passkeys }: { readonly hasApp: boolean; readonly passkeys: number }) =>
  !hasApp && passkeys <= 1;

async function recordChange(
  context: Context,
  tx: Tx,
  caller: OperatorCaller,
  given: {
    readonly change: 'added' | 'removed';
    readonly id: bigint;
    readonly name: string;
    readonly address: string;
  },
): Promise<void> {
  const { operatorId } = caller;
  const { change, id, name: passkey, address } = given;
  const endedSessions = await endOtherSignIns(tx, context, caller);
  await auditOwn(tx, { operatorId }, change === 'added' ? 'operator.add_passkey' : 'operator.remove_passkey', {
    after: { passkeyId: id, passkey, endedSessions },
    address,
  });
  const operator = orRefuse(await findOperator(tx, operatorId), 'session_required');
  const mail = factorEmail(
    context.config.brandName,
    change,
    { ...operator, passkey },
    consoleUrl(context, 'operators'),
  );
  await notifyOperators(tx, mail, { everybody: isGuarded(operator.role), ids: [operatorId] });
}
