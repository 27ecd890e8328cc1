import type { operatorAccounts } from '#contract/accounts/operators.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { OperatorCode } from '#contract/fields.ts';
import type { OperatorCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { findRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { ownPasswordEmail } from '../../core/operator-emails.ts';
import { missingFactor } from '../../core/operator-rules.ts';
import { auditOwn } from '../../owner.ts';
import { refuseWeakPassword } from '../../passwords/password-guesser.ts';
import { hashPassword, verifyPassword } from '../../passwords/passwords.ts';
import { clearAttempts, countAttempt } from '../../sign-in/attempts.ts';
import { endOtherSignIns } from '../end-sign-ins.ts';
import {
  findOperator,
  findOperatorFactors,
  findOperatorWithPassword,
  updateOperatorPassword,
} from '../operator-sql.ts';
import { confirmOperator } from '../operators.ts';
import { notifyOperators } from './decide.ts';

/** The signed-in operator and their session. Refuses `session_required` if the sign-in ended meanwhile. */
export async function getOperatorMe(
  context: Context,
  caller: OperatorCaller,
): Promise<DataOf<typeof operatorAccounts.getOperatorMe>> {
  const { operatorId, authSessionId } = caller;
  const operator = await findOperator(context.db, operatorId);
  const session = await findOwnSession(context.db, operatorId, authSessionId);
  if (operator === undefined || session === undefined) throw new Refused('session_required');
  const { hasApp, passkeys } = await findOperatorFactors(context.db, operatorId);
  return {
    operator: { ...operator, id: operatorId.toString() },
    second_factor: caller.hasSecondFactor,
    missing: missingFactor({ mode: context.config.mode, role: operator.role, hasApp, passkeys }),
    app: hasApp,
    passkeys,
    session: {
      id: authSessionId.toString(),
      created_at: session.createdAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
    },
  };
}

/** Beginning and end of an operator's sign-in. */
const findOwnSession = (db: Db, operatorId: bigint, id: bigint) =>
  findRow(db)<{ createdAt: Date; expiresAt: Date }>`
    select created_at as "createdAt", expires_at as "expiresAt"
    from identity.auth_session where operator_id = ${operatorId} and id = ${id}`;

type Input = {
  readonly currentPassword: string;
  readonly password: string;
  readonly otp: OperatorCode;
  readonly address: string;
};

/**
 * Changes the operator's own password, ends all other sign-ins and notifies them by email. Refuses `wrong_password`,
 * `weak_password`, `too_many_requests`, and what `confirmOperator` does.
 */
export async function changeOperatorPassword(context: Context, caller: OperatorCaller, input: Input): Promise<void> {
  const { operatorId } = caller;
  const now = context.now();
  await countAttempt(context.db, 'operator_password', operatorId.toString(), now);
  const operator = await findOperatorWithPassword(context.db, operatorId);
  const isRight = await verifyPassword(operator?.passwordHash, input.currentPassword);
  if (typeof operator?.passwordHash !== 'string' || !isRight) throw new Refused('wrong_password');
  const { passwordHash: oldHash } = operator;
  await refuseWeakPassword(input.password, operator);
  const newHash = await hashPassword(input.password);
  await confirmOperator(context, operatorId, input.otp);
  await inTransaction(context.db, async (tx) => {
    if (!(await updateOperatorPassword(tx, operatorId, { oldHash, newHash }))) throw new Refused('wrong_password');
    await clearAttempts(tx, 'operator_password', operatorId.toString());
    const endedSessions = await endOtherSignIns(tx, context, caller);
    await auditOwn(tx, { operatorId }, 'operator.change_password', {
      after: { endedSessions },
      address: input.address,
    });
    await notifyOperators(tx, ownPasswordEmail(context.config.brandName), { everybody: false, ids: [operatorId] });
  });
}
