import assert from 'node:assert';
import { base32nopad } from '@scure/base';
import { findCaller, issueOtp } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import type { TestApp } from './app.ts';
import { TEST_PASSWORD } from './members.ts';
import { codeAt } from './operators.ts';

/** The code that the first authenticator app or passkey of the signed-in member takes, without its email. */
export async function firstFactorCode(context: Context, token: string): Promise<string> {
  const caller = await findCaller(context, token);
  assert(caller?.kind === 'member');
  return firstFactorCodeOf(context, caller.memberId);
}

export async function firstFactorCodeOf(context: Context, memberId: bigint): Promise<string> {
  const now = context.now();
  const expiresAt = new Date(now.getTime() + 60_000);
  const code = { memberId, purpose: 'second_factor', details: '', resendAt: now, expiresAt, now } as const;
  const otp = await inTransaction(context.db, (tx) => issueOtp(tx, code));
  assert(otp !== undefined, 'no code within the resend delay of an emailed one');
  return otp;
}

/** Sets up a member's authenticator app, which uses up its current code. @returns its secret, for `codeAt` */
export async function setUpApp(
  app: TestApp,
  token: string,
  context: Context,
  password = TEST_PASSWORD,
): Promise<Uint8Array> {
  const otp = await firstFactorCode(context, token);
  const started = await app.ask('POST', 'auth/totp/start', { token, body: { password, otp } });
  const secret = base32nopad.decode(started.body.data.secret);
  const body = { otp: codeAt(secret, context.now()) };
  assert.equal((await app.ask('POST', 'auth/totp/confirm', { token, body })).status, 200);
  return secret;
}
