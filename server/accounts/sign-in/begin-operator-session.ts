import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { describeDevice } from '../core/device.ts';
import { operatorSessionLife } from '../core/session-life.ts';
import type { Operator } from '../operators/operator-sql.ts';
import { beginSession } from './begin-session.ts';

export type SignedInOperator = {
  readonly accessToken: string;
  readonly operator: Operator;
  /** Whether the sign-in took a code: without a second factor nothing that moves money can be done. */
  readonly secondFactor: boolean;
};

/** The end of both ways of an operator's sign-in: a session of eight hours, and a line in the audit log. */
export async function beginOperatorSession(
  context: Context,
  tx: Tx,
  operator: Operator,
  given: { readonly secondFactor: boolean; readonly userAgent: string; readonly address: string },
): Promise<SignedInOperator> {
  const { secondFactor, address } = given;
  const device = describeDevice(given.userAgent);
  await writeAudit(tx, {
    actor: { kind: 'operator', id: operator.id },
    action: 'operator.sign_in',
    subject: `operator:${operator.id}`,
    after: { device, secondFactor },
    address,
  });
  const session = { life: operatorSessionLife, device, address, now: context.now() };
  const accessToken = await beginSession(tx, { operatorId: operator.id }, session);
  return { accessToken, operator, secondFactor };
}
