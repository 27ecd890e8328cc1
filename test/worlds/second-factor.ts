import assert from 'node:assert';
import { base32nopad } from '@scure/base';
import type { TestApp } from './app.ts';
import type { testClock } from './builders.ts';
import { TEST_PASSWORD } from './members.ts';
import { codeAt } from './operators.ts';

/** Sets up a member's authenticator app, which uses up its current code. @returns its secret, for `codeAt` */
export async function setUpApp(
  app: TestApp,
  token: string,
  clock: Pick<ReturnType<typeof testClock>, 'now'>,
  password = TEST_PASSWORD,
): Promise<Uint8Array> {
  const started = await app.ask('POST', 'auth/totp/start', { token, body: { password } });
  const secret = base32nopad.decode(started.body.data.secret);
  const confirmed = await app.ask('POST', 'auth/totp/confirm', { token, body: { otp: codeAt(secret, clock.now()) } });
  assert.equal(confirmed.status, 200);
  return secret;
}
