import { base32nopad } from '@scure/base';
import { beforeEach, describe, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { savedLog } from '#test/kit/kept-log.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { makeAuthenticator } from '#test/worlds/authenticator.ts';
import { mountAccounts } from '#test/worlds/members.ts';
import { codeAt, wrongCode } from '#test/worlds/operators.ts';
import { firstFactorCode } from '#test/worlds/second-factor.ts';
import { address, openWorld, password } from '../accounts-world.test-setup.ts';
import { findCaller, lockWithdrawer } from '../index.ts';
import { resetPassword, verifyResetOtp } from '../passwords/reset-password.ts';
import { challengeOf, enrol, verifyWith } from './second-factor.test-setup.ts';

const DAY = 86_400;
const { lines: logged, log } = savedLog();

const world = closeAfterAll(await openWorld({}, { log }));
const app = closeAfterAll(await testApp(world.context, mountAccounts));
beforeEach(() => world.clock.advance(DAY));

const call = (token: string, url: string, body: unknown) => app.ask('POST', `auth/totp/${url}`, { token, body });
/** Starts the first app of the member, with the code from the mailbox. */
const start = async (token: string, word = password) =>
  call(token, 'start', { password: word, otp: await firstFactorCode(world.context, token) });
const security = async (token: string) => (await app.ask('GET', 'auth/security', { token })).body.data;
const login = (loginId: string, more: Record<string, unknown> = {}) =>
  app.ask('POST', 'auth/login', { body: { loginId, password, ...more } });
const verify = (body: Record<string, unknown>) =>
  app.ask('POST', 'auth/otp-verify', { body: { purpose: 'login', ...body } });
const securityChangedAt = (memberId: bigint) =>
  world.database.db.transaction().execute(async (tx) => (await lockWithdrawer(tx, memberId)).securityChangedAt);

describe('turning it on', () => {
  test('requires the password and a first code, and issues ten recovery codes', async () => {
    const account = await world.signUp();
    const token = await world.signIn(account.referralCode);
    const other = await world.signIn(account.referralCode);
    expect(await security(token)).toEqual({
      second_factor: false,
      app: false,
      passkeys: 0,
      recovery_codes_left: 0,
      email_verified: false,
      password_changed_at: null,
      email_request: null,
      second_factor_ends_at: null,
    });
    const started = await start(token);
    expect(started.body.data.uri).toBe(
      `otpauth://totp/Tradewind:${account.referralCode}?secret=${started.body.data.secret}&issuer=Tradewind`,
    );
    // Started is not on: the password alone still signs in.
    await world.signIn(account.referralCode);
    const otp = codeAt(base32nopad.decode(started.body.data.secret), world.clock.now());
    const confirmed = await call(token, 'confirm', { otp });
    expect(confirmed.status).toBe(200);
    const codes: string[] = confirmed.body.data.recovery_codes;
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^(?:[A-HJKMNP-TV-Z2-9]{4}-){3}[A-HJKMNP-TV-Z2-9]{4}$/);
    expect(await security(token)).toMatchObject({ second_factor: true, recovery_codes_left: 10 });
    expect((await app.ask('GET', 'auth/me', { token })).body.data.second_factor).toBe(true);
    expect(await findCaller(world.context, other)).toBeUndefined();
    expect(await securityChangedAt(account.memberId)).toEqual(world.clock.now());
    expect(await world.listMessages(account.memberId)).toContain(
      'Two-factor authentication is on. All other devices were signed out.',
    );
    expect((await world.emailsTo(account.input.email)).at(-1)?.subject).toBe(
      'Two-factor authentication of your Tradewind account was changed',
    );
    expect(await world.listActions(`member:${account.memberId}`)).toEqual(
      expect.arrayContaining(['member.start_second_factor', 'member.confirm_second_factor']),
    );
    // The code of the set-up is used up.
    const challenge = await challengeOf(world, account.referralCode);
    expect(await verify({ challenge, otp })).toMatchObject(refusal(422, 'wrong_second_factor', 'otp'));
  });

  test('is refused with a wrong password, a wrong code, before it is started, and twice', async () => {
    const account = await world.signUp();
    const token = await world.signIn(account.referralCode);
    expect(await call(token, 'confirm', { otp: '123456' })).toMatchObject(refusal(403, 'second_factor_missing'));
    const wrongPassword = await start(token, 'another word 9');
    expect(wrongPassword).toMatchObject(refusal(422, 'wrong_password', 'password'));
    await start(token);
    const protectedOne = await enrol(world);
    const again = await call(protectedOne.token, 'start', { password });
    expect(again).toMatchObject(refusal(409, 'second_factor_on'));
    const otp = protectedOne.code();
    expect(await call(protectedOne.token, 'confirm', { otp })).toMatchObject(refusal(409, 'second_factor_on'));
    // Another member’s app is not the app that was set up here.
    expect(await call(token, 'confirm', { otp })).toMatchObject(refusal(422, 'wrong_second_factor', 'otp'));
    expect(await security(token)).toMatchObject({ second_factor: false, recovery_codes_left: 0 });
  });

  test('expires half an hour after its start, and with a change of the password or a passkey', async () => {
    const begin = async () => {
      const { referralCode } = await world.signUp();
      const token = await world.signIn(referralCode);
      const { secret } = (await start(token)).body.data;
      return { token, code: () => codeAt(base32nopad.decode(secret), world.clock.now()) };
    };
    const over = refusal(403, 'second_factor_missing');
    const [slow, changed, guarded] = [await begin(), await begin(), await begin()];
    const body = { current_password: password, password: 'gale force nine' };
    expect((await app.ask('PUT', 'auth/password', { token: changed.token, body })).status).toBe(200);
    expect(await call(changed.token, 'confirm', { otp: changed.code() })).toMatchObject(over);
    const { token } = guarded;
    const begun = { password, otp: await firstFactorCode(world.context, token) };
    const { data } = (await app.ask('POST', 'auth/passkeys/start', { token, body: begun })).body;
    const passkey = { name: 'Laptop', passkey: makeAuthenticator().create(data) };
    expect((await app.ask('POST', 'auth/passkeys', { token, body: passkey })).status).toBe(200);
    expect(await call(token, 'confirm', { otp: guarded.code() })).toMatchObject(over);
    world.clock.advance(1800);
    expect(await call(slow.token, 'confirm', { otp: slow.code() })).toMatchObject(over);
  });

  test('allows ten tries an hour', async () => {
    const account = await world.signUp();
    const token = await world.signIn(account.referralCode);
    const { secret } = (await start(token)).body.data;
    const right = codeAt(base32nopad.decode(secret), world.clock.now());
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await call(token, 'confirm', { otp: wrongCode(right) })).status).toBe(422);
    }
    const refused = await call(token, 'confirm', { otp: right });
    expect(refused).toMatchObject(refusal(429, 'too_many_requests'));
    expect(refused.headers['retry-after']).toBe('3600');
  });
});

describe('signing in', () => {
  test('requires password and code, and opens nothing in between', async () => {
    const account = await enrol(world);
    const first = await login(account.referralCode);
    expect(first.body.data).toEqual({ otp_required: true, methods: ['app'], challenge: expect.any(String) });
    const { challenge } = first.body.data;
    expect(await findCaller(world.context, challenge)).toBeUndefined();
    const second = await verify({ challenge, otp: account.code() });
    expect(second.status).toBe(200);
    expect(second.body.data.user.referral_code).toBe(account.referralCode);
    const me = await app.ask('GET', 'auth/me', { token: second.body.data.access_token });
    expect(me.body.data.second_factor).toBe(true);
    expect((await world.listActions(`member:${account.memberId}`)).slice(-2)).toEqual([
      'member.begin_sign_in',
      'member.sign_in',
    ]);
    expect(await verify({ challenge, otp: account.code() })).toMatchObject(refusal(422, 'sign_in_expired'));
  });

  test('refuses a used code, one of three steps ago, and another member’s', async () => {
    const [account, other] = [await enrol(world), await enrol(world)];
    const old = account.code();
    world.clock.advance(60);
    const used = account.code();
    await verifyWith(world, await challengeOf(world, account.referralCode), { otp: used });
    const challenge = await challengeOf(world, account.referralCode);
    for (const otp of [used, old, codeAt(other.secret, world.clock.now())]) {
      expect(await verify({ challenge, otp })).toMatchObject(refusal(422, 'wrong_second_factor', 'otp'));
    }
    expect((await verify({ challenge, otp: account.code() })).status).toBe(200);
  });

  test('with a wrong password reveals nothing about the second factor', async () => {
    const [account, plain] = [await enrol(world), await world.signUp()];
    const wrong = (loginId: string) => login(loginId, { password: 'another word 9' });
    const texts = [await wrong(account.referralCode), await wrong(plain.referralCode), await wrong('TWNOBODY22')];
    expect(texts[0]).toMatchObject(refusal(422, 'wrong_login'));
    expect(new Set(texts.map((reply) => reply.text)).size).toBe(1);
  });

  test('allows five tries, and five minutes', async () => {
    const account = await enrol(world);
    const challenge = await challengeOf(world, account.referralCode);
    for (let tries = 0; tries < 5; tries += 1) {
      const otp = wrongCode(account.code());
      expect(await verify({ challenge, otp })).toMatchObject(refusal(422, 'wrong_second_factor'));
    }
    expect(await verify({ challenge, otp: account.code() })).toMatchObject(refusal(422, 'sign_in_expired'));

    const late = await challengeOf(world, account.referralCode);
    world.clock.advance(270);
    expect((await verify({ challenge: late, otp: account.code() })).body.code).toBe('sign_in_expired');
    const inTime = await challengeOf(world, account.referralCode);
    world.clock.advance(269);
    expect((await verify({ challenge: inTime, otp: account.code() })).status).toBe(200);
  });

  test('counts wrong codes for the member too: new challenges allow no new tries', async () => {
    const account = await enrol(world);
    for (let tries = 0; tries < 10; tries += 1) {
      const challenge = await challengeOf(world, account.referralCode);
      await expect(verifyWith(world, challenge, { otp: wrongCode(account.code()) })).rejects.toMatchObject({
        code: 'wrong_second_factor',
      });
    }
    const challenge = await challengeOf(world, account.referralCode);
    expect(await verify({ challenge, otp: account.code() })).toMatchObject(refusal(429, 'too_many_requests'));
  });

  test('keeps Remember Me from the first half', async () => {
    const account = await enrol(world);
    for (const [remember, days] of [
      [true, 30],
      [false, 1],
    ] as const) {
      const challenge = await challengeOf(world, account.referralCode, { remember });
      const { accessToken } = await verifyWith(world, challenge, { otp: account.code() });
      const list = (await app.ask('GET', 'auth/sessions', { token: accessToken })).body.data;
      const current = list.find((session: { current: boolean }) => session.current);
      expect(new Date(current.expires_at)).toEqual(new Date(world.clock.now().getTime() + days * DAY * 1000));
    }
  });

  test('from a new device is notified after the second half, not before', async () => {
    const account = await enrol(world);
    const challenge = await challengeOf(world, account.referralCode);
    const told = async () =>
      (await world.listMessages(account.memberId)).filter((message) => message.startsWith('New sign-in'));
    expect(await told()).toEqual([]);
    const chrome = 'Mozilla/5.0 (Windows NT 10.0) Chrome/138.0.0.0 Safari/537.36';
    await verifyWith(world, challenge, { otp: account.code() }, chrome);
    expect(await told()).toEqual(['New sign-in from Chrome on Windows. If this was not you, change your password.']);
  });

  test('a challenge works for its kind of account only, and an unknown one reads like an expired one', async () => {
    const account = await enrol(world);
    const over = await challengeOf(world, account.referralCode);
    await verifyWith(world, over, { otp: account.code() });
    const otp = account.code();
    const [known, unknown] = [await verify({ challenge: over, otp }), await verify({ challenge: 'nobody', otp })];
    expect(known).toMatchObject(refusal(422, 'sign_in_expired'));
    expect(unknown.text).toBe(known.text);
  });
});

describe('a recovery code', () => {
  test('signs in once, however it is written, and is notified', async () => {
    const account = await enrol(world);
    const [one = '', two = ''] = account.recoveryCodes;
    const signIn = async (recovery_code: string) =>
      verify({ challenge: await challengeOf(world, account.referralCode), recovery_code });
    const reply = await signIn(one.toLowerCase().replaceAll('-', ' '));
    expect(reply.status).toBe(200);
    expect(await security(reply.body.data.access_token)).toMatchObject({ recovery_codes_left: 9 });
    expect(await world.listMessages(account.memberId)).toContain('A recovery code was used to sign in. 9 are left.');
    const mails = (await world.emailsTo(account.input.email)).map((mail) => mail.text);
    expect(mails.filter((text) => text.includes('9 recovery codes are left.'))).toHaveLength(1);
    expect(await signIn(one)).toMatchObject(refusal(422, 'wrong_second_factor', 'recovery_code'));
    expect((await signIn(two.replaceAll('-', ''))).status).toBe(200);
  });

  test('is void for another member, and survives the refusal', async () => {
    const [account, other] = [await enrol(world), await enrol(world)];
    const [code = ''] = account.recoveryCodes;
    const foreign = await challengeOf(world, other.referralCode);
    expect((await verify({ challenge: foreign, recovery_code: code })).body.code).toBe('wrong_second_factor');
    const own = await challengeOf(world, account.referralCode);
    expect((await verify({ challenge: own, recovery_code: code })).status).toBe(200);
  });

  test('is stored as a hash only, and does not reach the log', async () => {
    const account = await enrol(world);
    const [code = ''] = account.recoveryCodes;
    await verifyWith(world, await challengeOf(world, account.referralCode), { recoveryCode: code });
    const letters = code.replaceAll('-', '');
    const stored = `encode(code_hash, 'escape') like '%${letters}%' or length(code_hash) <> 32`;
    expect(await world.count('identity.recovery_code', stored)).toBe(0);
    expect(logged.join('')).not.toContain(code);
    expect(logged.join('')).not.toContain(letters);
  });

  test('counts as a try like an authenticator code', async () => {
    const account = await enrol(world);
    const challenge = await challengeOf(world, account.referralCode);
    for (let tries = 0; tries < 5; tries += 1) {
      const refused = await verify({ challenge, recovery_code: '7777-7777-7777-7777' });
      expect(refused.body.code).toBe('wrong_second_factor');
    }
    const [code = ''] = account.recoveryCodes;
    expect((await verify({ challenge, recovery_code: code })).body.code).toBe('sign_in_expired');
  });
});

describe('changing it', () => {
  test('new recovery codes replace the old ones', async () => {
    const account = await enrol(world);
    const other = (await verifyWith(world, await challengeOf(world, account.referralCode), { otp: account.code() }))
      .accessToken;
    const reply = await call(account.token, 'recovery-codes', { password, otp: account.code() });
    const codes: string[] = reply.body.data.recovery_codes;
    expect(new Set([...codes, ...account.recoveryCodes]).size).toBe(20);
    expect(await findCaller(world.context, other)).toBeUndefined();
    expect(await securityChangedAt(account.memberId)).toEqual(world.clock.now());
    const challenge = await challengeOf(world, account.referralCode);
    const [old = ''] = account.recoveryCodes;
    expect((await verify({ challenge, recovery_code: old })).body.code).toBe('wrong_second_factor');
    expect((await verify({ challenge, recovery_code: codes[9] })).status).toBe(200);
  });

  test('turned off, the password alone signs in, and nothing of it remains', async () => {
    const account = await enrol(world);
    const challenge = await challengeOf(world, account.referralCode);
    const reply = await call(account.token, 'disable', { password, otp: account.code() });
    expect(reply).toMatchObject({ status: 200, body: { data: null } });
    await world.signIn(account.referralCode);
    expect(await world.count('identity.totp', `member_id = ${account.memberId}`)).toBe(0);
    expect(await world.count('identity.recovery_code', `member_id = ${account.memberId}`)).toBe(0);
    expect((await verify({ challenge, otp: account.code() })).body.code).toBe('sign_in_expired');
    expect(await securityChangedAt(account.memberId)).toEqual(new Date(world.clock.now().getTime() - 30_000));
    expect(await world.listMessages(account.memberId)).toContain(
      'Two-factor authentication is off. All other devices were signed out.',
    );
    expect((await world.emailsTo(account.input.email)).at(-1)?.text).toContain('Two-factor authentication is off.');
    // Set up again it starts from scratch, with the codes of a new app.
    expect((await start(account.token)).status).toBe(200);
  });

  test.each(['recovery-codes', 'disable'])('%s requires both, password and code', async (url) => {
    const account = await enrol(world);
    const ask = (word: string, code: string) => call(account.token, url, { password: word, second_factor: code });
    expect(await ask('another word 9', account.code())).toMatchObject(refusal(422, 'wrong_password', 'password'));
    expect(await ask(password, wrongCode(account.code()))).toMatchObject(
      refusal(422, 'wrong_second_factor', 'second_factor'),
    );
    const plain = await world.signIn((await world.signUp()).referralCode);
    expect(await call(plain, url, { password, second_factor: '123456' })).toMatchObject(
      refusal(403, 'second_factor_missing'),
    );
    expect(await security(account.token)).toMatchObject({ second_factor: true, recovery_codes_left: 10 });
    for (let tries = 0; tries < 10; tries += 1) await ask('another word 9', '123456');
    expect((await ask(password, account.code())).body.code).toBe('too_many_requests');
  });
});

describe('a new password', () => {
  test('does not turn it off: a reset account still requires the code at the next sign-in', async () => {
    const account = await enrol(world);
    const before = await challengeOf(world, account.referralCode);
    const otp = await world.askForCode(account.referralCode, account);
    const resetToken = await verifyResetOtp(world.context, { loginId: account.referralCode, otp, address });
    await resetPassword(world.context, { resetToken, password: 'gale force nine', address });
    expect((await verify({ challenge: before, otp: account.code() })).body.code).toBe('sign_in_expired');
    const challenge = await challengeOf(world, account.referralCode, { password: 'gale force nine' });
    const reply = await verify({ challenge, otp: account.code() });
    expect(reply.status).toBe(200);
    expect((await security(reply.body.data.access_token)).password_changed_at).toBe(
      new Date(world.clock.now().getTime() - 60_000).toISOString(),
    );
  });
});
