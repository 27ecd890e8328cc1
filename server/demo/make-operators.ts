import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { generateSync } from 'otplib';
import type { Context } from '#server/context.ts';
import {
  confirmOperatorTotp,
  findCaller,
  registerOperator,
  signInOperator,
  startOperatorTotp,
} from '#server/identity/index.ts';

/** Where the demo world's operators sit: nobody is at the other end of a network. */
export const demoDesk = { userAgent: 'demo', address: '127.0.0.1' } as const;

export type DemoOperator = {
  readonly operatorId: bigint;
  /** What the authenticator app shows at a moment. */
  readonly codeAt: (now: Date) => string;
};

/**
 * A finance operator with an authenticator app. Password and secret are forgotten when the demo world is made, so nobody
 * can sign in as one.
 */
export async function makeDemoOperator(
  context: Context,
  { name, email }: { readonly name: string; readonly email: string },
): Promise<DemoOperator> {
  const password = randomBytes(24).toString('base64url');
  const operatorId = await registerOperator(context, { email, name, role: 'finance', password });
  const signedIn = await signInOperator(context, { email, password, ...demoDesk });
  assert('accessToken' in signedIn, 'a new operator has no second factor yet');
  const caller = await findCaller(context, signedIn.accessToken);
  assert(caller?.kind === 'operator');
  const { secret } = await startOperatorTotp(context, operatorId, { password, address: demoDesk.address });
  const codeAt = (now: Date) => generateSync({ secret, epoch: Math.floor(now.getTime() / 1000) });
  await confirmOperatorTotp(context, caller, { otp: codeAt(context.now()), address: demoDesk.address });
  return { operatorId, codeAt };
}
