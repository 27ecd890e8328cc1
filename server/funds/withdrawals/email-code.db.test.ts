import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '#test/app.ts';
import { mountAccounts } from '#test/members.ts';
import { mountWithdrawals } from './withdrawal-routes.ts';
import { openWithdrawalsWorld, type WithdrawalsWorld } from './withdrawals-world.test-setup.ts';

let world: WithdrawalsWorld;
let app: TestApp;
beforeAll(async () => {
  world = await openWithdrawalsWorld();
  app = await testApp(world.context, mountAccounts, mountWithdrawals);
});
afterAll(async () => {
  await app.close();
  await world.database.close();
});

test('a code for a mail address goes to that address, and changes it', async () => {
  const { token } = await world.addPerson(0, null);
  const email = 'moved@example.com';
  const sent = await app.ask('GET', `auth/send-otp?purpose=email&email=${email}`, { token });
  expect(sent).toMatchObject({ status: 200, body: { data: { sent_to: 'm•••@example.com', delayed: false } } });
  const { rows } = await sql<{ text: string }>`select text from notify.mail where to_address = ${email}`.execute(
    world.context.db,
  );
  const otp = /The code is (\d{6})\./.exec(rows[0]?.text ?? '')?.[1];
  const body = { email, otp, password: 'a harbour at dusk' };
  expect(await app.ask('PUT', 'auth/email', { token, body })).toMatchObject({ status: 200, body: { data: { email } } });
  const again = await app.ask('GET', `auth/send-otp?purpose=email&email=other@example.com`, { token });
  expect(again.status).toBe(200);
});

test('what is no mail address names the field', async () => {
  const { token } = await world.addPerson(0, null);
  expect(await app.ask('GET', 'auth/send-otp?purpose=email&email=anna@mail', { token })).toMatchObject({
    status: 422,
    body: { code: 'validation', validation_results: [{ field: 'email' }] },
  });
});
