import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { testApp } from '#test/worlds/app.ts';
import { mountAccounts } from '#test/worlds/members.ts';
import { openWorld } from '../accounts-world.test-setup.ts';

const world = closeAfterAll(await openWorld());
const app = closeAfterAll(await testApp(world.context, mountAccounts));

test('of a hundred concurrent sign-ins a few run at a time, and other calls do not queue behind them', async () => {
  const token = await world.signIn((await world.signUp()).referralCode);
  let answered = 0;
  const signIns = Array.from({ length: 100 }, async (_, index) => {
    const body = { loginId: `TWNOBODY${index}`, password: 'a wrong password' };
    const reply = await app.ask('POST', 'auth/login', { body });
    answered += 1;
    return reply.body.code;
  });
  const seen: number[] = [];
  while (seen.length < 20) {
    const before = answered;
    expect((await app.ask('GET', 'auth/me', { token })).status).toBe(200);
    seen.push(answered - before);
  }
  // By order, not by the clock: in the queue a single call would wait for a hundred hashes.
  const inOrder = seen.toSorted((one, other) => one - other);
  expect(inOrder[18]).toBeLessThan(20);
  expect(await Promise.all(signIns)).toEqual(Array(100).fill('wrong_login'));
});
