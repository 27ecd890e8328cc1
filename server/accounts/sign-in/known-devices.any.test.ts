import assert from 'node:assert';
import { describe, expect, test } from 'vitest';
import type { MemberCaller, OperatorCaller } from '#server/caller.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { makeOperator, OPERATOR_PASSWORD, type TestOperator, wrongCode } from '#test/worlds/operators.ts';
import { address, firefox, openWorld, password, refusedTimes } from '../accounts-world.test-setup.ts';
import { answerResetRequests, findCaller, purgeExpired } from '../index.ts';
import { disableOperator } from '../operators/accounts/change-operator.ts';
import { changeOperatorPassword } from '../operators/accounts/own-account.ts';
import { changePassword } from '../passwords/change-password.ts';
import { requestReset, resetPassword, verifyResetOtp } from '../passwords/reset-password.ts';
import { enrol } from '../two-factor/second-factor.test-setup.ts';
import { endAuthSession, endOtherSessions, signOut } from './auth-sessions.ts';
import { readDevices } from './device-tokens.ts';
import { brake } from './guesses.ts';
import { signInMember, verifyMemberOtp } from './sign-in-member.ts';
import { signInOperator, verifyOperatorOtp } from './sign-in-operator.ts';

const world = closeAfterAll(await openWorld());
const { context, clock } = world;

const DAY = 86_400;
const over = { code: 'too_many_requests', status: 429 };
const wrongLogin = { code: 'wrong_login' };
const sent = (...tokens: (string | undefined)[]) => readDevices({ 'x-device-token': tokens.join(',') });

const signIn = async (loginId: string, device?: string, word = password) => {
  const input = { loginId, password: word, userAgent: firefox, address, devices: sent(device) };
  const signedIn = await signInMember(context, input);
  assert('accessToken' in signedIn);
  return signedIn;
};
const guess = (loginId: string, device?: string) => signIn(loginId, device, 'another word 9');
/** A member with a known browser. */
const addKnown = async () => {
  const { memberId, referralCode, input } = await world.signUp();
  const { accessToken, deviceToken } = await signIn(referralCode);
  assert(deviceToken !== undefined);
  return { memberId, referralCode, input, deviceToken, accessToken };
};
const fillStrangers = (loginId: string) => refusedTimes(10, () => guess(loginId), wrongLogin);
const callerOf = async (token: string) => (await findCaller(context, token)) as MemberCaller;
/** Whether the account knows the browser, which then signs in even when strangers have used up their tries. */
const isKnown = async (referralCode: string, device: string | undefined, word = password) => {
  await refusedTimes(10, () => guess(referralCode), wrongLogin);
  const known = await signIn(referralCode, device, word).then(
    () => true,
    (refusal) => {
      expect(refusal).toMatchObject(over);
      return false;
    },
  );
  clock.advance(900);
  return known;
};

describe('wrong passwords of strangers', () => {
  test('lock out no known device, and unknown ones as before', async () => {
    const { referralCode, deviceToken } = await addKnown();
    await fillStrangers(referralCode);
    await expect(signIn(referralCode)).rejects.toMatchObject({ ...over, retryAfterSeconds: 900 });
    await expect(signIn(referralCode, 'x'.repeat(43))).rejects.toMatchObject(over);
    const again = await signIn(referralCode, deviceToken);
    expect(again.deviceToken).toBeUndefined();
    // That was the owner, which makes nothing easier for the others.
    await expect(signIn(referralCode)).rejects.toMatchObject(over);
  });

  test('are separate from those of a known device, which has ten in a quarter of an hour', async () => {
    const { referralCode, deviceToken } = await addKnown();
    await refusedTimes(10, () => guess(referralCode, deviceToken), wrongLogin);
    await expect(signIn(referralCode, deviceToken)).rejects.toMatchObject({ ...over, retryAfterSeconds: 900 });
    await signIn(referralCode);
    clock.advance(900);
    await signIn(referralCode, deviceToken);
  });

  test('with the token of another account count as without one', async () => {
    const [own, other] = [await addKnown(), await addKnown()];
    await fillStrangers(own.referralCode);
    await expect(signIn(own.referralCode, other.deviceToken)).rejects.toMatchObject(over);
    // Nor does anything count against the device that owns it.
    await refusedTimes(3, () => guess(own.referralCode, other.deviceToken), over);
    expect(await isKnown(other.referralCode, other.deviceToken)).toBe(true);
  });
});

describe('a device token', () => {
  test('is stored as a hash only, and is not a session', async () => {
    const { memberId, deviceToken } = await addKnown();
    expect(await world.count('identity.device_token', `member_id = ${memberId} and length(token_hash) = 32`)).toBe(1);
    expect(await world.count('identity.device_token', `encode(token_hash, 'escape') like '%${deviceToken}%'`)).toBe(0);
    expect(await findCaller(context, deviceToken)).toBeUndefined();
  });

  test('comes after the second factor, skips none, and gives codes their own limit', async () => {
    const account = await enrol(world);
    const half = async (device?: string) => {
      const input = { loginId: account.referralCode, password, userAgent: firefox, address, devices: sent(device) };
      const begun = await signInMember(context, input);
      assert('challenge' in begun);
      expect(begun).not.toHaveProperty('deviceToken');
      return begun.challenge;
    };
    const finish = (challenge: string, otp: string, device?: string) =>
      verifyMemberOtp(context, { challenge, code: { otp }, userAgent: firefox, address, devices: sent(device) });
    const { deviceToken } = await finish(await half(), account.code());
    assert(deviceToken !== undefined);
    for (let round = 0; round < 2; round += 1) {
      const challenge = await half();
      await refusedTimes(5, () => finish(challenge, wrongCode(account.code())), { code: 'wrong_second_factor' });
    }
    await expect(finish(await half(), account.code())).rejects.toMatchObject(over);
    await finish(await half(deviceToken), account.code(), deviceToken);
  });

  test('expires after 180 days without a sign-in, and is then deleted', async () => {
    const { memberId, referralCode, deviceToken } = await addKnown();
    clock.advance(179 * DAY);
    await signIn(referralCode, deviceToken);
    clock.advance(179 * DAY);
    expect(await isKnown(referralCode, deviceToken)).toBe(true);
    clock.advance(180 * DAY);
    expect(await isKnown(referralCode, deviceToken)).toBe(false);
    await purgeExpired(context);
    expect(await world.count('identity.device_token', `member_id = ${memberId}`)).toBe(0);
  });

  test('survives the sign-out of its member', async () => {
    const { referralCode, deviceToken, accessToken } = await addKnown();
    await signOut(context, await callerOf(accessToken), address);
    expect(await isKnown(referralCode, deviceToken)).toBe(true);
  });

  test.each([
    [
      'its sign-in is ended from another device',
      async (own: MemberCaller, id: bigint) => endAuthSession(context, own, id, address),
    ],
    ['all other devices are signed out', (own: MemberCaller) => endOtherSessions(context, own, address)],
    [
      'another device changes the password',
      (own: MemberCaller) =>
        changePassword(context, own, { currentPassword: password, password: 'gale force nine', address }),
    ],
  ])('is void after %s, which stays known', async (_what, revoke) => {
    const { referralCode, deviceToken, accessToken } = await addKnown();
    const here = await signIn(referralCode);
    const word = _what.includes('password') ? 'gale force nine' : password;
    const ended = await callerOf(accessToken);
    await revoke(await callerOf(here.accessToken), ended.authSessionId);
    expect(await isKnown(referralCode, deviceToken, word)).toBe(false);
    expect(await isKnown(referralCode, here.deviceToken, word)).toBe(true);
  });

  test('of one account the thirty last used are kept', async () => {
    const { memberId, referralCode, deviceToken } = await addKnown();
    for (let made = 0; made < 29; made += 1) await signIn(referralCode);
    clock.advance(1);
    await signIn(referralCode, deviceToken);
    await signIn(referralCode);
    expect(await world.count('identity.device_token', `member_id = ${memberId}`)).toBe(30);
    expect(await isKnown(referralCode, deviceToken)).toBe(true);
  });
});

describe('a reset', () => {
  const page = () => crypto.randomUUID();
  const ask = async (loginId: string, requestToken?: string, device?: string) => {
    await requestReset(context, { loginId, address, requestToken, devices: sent(device) });
    await answerResetRequests(context);
  };
  const verify = (loginId: string, otp: string, requestToken?: string) =>
    verifyResetOtp(context, { loginId, otp, address, requestToken });
  const codesTo = async (email: string) =>
    (await world.emailsTo(email)).flatMap(({ text }) => /is (\d{6})\./.exec(text)?.[1] ?? []);
  const lastCode = async (email: string) => (await codesTo(email)).at(-1) ?? 'no code';

  test('lets in a locked-out member, and keeps them in while a stranger continues', async () => {
    const { referralCode, input } = await world.signUp();
    const own = page();
    await fillStrangers(referralCode);
    await expect(signIn(referralCode)).rejects.toMatchObject(over);
    await ask(referralCode, own);
    const resetToken = await verify(referralCode, await lastCode(input.email), own);
    const done = await resetPassword(context, { resetToken, password: 'gale force nine', address });
    expect(done.referralCode).toBe(referralCode);
    await fillStrangers(referralCode);
    await expect(signIn(referralCode, undefined, 'gale force nine')).rejects.toMatchObject(over);
    await signIn(referralCode, done.deviceToken, 'gale force nine');
  });

  test('is unaffected by what strangers request and try for the same account', async () => {
    const { referralCode, input } = await world.signUp();
    const [own, stranger] = [page(), page()];
    await ask(referralCode, own);
    const code = await lastCode(input.email);
    await ask(referralCode, stranger);
    await ask(referralCode);
    for (const requestToken of [undefined, stranger, page()]) {
      await refusedTimes(30, () => verify(referralCode, wrongCode(code), requestToken), { code: 'wrong_otp' });
      await expect(verify(referralCode, code, requestToken)).rejects.toMatchObject(over);
    }
    await refusedTimes(4, () => verify(referralCode, wrongCode(code), own), { code: 'wrong_otp' });
    await verify(referralCode, code, own);
  });

  test('accepts its code from its own page alone, five times', async () => {
    const { referralCode, input } = await world.signUp();
    const own = page();
    await ask(referralCode, own);
    const code = await lastCode(input.email);
    for (const other of [undefined, page()]) {
      await expect(verify(referralCode, code, other)).rejects.toMatchObject({ code: 'wrong_otp' });
    }
    await refusedTimes(5, () => verify(referralCode, wrongCode(code), own), { code: 'wrong_otp' });
    await expect(verify(referralCode, code, own)).rejects.toMatchObject({ code: 'wrong_otp' });
  });

  test('allows ten codes a day for all strangers together, and a known device its own', async () => {
    const { referralCode, input, deviceToken } = await addKnown();
    for (let asked = 0; asked < 12; asked += 1) await ask(referralCode, page());
    expect(await codesTo(input.email)).toHaveLength(10);
    const own = page();
    await ask(referralCode, own, deviceToken);
    await verify(referralCode, await lastCode(input.email), own);
  });

  test('lets in a member whose devices a thief made unknown and whose codes strangers use up, with a link', async () => {
    const { referralCode, input, accessToken } = await addKnown();
    const stolen = await signIn(referralCode);
    await endOtherSessions(context, await callerOf(stolen.accessToken), address);
    expect(await findCaller(context, accessToken)).toBeUndefined();
    await fillStrangers(referralCode);
    for (let asked = 0; asked < 13; asked += 1) await ask(referralCode, page());
    const links = async () =>
      (await world.emailsTo(input.email)).flatMap(({ text }) => /\/reset-password#(\S+)/.exec(text)?.[1] ?? []);
    const [resetToken = '', ...others] = await links();
    expect(others).toEqual([]);
    clock.advance(DAY - 1);
    const { deviceToken } = await resetPassword(context, { resetToken, password: 'gale force nine', address });
    expect(await findCaller(context, stolen.accessToken)).toBeUndefined();
    await fillStrangers(referralCode);
    await signIn(referralCode, deviceToken, 'gale force nine');
    // It ended with the change of the password, as every token.
    await expect(resetPassword(context, { resetToken, password: 'storm force ten', address })).rejects.toMatchObject({
      code: 'wrong_reset_token',
    });
  });

  test('sends the next code of a page after a minute', async () => {
    const { referralCode, input } = await world.signUp();
    const own = page();
    await ask(referralCode, own);
    await ask(referralCode, own);
    expect(await codesTo(input.email)).toHaveLength(1);
    clock.advance(60);
    await ask(referralCode, own);
    expect(await codesTo(input.email)).toHaveLength(2);
    await verify(referralCode, await lastCode(input.email), own);
  });

  test('makes all other devices unknown, and its own known for passwords, not for codes', async () => {
    const account = await enrol(world);
    const own = page();
    await ask(account.referralCode, own);
    const resetToken = await verify(account.referralCode, await lastCode(account.input.email), own);
    const { deviceToken } = await resetPassword(context, { resetToken, password: 'gale force nine', address });
    const begin = async () => {
      const input = { loginId: account.referralCode, password: 'gale force nine', userAgent: firefox, address };
      const begun = await signInMember(context, { ...input, devices: sent(deviceToken) });
      assert('challenge' in begun);
      return begun.challenge;
    };
    const finish = (challenge: string, otp: string) =>
      verifyMemberOtp(context, { challenge, code: { otp }, userAgent: firefox, address, devices: sent(deviceToken) });
    for (let round = 0; round < 2; round += 1) {
      const challenge = await begin();
      await refusedTimes(5, () => finish(challenge, wrongCode(account.code())), { code: 'wrong_second_factor' });
    }
    // The owner of the mailbox shares the ten an hour of all strangers, whatever they reset.
    await expect(finish(await begin(), account.code())).rejects.toMatchObject(over);
    clock.advance(3600);
    expect((await finish(await begin(), account.code())).deviceToken).toBeUndefined();
  });
});

describe('operators', () => {
  const half = async ({ email }: TestOperator, device?: string, word = OPERATOR_PASSWORD) => {
    const input = { email, password: word, userAgent: firefox, address, devices: sent(device) };
    const begun = await signInOperator(context, input);
    assert('challenge' in begun);
    return begun.challenge;
  };
  const finish = async (operator: TestOperator, challenge: string, device?: string) =>
    verifyOperatorOtp(context, {
      challenge,
      otp: await operator.code(),
      userAgent: firefox,
      address,
      devices: sent(device),
    });
  const addKnownOperator = async (role: 'admin' | 'support' = 'admin') => {
    const operator = await makeOperator(context, role);
    const { deviceToken, accessToken } = await finish(operator, await half(operator));
    assert(deviceToken !== undefined);
    return { ...operator, deviceToken, accessToken };
  };
  const fill = (operator: TestOperator) =>
    refusedTimes(10, () => half(operator, undefined, 'another word 9'), { code: 'wrong_operator_login' });

  test('are not locked out of a known browser by strangers’ wrong passwords, not even the only admin', async () => {
    const admin = await addKnownOperator();
    await fill(admin);
    await expect(half(admin)).rejects.toMatchObject(over);
    const { deviceToken } = await finish(admin, await half(admin, admin.deviceToken), admin.deviceToken);
    expect(deviceToken).toBeUndefined();
  });

  test('are known after the second factor, not after the password', async () => {
    const { operatorId } = await makeOperator(context, 'support');
    // Set up in one browser with both, which becomes known by it.
    expect(await world.count('identity.device_token', `operator_id = ${operatorId}`)).toBe(1);
    const { email } = await world.addPlainOperator();
    expect((await world.signInAsOperator(email)).deviceToken).toBeUndefined();
  });

  test('become unknown once disabled; a change of the password keeps the browser that made it', async () => {
    const [by, colleague] = [await addKnownOperator(), await addKnownOperator('support')];
    const caller = (await findCaller(context, by.accessToken)) as OperatorCaller;
    const devicesOf = ({ operatorId }: TestOperator) =>
      world.count('identity.device_token', `operator_id = ${operatorId}`);
    await disableOperator(
      context,
      { operatorId: by.operatorId, otp: await by.code(), address },
      { operatorId: colleague.operatorId, why: 'left the company' },
    );
    expect(await devicesOf(colleague)).toBe(0);
    await changeOperatorPassword(context, caller, {
      currentPassword: OPERATOR_PASSWORD,
      password: 'storm force ten',
      otp: await by.code(),
      address,
    });
    expect(await devicesOf(by)).toBe(1);
    await fill(by);
    await half(by, by.deviceToken, 'storm force ten');
  });
});

describe('the limit on wrong passwords across accounts', () => {
  const flood = (failures: number, minutesAgo = 1) =>
    world.database.runScript(`
      delete from identity.stranger_failure;
      insert into identity.stranger_failure (minute, part, count)
      values (date_trunc('minute', timestamptz '${context.now().toISOString()}') - interval '${minutesAgo} minutes', 0, ${failures})`);
  const tryFrom =
    (network: string, device?: string, word = password) =>
    (loginId: string) =>
      signInMember(context, { loginId, password: word, userAgent: firefox, address: network, devices: sent(device) });

  test('lets a number of unknown devices a minute try, a network five times, and known ones as always', async () => {
    clock.advance(DAY);
    const { referralCode, deviceToken } = await addKnown();
    const others = await Promise.all(Array.from({ length: 8 }, () => world.signUp()));
    await flood(brake.maxFailures + 1);
    const stuff = tryFrom('203.0.113.9', undefined, 'another word 9');
    for (const other of others.slice(0, 5)) await expect(stuff(other.referralCode)).rejects.toMatchObject(wrongLogin);
    for (const other of others.slice(5)) await expect(stuff(other.referralCode)).rejects.toMatchObject(over);
    await expect(tryFrom('203.0.113.9', deviceToken, 'another word 9')(referralCode)).rejects.toMatchObject(wrongLogin);
    await tryFrom('203.0.113.9', deviceToken)(referralCode);
    // A successful sign-in uses none of the minute’s tries.
    const [first] = others;
    assert(first !== undefined);
    for (let round = 0; round < 5; round += 1) await tryFrom('2001:db8::1')(first.referralCode);
    await expect(tryFrom('2001:db8::2')(first.referralCode)).rejects.toMatchObject(over);
    for (let tries = 5; tries < brake.maxPerMinute; tries += 1) {
      await expect(tryFrom(`198.51.100.${tries}`)(`TWNOBODY${tries}`)).rejects.toMatchObject(wrongLogin);
    }
    await expect(tryFrom('192.0.2.99')(first.referralCode)).rejects.toMatchObject(over);
    await tryFrom('203.0.113.9', deviceToken)(referralCode);
    clock.advance(60);
    await tryFrom('192.0.2.99')(first.referralCode);
    clock.advance(600);
    for (const other of others) await tryFrom('203.0.113.9')(other.referralCode);
  });

  test('does not count what it refused against the account', async () => {
    clock.advance(DAY);
    const { referralCode } = await world.signUp();
    await flood(brake.maxFailures + 1, 0);
    await refusedTimes(12, () => signIn(referralCode), over);
    clock.advance(660);
    await fillStrangers(referralCode);
    await expect(signIn(referralCode)).rejects.toMatchObject(over);
  });
});
