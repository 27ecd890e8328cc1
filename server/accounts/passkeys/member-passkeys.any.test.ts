import { base32nopad } from '@scure/base';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { makeAuthenticator } from '#test/worlds/authenticator.ts';
import { mountAccounts } from '#test/worlds/members.ts';
import { codeAt, makeOperator } from '#test/worlds/operators.ts';
import { firstFactorCode } from '#test/worlds/second-factor.ts';
import { openWorld, password } from '../accounts-world.test-setup.ts';
import { enrol } from '../two-factor/second-factor.test-setup.ts';
import { beginPasskey, finishPasskey, getRelyingParty } from './ceremonies.ts';

const world = closeAfterAll(await openWorld());
const app = closeAfterAll(await testApp(world.context, mountAccounts));
beforeEach(() => world.clock.advance(86_400));

type Device = ReturnType<typeof makeAuthenticator>;
const refused = refusal(422, 'passkey_refused');

const signedUp = async () => {
  const account = await world.signUp();
  return { ...account, token: await world.signIn(account.referralCode) };
};
const start = async (token: string, more: object = {}) => {
  const otp = await firstFactorCode(world.context, token);
  return app.ask('POST', 'auth/passkeys/start', { token, body: { password, otp, ...more } });
};
const finish = (token: string, passkey: object, name = 'Laptop') =>
  app.ask('POST', 'auth/passkeys', { token, body: { name, passkey } });
const add = async (token: string, device: Device, more: object = {}) =>
  finish(token, device.create((await start(token, more)).body.data));
const list = async (token: string) => (await app.ask('GET', 'auth/passkeys', { token })).body.data;
const security = async (token: string) => (await app.ask('GET', 'auth/security', { token })).body.data;
/** The device’s response to a confirmation of a signed-in member. */
const confirm = async (token: string, device: Device) =>
  device.get((await app.ask('POST', 'auth/passkeys/challenge', { token, body: {} })).body.data);
const startSignIn = async () => (await app.ask('POST', 'auth/passkey/start', { body: {} })).body.data;
const signIn = (passkey: object, more: object = {}) =>
  app.ask('POST', 'auth/passkey/finish', { body: { passkey, ...more } });
const login = (loginId: string) => app.ask('POST', 'auth/login', { body: { loginId, password } });
/** A new member with a passkey, signed in. */
const withPasskey = async () => {
  const account = await signedUp();
  const device = makeAuthenticator();
  const { body } = await add(account.token, device);
  return { ...account, device, recoveryCodes: body.data.recovery_codes as string[] };
};

describe('adding a passkey', () => {
  test('requires the password, issues recovery codes, ends other sign-ins, is emailed, holds withdrawals', async () => {
    const account = await signedUp();
    const elsewhere = await world.signIn(account.referralCode);
    const reply = await add(account.token, makeAuthenticator());
    expect(reply.body.data.recovery_codes).toHaveLength(10);
    expect((await app.ask('GET', 'auth/me', { token: elsewhere })).status).toBe(401);
    expect(await list(account.token)).toMatchObject([{ name: 'Laptop', synced: false, last_used_at: null }]);
    expect(await security(account.token)).toMatchObject({
      second_factor: true,
      app: false,
      passkeys: 1,
      recovery_codes_left: 10,
    });
    expect((await app.ask('GET', 'auth/me', { token: account.token })).body.data.second_factor).toBe(true);
    expect((await world.emailsTo(account.input.email)).at(-1)?.text).toContain(
      'A passkey was added, and two-factor authentication is on.',
    );
    expect(await world.listActions(`member:${account.memberId}`)).toEqual(
      expect.arrayContaining(['member.start_passkey', 'member.add_passkey']),
    );
    const held = `id = ${account.memberId} and security_changed_at = '${world.context.now().toISOString()}'`;
    expect(await world.count('identity.member', held)).toBe(1);
  });

  test('is refused with a wrong password, and without the second factor if there is one', async () => {
    const plain = await signedUp();
    expect(await start(plain.token, { password: 'another word 9' })).toMatchObject(
      refusal(422, 'wrong_password', 'password'),
    );
    const account = await enrol(world);
    expect(await start(account.token)).toMatchObject(refusal(422, 'second_factor_required', 'second_factor'));
    expect(await start(account.token, { second_factor: '000000' })).toMatchObject(
      refusal(422, 'wrong_second_factor', 'second_factor'),
    );
    const added = await add(account.token, makeAuthenticator(), { second_factor: account.code() });
    expect(added.body.data.recovery_codes).toBeNull();
    expect(await security(account.token)).toMatchObject({ app: true, passkeys: 1, recovery_codes_left: 10 });
    expect((await world.emailsTo(account.input.email)).at(-1)?.text).toContain('A passkey was added. It signs in');
  });

  test('a second one is confirmed with the first', async () => {
    const { token, device } = await withPasskey();
    const added = await add(token, makeAuthenticator(), { second_factor: await confirm(token, device) });
    expect(added.body.data.recovery_codes).toBeNull();
    expect(await list(token)).toHaveLength(2);
  });

  test('what was started before a change of the password is void', async () => {
    const { token } = await signedUp();
    const options = (await start(token)).body.data;
    const body = { current_password: password, password: 'gale force nine' };
    expect((await app.ask('PUT', 'auth/password', { token, body })).status).toBe(200);
    expect(await finish(token, makeAuthenticator().create(options))).toMatchObject(refused);
  });
});

describe('signing in with a passkey', () => {
  test('is complete: no password, no code, and no notice for a known device', async () => {
    const { device, memberId, referralCode } = await withPasskey();
    const before = await world.listMessages(memberId);
    const reply = await signIn(device.get(await startSignIn()), { remember: true });
    expect(reply.body.data.user.referral_code).toBe(referralCode);
    const me = await app.ask('GET', 'auth/me', { token: reply.body.data.access_token });
    expect(me.status).toBe(200);
    expect(await world.count('identity.auth_session', `member_id = ${memberId} and idle_seconds = 30 * 86400`)).toBe(1);
    expect(
      await world.count('audit.entry', `subject = 'member:${memberId}' and after->>'secondFactor' = 'passkey'`),
    ).toBe(1);
    expect((await world.listMessages(memberId)).slice(before.length)).toEqual([
      expect.stringMatching(/^New sign-in from /),
    ]);
  });

  test('a removed, unknown or operator’s passkey signs nobody in', async () => {
    const { device, token } = await withPasskey();
    const options = await startSignIn();
    const [{ id }] = await list(token);
    const body = { password, second_factor: await confirm(token, device) };
    expect((await app.ask('POST', `auth/passkeys/${id}/remove`, { token, body })).status).toBe(200);
    expect(await signIn(device.get(options))).toMatchObject(refused);

    const { operatorId } = await makeOperator(world.context, 'finance');
    const [owner, key] = [{ operatorId }, makeAuthenticator()];
    const rp = getRelyingParty(world.context.config, 'localhost');
    await world.context.db.transaction().execute(async (tx) => {
      const made = key.create(await beginPasskey(world.context, tx, rp, owner, { id: 'op', name: 'Op' }));
      await finishPasskey(world.context, tx, owner, { name: 'Key', answer: made });
    });
    expect(await signIn(key.get(await startSignIn()))).toMatchObject(refused);
  });

  test('a frozen member may sign in and read', async () => {
    const { device, memberId } = await withPasskey();
    await sql`update identity.member set frozen_at = now() where id = ${memberId}`.execute(world.context.db);
    const reply = await signIn(device.get(await startSignIn()));
    expect((await app.ask('GET', 'auth/me', { token: reply.body.data.access_token })).body.data.frozen).toBe(true);
  });

  test('thirty forged responses of one passkey are checked in a quarter of an hour', async () => {
    const { device } = await withPasskey();
    const answer = device.get(await startSignIn());
    const bad = { ...answer, response: { ...answer.response, signature: 'AAAA' } };
    for (let tries = 0; tries < 30; tries += 1) expect(await signIn(bad)).toMatchObject(refused);
    expect(await signIn(answer)).toMatchObject({ status: 429 });
    world.clock.advance(900);
    expect((await signIn(device.get(await startSignIn()))).status).toBe(200);
  });
});

describe('a passkey as second factor of a sign-in', () => {
  const secondHalf = async (challenge: string, device: Device) =>
    device.get((await app.ask('POST', 'auth/passkey/second-factor', { body: { challenge } })).body.data);
  const verify = (challenge: string, more: object) =>
    app.ask('POST', 'auth/otp-verify', { body: { purpose: 'login', challenge, ...more } });

  test('is required after the password, even without an app', async () => {
    const { referralCode, device } = await withPasskey();
    const { data } = (await login(referralCode)).body;
    expect(data).toMatchObject({ otp_required: true, methods: ['passkey'] });
    const passkey = await secondHalf(data.challenge, device);
    expect((await verify(data.challenge, { passkey })).body.data.user.referral_code).toBe(referralCode);
    expect(await verify(data.challenge, { passkey })).toMatchObject(refusal(422, 'sign_in_expired'));
  });

  test('coexists with the app, and neither accepts what is meant for something else', async () => {
    const account = await enrol(world);
    const device = makeAuthenticator();
    await add(account.token, device, { second_factor: account.code() });
    const { data } = (await login(account.referralCode)).body;
    expect(data.methods).toEqual(['app', 'passkey']);
    expect(await verify(data.challenge, { passkey: await confirm(account.token, device) })).toMatchObject(refused);
    expect(await verify(data.challenge, { otp: account.code(), passkey: undefined })).toMatchObject({ status: 200 });
    const again = (await login(account.referralCode)).body.data;
    const passkey = await secondHalf(again.challenge, device);
    expect(await verify(again.challenge, { passkey, otp: account.code() })).toMatchObject(refusal(422, 'validation'));
    expect((await verify(again.challenge, { passkey })).status).toBe(200);
  });

  test('recovery codes are for those who lost it', async () => {
    const { referralCode, recoveryCodes } = await withPasskey();
    const { challenge } = (await login(referralCode)).body.data;
    expect((await verify(challenge, { recovery_code: recoveryCodes[0] })).status).toBe(200);
  });

  test('no challenge is issued for a sign-in that has ended or has no passkey', async () => {
    const ask = (challenge: string) => app.ask('POST', 'auth/passkey/second-factor', { body: { challenge } });
    expect(await ask('x'.repeat(43))).toMatchObject(refusal(422, 'sign_in_expired'));
    const account = await enrol(world);
    const { challenge } = (await login(account.referralCode)).body.data;
    expect(await ask(challenge)).toMatchObject(refusal(404, 'not_found'));
  });
});

describe('renaming and removing a passkey', () => {
  test('a passkey is renamed by its owner only', async () => {
    const [one, other] = [await withPasskey(), await signedUp()];
    const [{ id }] = await list(one.token);
    const rename = (token: string) => app.ask('PUT', `auth/passkeys/${id}`, { token, body: { name: 'Old phone' } });
    expect(await rename(other.token)).toMatchObject(refusal(404, 'not_found'));
    expect((await rename(one.token)).status).toBe(200);
    expect(await list(one.token)).toMatchObject([{ name: 'Old phone' }]);
    // The audit log is never deleted, so it has no name that a member chose.
    expect(await world.count('audit.entry', `action = 'member.rename_passkey'`)).toBe(1);
    expect(await world.count('audit.entry', `after::text like '%Old phone%'`)).toBe(0);
  });

  test('removing requires password and second factor; the last one removes the recovery codes too', async () => {
    const { token, device, referralCode, input, recoveryCodes } = await withPasskey();
    const elsewhere = (await signIn(device.get(await startSignIn()))).body.data.access_token;
    const [{ id }] = await list(token);
    const remove = (more: object) =>
      app.ask('POST', `auth/passkeys/${id}/remove`, { token, body: { password, ...more } });
    expect(await remove({})).toMatchObject(refusal(422, 'second_factor_required', 'second_factor'));
    const wrong = { password: 'another word 9', second_factor: await confirm(token, device) };
    expect(await remove(wrong)).toMatchObject(refusal(422, 'wrong_password', 'password'));
    expect(await list(token)).toHaveLength(1);
    // A lost one is removed with a recovery code.
    expect((await remove({ second_factor: recoveryCodes[0] })).status).toBe(200);
    expect(await security(token)).toMatchObject({ second_factor: false, passkeys: 0, recovery_codes_left: 0 });
    expect((await app.ask('GET', 'auth/me', { token: elsewhere })).status).toBe(401);
    expect((await world.emailsTo(input.email)).at(-1)?.text).toContain('A passkey was removed');
    expect((await login(referralCode)).body.data.access_token).toBeDefined();
  });

  test('with an app the recovery codes stay, and turning the app off keeps them for the passkey', async () => {
    const account = await enrol(world);
    await add(account.token, makeAuthenticator(), { second_factor: account.code() });
    const disable = { password, otp: account.code() };
    expect((await app.ask('POST', 'auth/totp/disable', { token: account.token, body: disable })).status).toBe(200);
    expect(await security(account.token)).toMatchObject({ second_factor: true, app: false, recovery_codes_left: 10 });
  });

  test('adding an app requires the passkey or a recovery code: token and password alone are not enough', async () => {
    const { token, device, memberId, recoveryCodes, input } = await withPasskey();
    const begin = (more: object = {}) => app.ask('POST', 'auth/totp/start', { token, body: { password, ...more } });
    expect(await begin()).toMatchObject(refusal(422, 'second_factor_required', 'second_factor'));
    expect(await begin({ second_factor: '000000' })).toMatchObject(
      refusal(422, 'wrong_second_factor', 'second_factor'),
    );
    const forSignIn = device.get(await startSignIn());
    expect(await begin({ second_factor: forSignIn })).toMatchObject(refusal(422, 'passkey_refused', 'second_factor'));
    expect(await world.count('identity.totp', `member_id = ${memberId}`)).toBe(0);
    expect((await begin({ second_factor: recoveryCodes[0] })).status).toBe(200);
    const { secret } = (await begin({ second_factor: await confirm(token, device) })).body.data;
    const otp = codeAt(base32nopad.decode(secret), world.clock.now());
    const done = await app.ask('POST', 'auth/totp/confirm', { token, body: { otp } });
    expect(done.body.data.recovery_codes).toBeNull();
    expect((await world.emailsTo(input.email)).at(-1)?.text).toMatch(
      /^An authenticator app was added\. .* takes its code, a passkey or a recovery code\./,
    );
    expect(await begin()).toMatchObject(refusal(409, 'second_factor_on'));
  });

  test('another member’s is not found', async () => {
    const [one, other] = [await withPasskey(), await withPasskey()];
    const [{ id }] = await list(one.token);
    const body = { password, second_factor: await confirm(other.token, other.device) };
    const reply = await app.ask('POST', `auth/passkeys/${id}/remove`, { token: other.token, body });
    expect(reply).toMatchObject(refusal(404, 'not_found'));
  });

  test('without a passkey nothing is confirmed with one', async () => {
    const { token } = await signedUp();
    expect(await app.ask('POST', 'auth/passkeys/challenge', { token, body: {} })).toMatchObject(
      refusal(404, 'not_found'),
    );
  });
});
