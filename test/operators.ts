import assert from 'node:assert';
import { base32nopad } from '@scure/base';
import { sql } from 'kysely';
import { generateSync } from 'otplib';
import type { OperatorRole } from '#contract/endpoint.ts';
import {
  confirmOperatorTotp,
  findCaller,
  registerOperator,
  signInOperator,
  startOperatorTotp,
} from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';

export const OPERATOR_PASSWORD = 'gale force nine';
const from = { userAgent: 'test', address: '127.0.0.1' };

export type TestOperator = {
  readonly operatorId: bigint;
  readonly email: string;
  readonly token: string;
  /** The secret of the authenticator app, as bytes. */
  readonly secret: Uint8Array;
  /**
   * The app's code of this moment, as if none was used before: the clock of most tests stands still, and nobody waits for
   * half a minute between two decisions in them. One after the other for the same operator, or the last one counts.
   */
  readonly code: () => Promise<string>;
};

/** Two who may approve withdrawals, for tests that write their approvals without a console. */
export const makeApprovers = async (context: Context): Promise<readonly [bigint, bigint]> => [
  await registerOne(context, 'finance'),
  await registerOne(context, 'finance'),
];

const registerOne = (context: Context, role: OperatorRole, email = `${role}.${crypto.randomUUID()}@mail.test`) =>
  registerOperator(context, { email, name: `Op ${role}`, role, password: OPERATOR_PASSWORD });

/** An operator with an authenticator app set up, signed in. */
export async function makeOperator(context: Context, role: OperatorRole): Promise<TestOperator> {
  const email = `${role}.${crypto.randomUUID()}@mail.test`;
  const operatorId = await registerOne(context, role, email);
  const signedIn = await signInOperator(context, { email, password: OPERATOR_PASSWORD, ...from });
  assert('accessToken' in signedIn);
  const { accessToken: token } = signedIn;
  const caller = await findCaller(context, token);
  assert(caller?.kind === 'operator');
  const started = await startOperatorTotp(context, operatorId, { password: OPERATOR_PASSWORD, ...from });
  const secret = base32nopad.decode(started.secret);
  await confirmOperatorTotp(context, caller, { otp: codeAt(secret, context.now()), ...from });
  const code = async () => {
    await sql`update identity.totp set last_step = 0 where operator_id = ${operatorId}`.execute(context.db);
    return codeAt(secret, context.now());
  };
  return { operatorId, email, token, secret, code };
}

/** What an authenticator app with this secret shows. */
export const codeAt = (secret: Uint8Array, now: Date): string =>
  generateSync({ secret, epoch: Math.floor(now.getTime() / 1000) });
