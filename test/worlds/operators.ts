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
import { addPasskey, startPasskey } from '#server/accounts/operators/operator-passkeys.ts';
import { challengePasskey, getRelyingParty } from '#server/accounts/passkeys/ceremonies.ts';
import type { Context } from '#server/context.ts';
import { makeAuthenticator } from './authenticator.ts';
import { OPERATOR_PASSWORD } from './test-password.ts';

export { OPERATOR_PASSWORD };

const from = { userAgent: 'test', address: '127.0.0.1' };

export type TestOperator = {
  readonly operatorId: bigint;
  readonly email: string;
  readonly token: string;
  /** The secret of the authenticator app, as bytes. */
  readonly secret: Uint8Array;
  /**
   * The app's current code, with earlier use forgotten: the clock of most tests is fixed, and tests do not wait half a
   * minute between two decisions. Request codes of one operator sequentially, since only the last one counts.
   */
  readonly code: () => Promise<string>;
};

/** The operator as an actor who proposes or decides. */
export const actorOf = ({ operatorId }: Pick<TestOperator, 'operatorId'>) => ({ operatorId, address: '127.0.0.1' });

/** Two operators who may approve withdrawals, for tests that write approvals without the console. */
export const makeApprovers = async (context: Context): Promise<readonly [bigint, bigint]> => [
  await registerOne(context, 'finance'),
  await registerOne(context, 'finance'),
];

const registerOne = (context: Context, role: OperatorRole, email = `${role}.${crypto.randomUUID()}@mail.test`) =>
  registerOperator(context, { email, name: `Op ${role}`, role, password: OPERATOR_PASSWORD });

/** A signed-in operator with an authenticator app. */
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

/** Adds a passkey to an operator with an app and no passkey; `confirm` signs the challenge of a decision. */
export async function addOperatorPasskey(context: Context, operator: TestOperator, name = 'Laptop') {
  const { operatorId } = operator;
  const rp = getRelyingParty(context.config, 'localhost:8080');
  const device = makeAuthenticator(rp.origins[0]);
  const caller = await findCaller(context, operator.token);
  assert(caller?.kind === 'operator');
  const otp = await operator.code();
  const creation = await startPasskey(context, rp, operatorId, { password: OPERATOR_PASSWORD, otp, ...from });
  const passkey = await addPasskey(context, caller, { name, answer: device.create(creation), ...from });
  const confirm = async () => device.get(await challengePasskey(context, rp, { operatorId }));
  return { device, passkey, confirm };
}

/** An admin with a passkey, confirmed by the legal contact: a live installation needs two of them for payouts. */
export async function makeConfirmedAdmin(context: Context) {
  const admin = await makeOperator(context, 'admin');
  const added = await addOperatorPasskey(context, admin);
  const now = context.now();
  await sql`
    insert into identity.legal_confirmation (operator_id, sent_to, sent_at, expires_at, confirmed_at)
    values (${admin.operatorId}, 'legal@company.test', ${now}, ${now}, ${now})`.execute(context.db);
  return { ...admin, ...added };
}

/** The code of an authenticator app with this secret. */
export const codeAt = (secret: Uint8Array, now: Date): string =>
  generateSync({ secret, epoch: Math.floor(now.getTime() / 1000) });

/** Another code than the right one. */
export const wrongCode = (code: string): string => (code === '000000' ? '000001' : '000000');
