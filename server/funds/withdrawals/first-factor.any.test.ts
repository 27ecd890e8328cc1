import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { mountAccounts } from '#test/worlds/members.ts';
import { mountWithdrawals } from '../index.ts';
import { openWithdrawalsWorld, type Person } from './withdrawals-world.test-setup.ts';

const world = closeAfterAll(await openWithdrawalsWorld());
const app = closeAfterAll(await testApp(world.context, mountAccounts, mountWithdrawals));

const send = ({ token }: Person, query = 'purpose=second_factor') =>
  app.ask('GET', `auth/send-otp?${query}`, { token });

test('the email says what the code is for, and the reply where it went', async () => {
  const owner = await world.addPerson();
  const sent = await send(owner);
  expect(sent.body.data).toMatchObject({ sent_to: expect.stringMatching(/^.?•••@/), delayed: false });
  expect(sent.body.data.sent_to).not.toContain(owner.email);
  const text = (await world.mails(owner)).at(-1);
  expect(text).toMatch(
    /^With this code the Registered Id \S+ confirms that an authenticator app or a passkey is added, which turns on two-factor authentication\./,
  );
  expect(text).toContain('If you did not ask for this code');
  const early = await send(owner);
  expect(early).toMatchObject(refusal(429, 'too_many_requests'));
  expect(early.headers['retry-after']).toBe('60');
});
