import assert from 'node:assert';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { address, openWorld, password, refusedTimes, type World } from '../accounts-world.test-setup.ts';
import { answerResetRequests, findCaller, lockWithdrawer } from '../index.ts';
import { changePassword } from './change-password.ts';
import { requestReset, resetPassword, verifyResetOtp } from './reset-password.ts';

const world = closeAfterAll(await openWorld());

const verify = (loginId: string, otp: string) => verifyResetOtp(world.context, { loginId, otp, address });
const reset = (resetToken: string, next: string) =>
  resetPassword(world.context, { resetToken, password: next, address });
const request = (loginId: string) => requestReset(world.context, { loginId, address });
const securityChangedAt = (memberId: bigint) =>
  inTransaction(world.database.db, async (tx) => (await lockWithdrawer(tx, memberId)).securityChangedAt);
const codeEmails = async (email: string) =>
  (await world.emailsTo(email)).filter((mail) => mail.subject.includes('code'));

test('a forgotten password is replaced with an emailed code, and all sessions end', async () => {
  const account = await world.signUp();
  const token = await world.signIn(account.referralCode);
  await findCaller(world.context, token);
  const code = await world.askForCode(account.referralCode.toLowerCase(), account);
  expect(code).toMatch(/^\d{6}$/);
  const resetToken = await verify(account.referralCode, code);
  expect(await securityChangedAt(account.memberId)).toBeNull();
  world.clock.advance(30);
  await reset(resetToken, 'gale force nine');
  expect(await securityChangedAt(account.memberId)).toEqual(world.context.now());
  expect(await findCaller(world.context, token)).toBeUndefined();
  await expect(world.signIn(account.referralCode, { password })).rejects.toMatchObject({ code: 'wrong_login' });
  await world.signIn(account.referralCode, { password: 'gale force nine' });
  expect(await world.listMessages(account.memberId)).toEqual([
    'Your password was changed. All devices were signed out.',
  ]);
  expect(await world.listActions(`member:${account.memberId}`)).toEqual([
    'member.register',
    'member.sign_in',
    'member.mail_reset_code',
    'member.verify_reset_code',
    'member.reset_password',
    'member.sign_in',
  ]);
});

test('the response is the same for existing and unknown accounts, and drops what was typed', async () => {
  const { referralCode, input } = await world.signUp();
  const answers = [];
  for (const loginId of [referralCode, input.email, 'TWNOBODY22', 'nobody@mail.test', 'TRADEWIND']) {
    answers.push(await request(loginId));
  }
  const now = world.context.now().getTime();
  for (const answer of answers) {
    expect(answer).toEqual({ resendAt: new Date(now + 60_000), expiresAt: new Date(now + 600_000) });
  }
  expect(await answerResetRequests(world.context)).toBe(5);
  expect(await answerResetRequests(world.context)).toBe(0);
  expect(await world.count('identity.reset_request', 'login_id is not null')).toBe(0);
  // Requested by id and by address within a minute: one code.
  expect(await codeEmails(input.email)).toHaveLength(1);
});

test('by email address one email lists a code for each of its accounts, valid for that account only', async () => {
  const first = await world.signUp({ email: 'shared@mail.test' });
  const second = await world.signUp({ email: 'Shared@Mail.Test' });
  const codeOfFirst = await world.askForCode('SHARED@mail.test', first);
  const mails = [...(await codeEmails('shared@mail.test')), ...(await codeEmails('Shared@Mail.Test'))];
  expect(mails).toHaveLength(1);
  const codeOfSecond = codeIn(mails[0]?.text, second.referralCode);
  expect(codeOfSecond).toMatch(/^\d{6}$/);
  if (codeOfFirst !== codeOfSecond) {
    await expect(verify(first.referralCode, codeOfSecond)).rejects.toMatchObject({ code: 'wrong_otp' });
  }
  await reset(await verify('shared@mail.test', codeOfSecond), 'gale force nine');
  await world.signIn(second.referralCode, { password: 'gale force nine' });
  await world.signIn(first.referralCode, { password });
  await reset(await verify(first.referralCode, codeOfFirst), 'gale force nine');
  await world.signIn(first.referralCode, { password: 'gale force nine' });
});

const codeIn = (text: string | undefined, referralCode: string): string =>
  new RegExp(`Id ${referralCode} is (\\d{6})\\.`).exec(text ?? '')?.[1] ?? '';

test('of hundreds of accounts on one address fifty get a code by Registered Id, verified ones first', async () => {
  const email = 'crowd@mail.test';
  const [first, second] = [await world.signUp({ email }), await world.signUp({ email })];
  await sql`
    insert into identity.member (referral_code, name, email, mobile_number, password_hash, sponsor_id, created_at)
    select 'TWCROWD' || n, 'Crowd', email, mobile_number, password_hash, sponsor_id, created_at
    from identity.member, generate_series(100, 399) n where id = ${second.memberId}`.execute(world.database.db);
  const owner = await world.signUp({ email });
  await request(email);
  await answerResetRequests(world.context);
  const issued = async () => world.count('identity.otp', `member_id >= ${first.memberId}`);
  expect(await issued()).toBe(50);
  expect((await codeEmails(email)).at(-1)?.text).not.toContain(owner.referralCode);
  const now = world.context.now().toISOString();
  await sql`update identity.member set email_verified_at = ${now} where id = ${owner.memberId}`.execute(
    world.database.db,
  );
  world.clock.advance(600);
  const code = await world.askForCode(email, owner);
  await reset(await verify(email, code), 'gale force nine');
  const left = { referralCode: 'TWCROWD399', input: owner.input };
  expect(await world.askForCode('TWCROWD399', left)).toMatch(/^\d{6}$/);
});

describe('a code', () => {
  test('expires after ten minutes', async () => {
    const account = await world.signUp();
    const code = await world.askForCode(account.referralCode, account);
    world.clock.advance(600);
    await expect(verify(account.referralCode, code)).rejects.toMatchObject({ code: 'wrong_otp' });
    const next = await world.askForCode(account.referralCode, account);
    world.clock.advance(599);
    await verify(account.referralCode, next);
  });

  test('is sent again after a minute, and then only the new one works', async () => {
    const account = await world.signUp();
    const first = await world.askForCode(account.referralCode, account);
    world.clock.advance(59);
    const told = await request(account.referralCode);
    expect(told.resendAt.getTime() - world.context.now().getTime()).toBe(1000);
    expect(await answerResetRequests(world.context)).toBe(0);
    world.clock.advance(1);
    const second = await world.askForCode(account.referralCode, account);
    expect(await codeEmails(account.input.email)).toHaveLength(2);
    if (first !== second)
      await expect(verify(account.referralCode, first)).rejects.toMatchObject({ code: 'wrong_otp' });
    await verify(account.referralCode, second);
  });

  test('is not stored, nor is a hash of it that could be brute-forced without the key', async () => {
    const account = await world.signUp();
    const code = await world.askForCode(account.referralCode, account);
    const where = (expression: string) => `member_id = ${account.memberId} and code_hash = ${expression}`;
    expect(await world.count('identity.otp', `member_id = ${account.memberId} and length(code_hash) = 32`)).toBe(1);
    for (const text of [code, `${account.memberId}${code}`, `reset_password\n${account.memberId}\n${code}\n`]) {
      expect(await world.count('identity.otp', where(`sha256('${text}'::bytea)`))).toBe(0);
    }
  });

  test('is emailed at most ten times a day to one account, and the response does not reveal it', async () => {
    const account = await world.signUp();
    for (let round = 0; round < 12; round += 1) {
      const answer = await request(account.referralCode);
      expect(answer.resendAt.getTime() - world.context.now().getTime()).toBe(60_000);
      await answerResetRequests(world.context);
      world.clock.advance(60);
    }
    expect(await codeEmails(account.input.email)).toHaveLength(10);
    world.clock.advance(86_400);
    await world.askForCode(account.referralCode, account);
    expect(await codeEmails(account.input.email)).toHaveLength(11);
  });

  test('is replaced by a link once they are used up, which ends with a security change: then the next one is sent', async () => {
    const account = await world.signUp();
    const ask = async () => {
      await request(account.referralCode);
      await answerResetRequests(world.context);
      world.clock.advance(60);
    };
    const links = async () =>
      (await world.emailsTo(account.input.email)).flatMap(({ text }) => /reset-password#(\S+)/.exec(text)?.[1] ?? []);
    for (let round = 0; round < 11; round += 1) await ask();
    const caller = await findCaller(world.context, await world.signIn(account.referralCode));
    assert(caller?.kind === 'member');
    const change = { currentPassword: password, password: 'thief of the day 5', address };
    await changePassword(world.context, caller, change);
    const [first = ''] = await links();
    await expect(reset(first, 'gale force nine')).rejects.toMatchObject({ code: 'wrong_reset_token' });
    await ask();
    await ask();
    const [, second = '', ...others] = await links();
    expect(others).toEqual([]);
    await reset(second, 'gale force nine');
    expect((await world.listActions(`member:${account.memberId}`)).at(-2)).toBe('member.mail_reset_link');
  });

  test('is replaced by a link that is good for a day', async () => {
    const linkOf = async () => {
      const account = await world.signUp();
      for (let round = 0; round < 11; round += 1) {
        world.clock.advance(60);
        await request(account.referralCode);
        await answerResetRequests(world.context);
      }
      const mails = await world.emailsTo(account.input.email);
      return mails.flatMap(({ text }) => /reset-password#(\S+)/.exec(text)?.[1] ?? [])[0] ?? '';
    };
    const inTime = await linkOf();
    world.clock.advance(86_399);
    await reset(inTime, 'gale force nine');
    const late = await linkOf();
    world.clock.advance(86_400);
    await expect(reset(late, 'gale force nine')).rejects.toMatchObject({ code: 'wrong_reset_token' });
  });

  test('is not emailed when its job runs too late', async () => {
    const account = await world.signUp();
    await request(account.referralCode);
    world.clock.advance(600);
    expect(await answerResetRequests(world.context)).toBe(1);
    expect(await codeEmails(account.input.email)).toEqual([]);
  });
});

test('guessing many codes of one account, or of none, is rate limited', async () => {
  const account = await world.signUp();
  for (const loginId of [account.referralCode, 'TWNOBODY55']) {
    await refusedTimes(30, () => verify(loginId, '000000'), { code: 'wrong_otp' });
    await expect(verify(loginId, '000000')).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 900,
    });
  }
});

describe('a reset token', () => {
  const tokenFor = async (account: Awaited<ReturnType<World['signUp']>>) =>
    verify(account.referralCode, await world.askForCode(account.referralCode, account));

  test('expires after a quarter of an hour', async () => {
    const token = await tokenFor(await world.signUp());
    world.clock.advance(900);
    await expect(reset(token, 'gale force nine')).rejects.toMatchObject({ code: 'wrong_reset_token' });
  });

  test('is not used up by a weak password', async () => {
    const account = await world.signUp();
    const token = await tokenFor(account);
    await expect(reset(token, 'password123')).rejects.toMatchObject({ code: 'weak_password' });
    await expect(reset(token, account.referralCode)).rejects.toMatchObject({ code: 'weak_password' });
    await reset(token, 'gale force nine');
  });

  test('is void after another one changed the password', async () => {
    const account = await world.signUp();
    const first = await tokenFor(account);
    world.clock.advance(60);
    const second = await tokenFor(account);
    await reset(second, 'gale force nine');
    await expect(reset(first, 'storm force ten')).rejects.toMatchObject({ code: 'wrong_reset_token' });
  });

  test('can be neither guessed nor omitted', async () => {
    for (const token of ['', 'x', 'A'.repeat(43)]) {
      await expect(reset(token, 'gale force nine')).rejects.toMatchObject({ code: 'wrong_reset_token' });
    }
  });
});
