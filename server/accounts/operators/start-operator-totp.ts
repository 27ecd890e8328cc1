import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { verifyPassword } from '../passwords/passwords.ts';
import { countAttempt, forgetAttempts } from '../sign-in/attempts.ts';
import { makeTotpSecret, totpUri, writeTotpSecret } from '../two-factor/totp.ts';
import { upsertTotp } from '../two-factor/totp-sql.ts';
import { findOperatorWithPassword, lockOperatorPassword } from './operator-sql.ts';

/**
 * Begins to set an operator's authenticator app up: makes the secret and tells it this once. Asks for the password, for
 * whoever took over an open browser would set up an app of their own. Until a code was shown a new start replaces it.
 * Refusals: `wrong_password`, `second_factor_on`, `too_many_requests`.
 */
export async function startOperatorTotp(
  context: Context,
  operatorId: bigint,
  input: { readonly password: string; readonly address: string },
): Promise<{ secret: string; uri: string }> {
  const now = context.now();
  await countAttempt(context.db, 'operator_password', operatorId.toString(), now);
  const operator = await findOperatorWithPassword(context.db, operatorId);
  const isRight = await verifyPassword(operator?.passwordHash, input.password);
  if (typeof operator?.passwordHash !== 'string' || !isRight)
    throw new Refused('wrong_password', { field: 'password' });
  const { passwordHash, email } = operator;
  const secret = makeTotpSecret();
  await inTransaction(context.db, async (tx) => {
    const isStill = await lockOperatorPassword(tx, operatorId, passwordHash);
    if (!isStill) throw new Refused('wrong_password', { field: 'password' });
    await forgetAttempts(tx, 'operator_password', operatorId.toString());
    if (!(await upsertTotp(tx, { operatorId }, { secret, now }))) throw new Refused('second_factor_on');
    await writeAudit(tx, {
      actor: { kind: 'operator', id: operatorId },
      action: 'operator.start_second_factor',
      subject: `operator:${operatorId}`,
      address: input.address,
    });
  });
  return { secret: writeTotpSecret(secret), uri: totpUri(secret, context.config.brandName, email) };
}
