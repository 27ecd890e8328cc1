import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { ownPasswordMail } from '../../core/operator-mails.ts';
import { refuseWeakPassword } from '../../passwords/password-guesser.ts';
import { hashPassword, verifyPassword } from '../../passwords/passwords.ts';
import { countAttempt, forgetAttempts } from '../../sign-in/attempts.ts';
import { deleteOperatorSessions } from '../../sign-in/auth-session-sql.ts';
import { forgetCallers, type OperatorCaller } from '../../sign-in/find-caller.ts';
import { deleteOperatorChallenges } from '../../sign-in/sign-in-challenge-sql.ts';
import { confirmOperator } from '../confirm-operator.ts';
import { findOperatorWithPassword, updateOperatorPassword } from '../operator-sql.ts';
import { tellOperators } from './tell-operators.ts';

type Input = {
  readonly currentPassword: string;
  readonly password: string;
  readonly otp: string;
  readonly address: string;
};

/**
 * Changes the operator's own password; all other sign-ins end, and it is told by mail. Refusals: `wrong_password`,
 * `weak_password`, `too_many_requests`, those of `confirmOperator`.
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
  await confirmOperator(context.db, operatorId, input.otp, now);
  const ended = await inTransaction(context.db, async (tx) => {
    if (!(await updateOperatorPassword(tx, operatorId, { oldHash, newHash }))) throw new Refused('wrong_password');
    await forgetAttempts(tx, 'operator_password', operatorId.toString());
    const hashes = await deleteOperatorSessions(tx, operatorId, caller.authSessionId);
    await deleteOperatorChallenges(tx, operatorId);
    await writeAudit(tx, {
      actor: { kind: 'operator', id: operatorId },
      action: 'operator.change_password',
      subject: `operator:${operatorId}`,
      after: { endedSessions: hashes.length },
      address: input.address,
    });
    await tellOperators(tx, ownPasswordMail(context.config.brandName), { everybody: false, ids: [operatorId] });
    return hashes;
  });
  forgetCallers(context, ended);
}
