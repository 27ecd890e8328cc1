import type { OperatorRole } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { countAttempt, forgetAttempts } from './attempts.ts';
import { beginSession } from './begin-session.ts';
import { describeDevice } from './core/device.ts';
import { readLoginId } from './core/login-id.ts';
import { operatorSessionLife } from './core/session-life.ts';
import { findOperatorByEmail, lockOperatorPassword } from './operator-sql.ts';
import { verifyPassword } from './passwords.ts';

export type SignedInOperator = {
  readonly accessToken: string;
  readonly operator: {
    readonly id: bigint;
    readonly email: string;
    readonly name: string;
    readonly role: OperatorRole;
  };
};

/** Signs an operator in by mail address, under the protections of a member's sign-in and for eight hours. */
export async function signInOperator(
  context: Context,
  input: { readonly email: string; readonly password: string; readonly userAgent: string; readonly address: string },
): Promise<SignedInOperator> {
  const now = context.now();
  const email = readLoginId(input.email).value;
  await countAttempt(context.db, 'operator_sign_in', email, now);
  const found = await findOperatorByEmail(context.db, email);
  const isRight = await verifyPassword(found?.passwordHash, input.password);
  if (found === undefined || !isRight) {
    context.log.warn({ operatorId: found?.id.toString(), address: input.address }, 'operator sign-in refused');
    throw new Refused('wrong_login');
  }
  const { passwordHash, ...operator } = found;
  const device = describeDevice(input.userAgent);
  const accessToken = await inTransaction(context.db, async (tx) => {
    if (!(await lockOperatorPassword(tx, operator.id, passwordHash))) throw new Refused('wrong_login');
    await forgetAttempts(tx, 'operator_sign_in', email);
    await writeAudit(tx, {
      actor: { kind: 'operator', id: operator.id },
      action: 'operator.sign_in',
      subject: `operator:${operator.id}`,
      after: { device },
      address: input.address,
    });
    const given = { life: operatorSessionLife, device, address: input.address, now };
    return beginSession(tx, { operatorId: operator.id }, given);
  });
  return { accessToken, operator };
}
