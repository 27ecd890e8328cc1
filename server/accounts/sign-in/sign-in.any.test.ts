import { describe, expect, test } from 'vitest';
import type { MemberCaller } from '#server/caller.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { testContext } from '#test/worlds/builders.ts';
import { address, firefox, openWorld, password, refusedTimes } from '../accounts-world.test-setup.ts';
import { ensureFirstAdmin, findCaller, lockWithdrawer, purgeExpired } from '../index.ts';
import { changePassword } from '../passwords/change-password.ts';
import { signOut } from './auth-sessions.ts';

const world = closeAfterAll(await openWorld());

const DAY = 86_400;
const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36';
const find = (token: string) => findCaller(world.context, token);
const member = async (token: string) => (await find(token)) as MemberCaller;

test('the id is accepted in any case, the token identifies its member, and is stored as a hash only', async () => {
  const { memberId, referralCode } = await world.signUp();
  const token = await world.signIn(referralCode.toLowerCase());
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(await find(token)).toEqual({ kind: 'member', memberId, authSessionId: expect.any(BigInt) });
  expect(await world.count('identity.auth_session', `encode(token_hash, 'escape') like '%${token}%'`)).toBe(0);
  expect(await world.count('identity.auth_session', `member_id = ${memberId} and length(token_hash) = 32`)).toBe(1);
  expect(await world.listActions(`member:${memberId}`)).toEqual(['member.register', 'member.sign_in']);
});

test('only a stored token identifies anybody', async () => {
  for (const token of ['', 'x', 'a'.repeat(43), '\u0000']) expect(await find(token)).toBeUndefined();
});

describe('limits', () => {
  test.each([
    ['a known id', async () => (await world.signUp()).referralCode],
    ['an unknown id', async () => 'TWNOBODY33'],
  ])(
    'after ten wrong tries %s has to wait a quarter of an hour, in whatever case it is written',
    async (_what, idOf) => {
      const loginId = await idOf();
      const wrong = (id: string) => world.signIn(id, { password: 'another word 9' });
      await refusedTimes(5, () => wrong(loginId), { code: 'wrong_login' });
      await refusedTimes(5, () => wrong(loginId.toLowerCase()), { code: 'wrong_login' });
      const refused = { code: 'too_many_requests', status: 429, retryAfterSeconds: 900 };
      await expect(wrong(loginId)).rejects.toMatchObject(refused);
      // Guessing one id locks out no other.
      await world.signIn((await world.signUp()).referralCode);
      world.clock.advance(899);
      await expect(world.signIn(loginId)).rejects.toMatchObject({ ...refused, retryAfterSeconds: 1 });
      world.clock.advance(1);
      await expect(wrong(loginId)).rejects.toMatchObject({ code: 'wrong_login' });
    },
  );

  test('a right password resets the count', async () => {
    const { referralCode } = await world.signUp();
    for (let round = 0; round < 3; round += 1) {
      await refusedTimes(9, () => world.signIn(referralCode, { password: 'another word 9' }), { code: 'wrong_login' });
      await world.signIn(referralCode);
    }
  });
});

describe('the life of a session', () => {
  test.each([
    [1, false],
    [30, true],
  ])('it ends after %d idle days with Remember Me: %s, and use extends it', async (days, remember) => {
    const token = await world.signIn((await world.signUp()).referralCode, { remember });
    for (let round = 0; round < 3; round += 1) {
      world.clock.advance(days * DAY - 1);
      expect(await find(token)).toBeDefined();
    }
    world.clock.advance(days * DAY);
    expect(await find(token)).toBeUndefined();
  });

  test('last use is written at most once a minute', async () => {
    const { memberId, referralCode } = await world.signUp();
    const token = await world.signIn(referralCode);
    const isUsedAt = (instant: Date) =>
      world.count('identity.auth_session', `member_id = ${memberId} and last_used_at = '${instant.toISOString()}'`);
    const begun = world.context.now();
    world.clock.advance(59);
    await find(token);
    expect(await isUsedAt(begun)).toBe(1);
    world.clock.advance(1);
    await find(token);
    expect(await isUsedAt(world.context.now())).toBe(1);
  });

  test('signing out ends this session at once, and no other', async () => {
    const { memberId, referralCode } = await world.signUp();
    const [here, there] = [await world.signIn(referralCode), await world.signIn(referralCode)];
    await signOut(world.context, await member(here), address);
    expect(await find(here)).toBeUndefined();
    expect(await find(there)).toMatchObject({ memberId });
    expect((await world.listActions(`member:${memberId}`)).at(-1)).toBe('member.sign_out');
  });

  test('ended sessions are deleted, live ones stay', async () => {
    const { referralCode } = await world.signUp();
    const [short, long] = [await world.signIn(referralCode), await world.signIn(referralCode, { remember: true })];
    await world.signIn('TWNOBODY44').catch(() => {});
    world.clock.advance(DAY);
    await purgeExpired(world.context);
    expect(await find(short)).toBeUndefined();
    expect(await find(long)).toBeDefined();
    const now = world.context.now().toISOString();
    for (const table of ['auth_session', 'otp', 'reset_token', 'reset_request', 'sign_in_challenge', 'attempt']) {
      expect(await world.count(`identity.${table}`, `expires_at <= '${now}'`), table).toBe(0);
    }
  });
});

describe('a new device', () => {
  test('is notified in the drawer and by email; the first one and known ones are not', async () => {
    const { memberId, referralCode, input } = await world.signUp();
    await world.signIn(referralCode);
    await world.signIn(referralCode, { userAgent: firefox.replace('140', '141') });
    expect(await world.listMessages(memberId)).toEqual([]);
    await world.signIn(referralCode, { userAgent: chrome });
    await world.signIn(referralCode, { userAgent: chrome });
    await world.signIn(referralCode);
    expect(await world.listMessages(memberId)).toEqual([
      'New sign-in from Chrome on Windows. If this was not you, change your password.',
    ]);
    const mails = await world.emailsTo(input.email);
    expect(mails.map((mail) => mail.subject)).toEqual([
      'Your Tradewind Registered Id',
      'New sign-in to your Tradewind account',
    ]);
  });
});

describe('changing the password', () => {
  const securityChangedAt = (memberId: bigint) =>
    inTransaction(world.database.db, async (tx) => (await lockWithdrawer(tx, memberId)).securityChangedAt);
  const change = (caller: MemberCaller, currentPassword: string, next: string) =>
    changePassword(world.context, caller, { currentPassword, password: next, address });

  test('keeps this session, ends the others at once, notifies the member, and only the new one works', async () => {
    const { memberId, referralCode, input } = await world.signUp();
    const [here, there] = [await world.signIn(referralCode), await world.signIn(referralCode)];
    await find(there);
    expect(await securityChangedAt(memberId)).toBeNull();
    world.clock.advance(3600);
    await change(await member(here), password, 'gale force nine');
    expect(await securityChangedAt(memberId)).toEqual(world.context.now());
    expect(await find(here)).toMatchObject({ memberId });
    expect(await find(there)).toBeUndefined();
    await expect(world.signIn(referralCode)).rejects.toMatchObject({ code: 'wrong_login' });
    await world.signIn(referralCode, { password: 'gale force nine' });
    expect(await world.listMessages(memberId)).toEqual([
      'Your password was changed. All other devices were signed out.',
    ]);
    expect((await world.emailsTo(input.email)).at(-1)?.subject).toBe('Your Tradewind password was changed');
    expect(await world.listActions(`member:${memberId}`)).toContain('member.change_password');
  });

  test('a wrong current password is a 422, so is a weak new one, and neither changes anything', async () => {
    const { memberId, referralCode, input } = await world.signUp();
    const caller = await member(await world.signIn(referralCode));
    await expect(change(caller, 'another word 9', 'gale force nine')).rejects.toMatchObject({
      code: 'wrong_password',
      status: 422,
    });
    await expect(change(caller, password, 'password123')).rejects.toMatchObject({ code: 'weak_password' });
    await expect(change(caller, password, input.email)).rejects.toMatchObject({ code: 'weak_password' });
    await expect(change(caller, password, referralCode)).rejects.toMatchObject({ code: 'weak_password' });
    expect(await securityChangedAt(memberId)).toBeNull();
    await world.signIn(referralCode);
  });

  test('the current password cannot be guessed from an open session', async () => {
    const caller = await member(await world.signIn((await world.signUp()).referralCode));
    await refusedTimes(10, () => change(caller, 'another word 9', 'gale force nine'), { code: 'wrong_password' });
    await expect(change(caller, password, 'gale force nine')).rejects.toMatchObject({ code: 'too_many_requests' });
  });
});

describe('operators', () => {
  const sign = (email: string, word: string) => world.signInAsOperator(email, word);

  test('are signed in for eight hours regardless of use', async () => {
    await ensureFirstAdmin(
      testContext(world.database, world.clock, {
        ADMIN_EMAIL: 'admin@mail.test',
        ADMIN_PASSWORD: 'gale force nine',
      }),
    );
    const { accessToken, operator } = await sign('ADMIN@mail.test', 'gale force nine');
    expect(await find(accessToken)).toEqual({
      kind: 'operator',
      operatorId: operator.id,
      role: 'admin',
      authSessionId: expect.any(BigInt),
      hasSecondFactor: false,
    });
    world.clock.advance(8 * 3600 - 1);
    expect(await find(accessToken)).toBeDefined();
    world.clock.advance(1);
    expect(await find(accessToken)).toBeUndefined();
  });

  test('a changed role counts within a second', async () => {
    const { accessToken } = await sign('admin@mail.test', 'gale force nine');
    await find(accessToken);
    await world.database.runScript(`update identity.operator set role = 'support'`);
    world.clock.advance(1);
    expect(await find(accessToken)).toMatchObject({ role: 'support' });
    await world.database.runScript(`update identity.operator set role = 'admin'`);
  });

  test('unknown and wrong are refused alike and rate limited alike', async () => {
    for (const email of ['admin@mail.test', 'nobody@mail.test']) {
      await refusedTimes(10, () => sign(email, 'another word 9'), { code: 'wrong_operator_login', status: 422 });
      await expect(sign(email, 'gale force nine')).rejects.toMatchObject({
        code: 'too_many_requests',
        retryAfterSeconds: 900,
      });
    }
  });
});
