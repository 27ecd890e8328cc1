import { beforeEach, describe, expect, test } from 'vitest';
import { listValues } from '#server/db/rows.ts';
import { mountNotify } from '#server/notify/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { savedLog } from '#test/kit/kept-log.ts';
import { refusal, success, testApp } from '#test/worlds/app.ts';
import { mountAccounts } from '#test/worlds/members.ts';
import { wrongCode } from '#test/worlds/operators.ts';
import { openWorld, password } from './accounts-world.test-setup.ts';
import { answerResetRequests, mountIdentity } from './index.ts';

const { lines: logged, log } = savedLog();

const env = { BLOCKED_COUNTRIES: '+1,+44', PUBLIC_URL: 'http://localhost:8080' };
const world = closeAfterAll(await openWorld(env, { log }));
const app = closeAfterAll(await testApp(world.context, mountAccounts, mountNotify));
beforeEach(() => {
  logged.length = 0;
});

const anna = {
  referralCode: 'tradewind',
  mobile_number: '+919876543210',
  name: 'Anna Berg',
  email: 'anna@mail.test',
  password,
};
const register = (given: Record<string, unknown> = {}) =>
  app.ask('POST', 'auth/register', { body: { ...anna, ...given } });
const login = (loginId: string, word = password, more: Record<string, unknown> = {}) =>
  app.ask('POST', 'auth/login', { body: { loginId, password: word, ...more } });
const signedIn = async () => {
  const { body } = await register();
  const reply = await login(body.data.referral_code);
  return {
    referralCode: body.data.referral_code as string,
    token: reply.body.data.access_token as string,
    user: reply.body.data.user,
  };
};

describe('POST auth/register', () => {
  test('welcomes the member with their id, which the email contains too', async () => {
    const { status, body } = await register({ terms: true });
    const { referral_code } = body.data;
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      message: `Welcome to Tradewind. Your Registered Id is ${referral_code}.`,
      data: { referral_code },
    });
    const mail = (await world.emailsTo('anna@mail.test')).at(-1);
    expect(mail?.text).toContain(referral_code);
    expect(mail?.text).toContain('Sign in: http://localhost:8080/login');
  });

  test('repeated with its key, from wherever, opens no second account', async () => {
    const body = { ...anna, email: 'once@mail.test' };
    const send = (key: string, given = {}) =>
      app.ask('POST', 'auth/register', { body: { ...body, ...given }, headers: { 'idempotency-key': key } });
    const first = await send('k-1');
    expect((await send('k-1')).body).toEqual(first.body);
    expect(await send('k-1', { name: 'Berta' })).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } });
    expect((await send('k-2')).body.data.referral_code).not.toBe(first.body.data.referral_code);
    expect(await world.count('identity.member', `email = '${body.email}'`)).toBe(2);
    expect(await world.emailsTo(body.email)).toHaveLength(2);
  });

  test('stores no hash beside its key that would help to guess the password', async () => {
    const stored = async (given: object) => {
      const key = crypto.randomUUID();
      await app.ask('POST', 'auth/register', { body: { ...anna, ...given }, headers: { 'idempotency-key': key } });
      return listValues(world.database.db)<string>`select body_hash from http.idempotency where key = ${key}`;
    };
    const hashes = await stored({ password: 'a lantern at dawn' });
    expect(hashes).toHaveLength(1);
    expect(await stored({ password: 'another lantern' })).toEqual(hashes);
  });

  test('strips marks from a name that would reverse the text after it', async () => {
    const { body } = await register({ name: '\u2067Anna \u202eBerg\u2069' });
    const { data } = (await login(body.data.referral_code)).body;
    expect(data.user.name).toBe('Anna Berg');
  });

  test.each([
    ['an unknown invitation', { referralCode: 'TWNOBODY22' }, 422, 'invitation_refused', 'referralCode'],
    ['a common password', { password: 'Password123' }, 422, 'weak_password', 'password'],
    [
      'the member’s own name as password',
      { name: 'Anna Berg', password: 'annaberg1' },
      422,
      'weak_password',
      'password',
    ],
    ['a blocked country', { mobile_number: '+449876543210' }, 403, 'country_blocked', 'mobile_number'],
    [
      'a dial code that begins with a blocked one',
      { mobile_number: '+12429876543210' },
      403,
      'country_blocked',
      'mobile_number',
    ],
  ])('refuses %s, and leaves nothing behind', async (_what, given, status, code, field) => {
    const before = await world.count('identity.member');
    expect(await register(given)).toMatchObject(refusal(status, code, field));
    expect(await world.count('identity.member')).toBe(before);
  });

  test.each([
    ['referralCode', '', 'Invitation id is required'],
    ['mobile_number', '', 'Mobile is required'],
    ['mobile_number', '+915876543210', 'Enter valid Mobile.'],
    ['mobile_number', '9876543210', 'Enter valid Mobile.'],
    ['mobile_number', '+0449876543210', 'Enter valid Mobile.'],
    ['name', '', 'Name is required'],
    ['name', 'Anna\r\nBcc: x@mail.test', 'Control characters are not allowed.'],
    ['name', ' \u202e\u2069', 'Name is required'],
    ['name', '\u200b\u3164\u2800', 'Name is required'],
    ['email', '', 'Email id is required'],
    ['email', 'anna@mail', 'Enter valid Email id.'],
    ['email', 'anna@mail.test, bert@mail.test', 'Enter valid Email id.'],
    ['password', '', 'Password is required'],
    ['password', 'short', 'At least 8 characters.'],
    ['password', 'x'.repeat(201), 'At most 200 characters.'],
    ['name', 17, 'Name is required'],
  ])('names the field %s when it is %j', async (field, value, message) => {
    const before = await world.count('identity.member');
    const reply = await register({ [field]: value });
    expect(reply).toMatchObject(refusal(422, 'validation', field, message));
    expect(await world.count('identity.member')).toBe(before);
  });
});

describe('POST auth/login', () => {
  test('returns a token and the member', async () => {
    const { referralCode, token, user } = await signedIn();
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(user).toEqual({
      id: expect.stringMatching(/^\d+$/),
      referral_code: referralCode,
      name: 'Anna Berg',
      email: 'anna@mail.test',
      mobile_number: '+919876543210',
      role: 'member',
      created_at: '2026-03-04T12:00:00.000Z',
    });
  });

  test('answers a wrong password, an unknown id, an email address and the company with identical bytes', async () => {
    const { referralCode } = await signedIn();
    const wrong = await login(referralCode, 'another word 9');
    expect(wrong).toMatchObject(refusal(422, 'wrong_login'));
    for (const [loginId, word] of [
      ['TWNOBODY22', 'another word 9'],
      ['anna@mail.test', password],
      ['TRADEWIND', password],
    ] as const) {
      const other = await login(loginId, word);
      expect(other.text).toBe(wrong.text);
      expect(Object.keys(other.headers).sort()).toEqual(Object.keys(wrong.headers).sort());
    }
  });

  test.each([
    [{ password }, 'loginId', 'Registered id is required'],
    [{ loginId: '', password }, 'loginId', 'Registered id is required'],
    [{ loginId: 'TW1' }, 'password', 'Password is required'],
    [{ loginId: 'TW1', password: '' }, 'password', 'Password is required'],
    [{ loginId: { $ne: null }, password }, 'loginId', 'Registered id is required'],
  ])('%j names %s', async (body, field, message) => {
    expect(await app.ask('POST', 'auth/login', { body })).toMatchObject(refusal(422, 'validation', field, message));
  });
});

describe('GET auth/get-refer', () => {
  test('returns the name, or that the id is invalid', async () => {
    expect(await app.ask('GET', 'auth/get-refer?referralCode=tradewind')).toMatchObject(success({ name: 'Tradewind' }));
    const unknown = await app.ask('GET', 'auth/get-refer?referralCode=TWNOBODY22');
    expect(unknown).toMatchObject({
      status: 404,
      body: { code: 'unknown_invitation', message: 'Invalid Invitation Id.' },
    });
    // Only a complete id finds a member; anything else gets the same response.
    const { referralCode, user } = await signedIn();
    expect((await app.ask('GET', `auth/get-refer?referralCode=${referralCode.toLowerCase()}`)).body.data.name).toBe(
      user.name,
    );
    for (const other of [user.email, user.mobile_number, user.name, referralCode.slice(0, -1), 'TWNOBODY33']) {
      const reply = await app.ask('GET', `auth/get-refer?referralCode=${encodeURIComponent(other.slice(0, 20))}`);
      expect(reply.text).toBe(unknown.text);
    }
    expect(await app.ask('GET', 'auth/get-refer')).toMatchObject(refusal(422, 'validation', 'referralCode'));
  });
});

describe('a forgotten password', () => {
  const forgot = (loginId: unknown) => app.ask('POST', 'auth/forgot-password', { body: { loginId } });
  const verifyOtp = (body: Record<string, unknown>) => app.ask('POST', 'auth/otp-verify', { body });
  const codeTo = async (email: string) => {
    await answerResetRequests(world.context);
    return /is (\d{6})\./.exec((await world.emailsTo(email)).at(-1)?.text ?? '')?.[1] ?? '';
  };

  test('a wrong code is a 422 with identical bytes, known or not', async () => {
    const email = 'guessed@mail.test';
    await register({ email });
    await forgot(email);
    const otp = await codeTo(email);
    const wrong = wrongCode(otp);
    const known = await verifyOtp({ purpose: 'reset_password', loginId: email, otp: wrong });
    expect(known).toMatchObject(refusal(422, 'wrong_otp', 'otp'));
    expect((await verifyOtp({ purpose: 'reset_password', loginId: 'unknown@mail.test', otp: wrong })).text).toBe(
      known.text,
    );
  });

  test.each([
    [{ purpose: 'reset_password', loginId: 'TW1', otp: '12345' }, 'otp'],
    [{ purpose: 'reset_password', loginId: 'TW1', otp: '12345a' }, 'otp'],
    [{ purpose: 'login', challenge: 'one' }, 'otp'],
    [{ purpose: 'login', challenge: 'one', otp: '123456', recovery_code: '7M2Q-X4AB-9KDT-3WZH' }, 'otp'],
    [{ purpose: 'login', challenge: 'one', recovery_code: '7M2Q-X4AB-9KDT' }, 'recovery_code'],
    [{ purpose: 'login', challenge: 'one', recovery_code: '7M2Q-X4AB-9KDT-3WZ1' }, 'recovery_code'],
    [{ purpose: 'withdrawal', otp: '123456' }, 'purpose'],
  ])('otp-verify with %j names %s', async (body, field) => {
    expect(await verifyOtp(body)).toMatchObject(refusal(422, 'validation', field));
  });

  test('bad input names the field', async () => {
    expect(await forgot('')).toMatchObject(refusal(422, 'validation', 'loginId'));
    const reset = (body: Record<string, unknown>) => app.ask('POST', 'auth/reset-password', { body });
    expect(await reset({ reset_token: '', password })).toMatchObject(refusal(422, 'validation', 'reset_token'));
    expect(await reset({ reset_token: 'token', password: 'short' })).toMatchObject(
      refusal(422, 'validation', 'password'),
    );
  });
});

describe('the signed-in member', () => {
  test('GET auth/me returns the member and their sponsor', async () => {
    const { token, user } = await signedIn();
    expect(await app.ask('GET', 'auth/me', { token })).toMatchObject(
      success({ user, sponsor: 'Tradewind', frozen: false, second_factor: false, address: null }),
    );
  });

  test('GET auth/me shows the payout address, which a later domain provides', async () => {
    const payout = {
      network: 'TRC20',
      address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
      usable_from: '2026-03-05T12:00:00.000Z',
    } as const;
    const { token, user } = await signedIn();
    const asked: bigint[] = [];
    const other = await testApp(world.context, (http, context) =>
      mountIdentity(http, context, {
        sections: () => [],
        closing: [],
        forfeit: async () => {},
        findAddress: async (memberId) => {
          asked.push(memberId);
          return payout;
        },
      }),
    );
    const reply = await other.ask('GET', 'auth/me', { token });
    expect(reply).toMatchObject({ status: 200, body: { data: { address: payout } } });
    expect(asked).toEqual([BigInt(user.id)]);
    await other.close();
  });

  test('POST auth/logout ends the session', async () => {
    const { token } = await signedIn();
    expect(await app.ask('POST', 'auth/logout', { token })).toMatchObject({ status: 200, body: { data: null } });
    expect(await app.ask('POST', 'auth/logout', { token })).toMatchObject(refusal(401, 'session_required'));
  });
});

test('a password is changed by API, and a forgotten one replaced, which ends all sign-ins', async () => {
  const { body } = await register({ email: 'quiet@mail.test' });
  const loginId: string = body.data.referral_code;
  const token: string = (await login(loginId)).body.data.access_token;
  const changed = { current_password: password, password: 'gale force nine' };
  expect((await app.ask('PUT', 'auth/password', { token, body: changed })).status).toBe(200);
  expect((await app.ask('GET', 'auth/me', { token })).status).toBe(200);
  await app.ask('POST', 'auth/forgot-password', { body: { loginId } });
  await answerResetRequests(world.context);
  const otp = /is (\d{6})\./.exec((await world.emailsTo('quiet@mail.test')).at(-1)?.text ?? '')?.[1] ?? '';
  const proof = { purpose: 'reset_password', loginId, otp };
  const { reset_token } = (await app.ask('POST', 'auth/otp-verify', { body: proof })).body.data;
  const resetTo = (word: string) => app.ask('POST', 'auth/reset-password', { body: { reset_token, password: word } });
  expect(await resetTo('password123')).toMatchObject(refusal(422, 'weak_password', 'password'));
  expect(await resetTo('storm force ten')).toMatchObject(
    success({ referral_code: loginId, device_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) }),
  );
  expect(await resetTo('storm force ten')).toMatchObject(refusal(422, 'wrong_reset_token'));
  expect(await app.ask('GET', 'auth/me', { token })).toMatchObject(refusal(401, 'session_required'));
  expect((await login(loginId, 'storm force ten')).status).toBe(200);
});

describe('a device token', () => {
  const header = (...tokens: string[]) => ({ 'x-device-token': tokens.join(', ') });
  const loginFrom = (loginId: string, word: string, headers: Record<string, string>) =>
    app.ask('POST', 'auth/login', { body: { loginId, password: word }, headers });

  test('comes with a sign-in, once, and admits its browser when strangers have used up their tries', async () => {
    const { body } = await register();
    const loginId: string = body.data.referral_code;
    const first = await login(loginId);
    const token: string = first.body.data.device_token;
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    for (let tries = 0; tries < 10; tries += 1) {
      expect(await login(loginId, 'a wrong password 2')).toMatchObject(refusal(422, 'wrong_login'));
    }
    expect(await login(loginId)).toMatchObject(refusal(429, 'too_many_requests'));
    const others = header('x'.repeat(43), 'no token', token);
    const again = await loginFrom(loginId, password, others);
    expect(again.status).toBe(200);
    expect(again.body.data).not.toHaveProperty('device_token');
    const log = logged.join('');
    expect(log).toContain('sign-in refused');
    expect(log).not.toContain(token);
  });

  test('that is invalid is treated as none', async () => {
    const [mine, other] = [await register(), await register()];
    const foreign: string = (await login(other.body.data.referral_code)).body.data.device_token;
    const loginId: string = mine.body.data.referral_code;
    const without = await loginFrom(loginId, 'a wrong password 3', {});
    for (const sent of [foreign, 'x'.repeat(43), '', ',,,', '\u00e9', 'a'.repeat(5000)]) {
      const reply = await loginFrom(loginId, 'a wrong password 3', { 'x-device-token': sent });
      expect([reply.status, reply.text]).toEqual([without.status, without.text]);
    }
  });
});

test('requesting a reset costs the same database statements, known or not', async () => {
  await register({ email: 'timed@mail.test' });
  const writes = async (loginId: string) => {
    const before = await world.count('identity.reset_request');
    const otps = await world.count('identity.otp');
    const mails = await world.count('notify.mail');
    await app.ask('POST', 'auth/forgot-password', { body: { loginId } });
    return [
      (await world.count('identity.reset_request')) - before,
      (await world.count('identity.otp')) - otps,
      (await world.count('notify.mail')) - mails,
    ];
  };
  expect(await writes('timed@mail.test')).toEqual([1, 0, 0]);
  expect(await writes('timed-unknown@mail.test')).toEqual([1, 0, 0]);
});
