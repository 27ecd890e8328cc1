import { describe, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { makeAuthenticator } from '#test/worlds/authenticator.ts';
import { mountAccounts, TEST_PASSWORD } from '#test/worlds/members.ts';
import { codeAt, wrongCode } from '#test/worlds/operators.ts';
import { setUpApp } from '#test/worlds/second-factor.ts';
import { mountWithdrawals } from '../index.ts';
import { openWithdrawalsWorld, type Person } from './withdrawals-world.test-setup.ts';

const world = closeAfterAll(await openWithdrawalsWorld());
const app = closeAfterAll(await testApp(world.context, mountAccounts, mountWithdrawals));
const { clock, context } = world;

const wrong = refusal(422, 'wrong_otp', 'otp');
const starts = ['auth/totp/start', 'auth/passkeys/start'] as const;
const start = ({ token }: Person, url: string, given: object = {}) =>
  app.ask('POST', url, { token, body: { password: TEST_PASSWORD, ...given } });
const send = ({ token }: Person, query = 'purpose=second_factor') =>
  app.ask('GET', `auth/send-otp?${query}`, { token });
const mailed = async (person: Person, query?: string) => {
  clock.advance(60);
  expect((await send(person, query)).status).toBe(200);
  return world.code(person);
};
const security = async ({ token }: Person) => (await app.ask('GET', 'auth/security', { token })).body.data;

describe.each(starts)('the first second factor, by %s,', (url) => {
  test('takes more than the password: a thief without the mailbox adds none', async () => {
    const owner = await world.addPerson();
    expect(await start(owner, url)).toMatchObject(wrong);
    expect(await start(owner, url, { otp: '123456' })).toMatchObject(wrong);
    const otp = await mailed(owner);
    expect(await start(owner, url, { otp: wrongCode(otp) })).toMatchObject(wrong);
    expect(await app.ask('POST', 'auth/totp/confirm', { token: owner.token, body: { otp } })).toMatchObject(
      refusal(403, 'second_factor_missing'),
    );
    expect(await security(owner)).toMatchObject({ second_factor: false });
    expect(await start(owner, url, { password: 'another word 9', otp })).toMatchObject(
      refusal(422, 'wrong_password', 'password'),
    );
    expect((await start(owner, url, { otp })).status).toBe(200);
  });

  test('is started once with a code, which the fifth wrong try uses up', async () => {
    const owner = await world.addPerson();
    const used = await mailed(owner);
    expect((await start(owner, url, { otp: used })).status).toBe(200);
    for (const other of starts) expect(await start(owner, other, { otp: used })).toMatchObject(wrong);
    const otp = await mailed(owner);
    for (let tries = 0; tries < 5; tries += 1) await start(owner, url, { otp: wrongCode(otp) });
    expect(await start(owner, url, { otp })).toMatchObject(wrong);
  });

  test('is no longer the first once there is one: the present one is required, and no code is sent', async () => {
    const owner = await world.addPerson();
    const unused = await mailed(owner);
    const { data } = (await start(owner, 'auth/passkeys/start', { otp: unused })).body;
    const device = makeAuthenticator();
    const passkey = { name: 'Laptop', passkey: device.create(data) };
    expect((await app.ask('POST', 'auth/passkeys', { token: owner.token, body: passkey })).status).toBe(200);
    clock.advance(60);
    expect(await send(owner)).toMatchObject(refusal(409, 'second_factor_on'));
    const needed = refusal(422, 'second_factor_required', 'second_factor');
    expect(await start(owner, url, { otp: unused })).toMatchObject(needed);
    const asked = await app.ask('POST', 'auth/passkeys/challenge', { token: owner.token, body: {} });
    expect((await start(owner, url, { second_factor: device.get(asked.body.data) })).status).toBe(200);
  });
});

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

test('turned off again, the next first one takes a code again', async () => {
  const owner = await world.addPerson();
  const secret = await setUpApp(app, owner.token, context);
  expect(await security(owner)).toMatchObject({ second_factor: true, app: true });
  clock.advance(30);
  const body = { password: TEST_PASSWORD, second_factor: codeAt(secret, clock.now()) };
  expect((await app.ask('POST', 'auth/totp/disable', { token: owner.token, body })).status).toBe(200);
  for (const url of starts) expect(await start(owner, url)).toMatchObject(wrong);
});
