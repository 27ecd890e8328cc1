import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { base32nopad } from '@scure/base';
import {
  confirmOperatorTotp,
  findCaller,
  getServerKey,
  listOperators,
  registerOperator,
  signInOperator,
  startOperatorTotp,
  totpOf,
} from '#server/accounts/index.ts';
import type { OperatorCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { type DemoOperatorPerson, demoAdmins } from './people.ts';

/** Device and network address of the demo world's operators. */
export const demoOrigin = { userAgent: 'demo', address: '127.0.0.1' } as const;

export type DemoOperator = {
  readonly operatorId: bigint;
  readonly caller: OperatorCaller;
  /** The authenticator app's code at an instant. */
  readonly codeAt: (now: Date) => string;
};

/** An operator with an authenticator app. Password and secret are discarded, so nobody can sign in as one. */
export async function makeDemoOperator(
  context: Context,
  { name, email, role }: DemoOperatorPerson,
): Promise<DemoOperator> {
  const password = randomBytes(24).toString('base64url');
  const operatorId = await registerOperator(context, { email, name, role, password });
  const signedIn = await signInOperator(context, { email, password, ...demoOrigin });
  assert('accessToken' in signedIn, 'a new operator has no second factor yet');
  const caller = await findCaller(context, signedIn.accessToken);
  assert(caller?.kind === 'operator');
  const { secret } = await startOperatorTotp(context, operatorId, { password, address: demoOrigin.address });
  const codeAt = (now: Date) => totpOf(secret, now);
  await confirmOperatorTotp(context, caller, { otp: codeAt(context.now()), address: demoOrigin.address });
  // Setup ends every other session and keeps this one.
  return { operatorId, caller: { ...caller, hasSecondFactor: true }, codeAt };
}

export type DemoConsoleLogin = { readonly name: string; readonly email: string; readonly password: string };

/**
 * The two admins of the demo world with their passwords, which only the terminal that started it shows: the console
 * reads data entered by real visitors. Passwords are stable per installation. Created on the first call; the admins set
 * up their second factor at the first sign-in.
 */
export async function ensureDemoAdmins(context: Context): Promise<DemoConsoleLogin[]> {
  const { value: key } = await inTransaction(context.db, (tx) => getServerKey(tx, 'demo', context.now()));
  const logins = demoAdmins.map(({ name, email }) => ({ name, email, password: demoWord(key, email) }));
  const known = new Set((await listOperators(context, 0n)).map((operator) => operator.email));
  for (const { name, email, password } of logins) {
    if (!known.has(email)) await registerOperator(context, { name, email, role: 'admin', password });
  }
  return logins;
}

/** 80 bits as words of four letters: `k3tq-…`. */
const demoWord = (key: Buffer, email: string): string =>
  base32nopad
    .encode(createHmac('sha256', key).update(email).digest().subarray(0, 10))
    .toLowerCase()
    .replaceAll(/(.{4})(?=.)/g, '$1-');
