import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { MemberCaller } from '#server/caller.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { testContext } from '#test/worlds/builders.ts';
import { wrongCode } from '#test/worlds/operators.ts';
import { address, openWorld, password } from '../accounts-world.test-setup.ts';
import { answerResetRequests, ensureCompany, ensureFirstAdmin, findCaller, registerMember } from '../index.ts';
import { changePassword } from '../passwords/change-password.ts';
import { requestReset, resetPassword, verifyResetOtp } from '../passwords/reset-password.ts';

const ROUNDS = 5;

const world = closeAfterAll(await openWorld());

const verify = (loginId: string, otp: string) => verifyResetOtp(world.context, { loginId, otp, address });
const reset = (resetToken: string, next: string) =>
  resetPassword(world.context, { resetToken, password: next, address });

test('tried by id and by email address concurrently a code still allows five tries, and the right one comes too late', async () => {
  const account = await world.signUp();
  const code = await world.askForCode(account.referralCode, account);
  const names = [account.referralCode, account.input.email];
  await atOnce(times(20, (index) => verify(names[index % 2] ?? '', wrongCode(code))));
  expect(await world.count('identity.otp', `member_id = ${account.memberId} and tries = 5`)).toBe(1);
  await expect(verify(account.referralCode, code)).rejects.toMatchObject({ code: 'wrong_otp' });
});

test('the right code sent twenty times concurrently gives one token', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await world.signUp();
    const code = await world.askForCode(account.referralCode, account);
    const { done, refused } = await atOnce(times(20, () => verify(account.referralCode, code)));
    expect(done).toHaveLength(1);
    expect(refused).toEqual(Array(19).fill('wrong_otp'));
  }
});

test('a reset token used five times concurrently sets one password', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await world.signUp();
    const token = await verify(account.referralCode, await world.askForCode(account.referralCode, account));
    const { done, refused } = await atOnce(times(5, (index) => reset(token, `gale force nine ${index}`)));
    expect(done).toHaveLength(1);
    expect(refused).toEqual(Array(4).fill('wrong_reset_token'));
    const works = await atOnce(
      times(5, (index) => world.signIn(account.referralCode, { password: `gale force nine ${index}` })),
    );
    expect(works.done).toHaveLength(1);
  }
});

test('of two browsers that concurrently reset one member’s password one sets it', async () => {
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const account = await world.signUp();
    const loginId = account.referralCode;
    const tokens = [];
    for (const requestToken of ['a'.repeat(43), 'b'.repeat(43)]) {
      await requestReset(world.context, { loginId, address, requestToken });
      await answerResetRequests(world.context);
      const mail = (await world.emailsTo(account.input.email)).at(-1);
      const otp = /(\d{6})\./.exec(mail?.text ?? '')?.[1] ?? '';
      tokens.push(await verifyResetOtp(world.context, { loginId, otp, address, requestToken }));
    }
    const { done, refused } = await atOnce(
      tokens.map((token, index) => () => reset(token, `gale force nine ${index}`)),
    );
    expect([done.length, refused]).toEqual([1, ['wrong_reset_token']]);
  }
});

test('two registrations that concurrently draw the same id get two ids', async () => {
  const input = {
    referralCode: 'TRADEWIND',
    mobileNumber: '+919876543210',
    name: 'Twin',
    email: 'twin@mail.test',
    password,
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const drawing = (second: string) => {
      const codes = [`TWTWIN${round}AAA`, `TWTWIN${round}${second}`];
      return () => codes.shift() ?? '';
    };
    const both = await Promise.all(
      ['BBB', 'CCC'].map((second) => registerMember(world.context, input, drawing(second))),
    );
    expect(new Set(both.map((one) => one.referralCode)).size).toBe(2);
    expect(both.map((one) => one.referralCode)).toContain(`TWTWIN${round}AAA`);
  }
});

test('of fifty concurrent wrong passwords ten are compared', async () => {
  const account = await world.signUp();
  const { refused } = await atOnce(times(50, () => world.signIn(account.referralCode, { password: 'another word 9' })));
  expect(refused.filter((code) => code === 'wrong_login')).toHaveLength(10);
  expect(refused.filter((code) => code === 'too_many_requests')).toHaveLength(40);
});

test('of five concurrent changes of one password one counts, and it is the one that works', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await world.signUp();
    const caller = (await findCaller(world.context, await world.signIn(account.referralCode))) as MemberCaller;
    const change = (index: number) =>
      changePassword(world.context, caller, {
        currentPassword: password,
        password: `gale force nine ${index}`,
        address,
      });
    const { done, refused } = await atOnce(times(5, change));
    expect(done).toHaveLength(1);
    expect(refused).toEqual(Array(4).fill('wrong_password'));
  }
});

test('a sign-in that races with a change of the password does not survive it', async () => {
  for (let round = 0; round < ROUNDS * 3; round += 1) {
    const account = await world.signUp();
    const own = await world.signIn(account.referralCode);
    const caller = (await findCaller(world.context, own)) as MemberCaller;
    const racing = times(3, () => world.signIn(account.referralCode));
    const change = async () => {
      await changePassword(world.context, caller, { currentPassword: password, password: 'gale force nine', address });
      return 'changed';
    };
    const { done } = await atOnce([racing[0] ?? change, change, ...racing.slice(1)]);
    expect(done).toContain('changed');
    const alive = done.filter((token) => token !== 'changed');
    for (const token of alive) expect(await findCaller(world.context, token)).toBeUndefined();
    expect(await world.count('identity.auth_session', `member_id = ${account.memberId}`)).toBe(1);
  }
});

test('reset requests are answered once by three workers', async () => {
  const accounts = await Promise.all(Array.from({ length: 12 }, () => world.signUp()));
  await Promise.all(
    accounts.map(({ referralCode }) => requestReset(world.context, { loginId: referralCode, address })),
  );
  const taken = await Promise.all([1, 2, 3].map(() => answerResetRequests(world.context)));
  expect(taken.reduce((sum, one) => sum + one, 0)).toBe(12);
  for (const { input } of accounts) {
    const mails = await world.emailsTo(input.email);
    expect(mails.filter((mail) => mail.subject.includes('code'))).toHaveLength(1);
  }
});

test('a reset request that waits for a held member delays no other, and is answered afterwards', async () => {
  const [held, other] = [await world.signUp(), await world.signUp()];
  const codesTo = async (email: string) =>
    (await world.emailsTo(email)).filter((mail) => mail.subject.includes('code')).length;
  await inTransaction(world.context.db, async (tx) => {
    await sql`select 1 from identity.member where id = ${held.memberId} for update`.execute(tx);
    await requestReset(world.context, { loginId: held.referralCode, address });
    world.clock.advance(1);
    await requestReset(world.context, { loginId: other.referralCode, address });
    await expect(answerResetRequests(world.context)).rejects.toThrow('Reset codes that could not be sent: 1');
    expect(await codesTo(other.input.email)).toBe(1);
  });
  expect(await answerResetRequests(world.context)).toBe(1);
  expect(await codesTo(held.input.email)).toBe(1);
});

test('the same login requested twenty times concurrently is one request', async () => {
  const account = await world.signUp();
  await Promise.all(
    times(20, () => requestReset(world.context, { loginId: account.referralCode, address })).map((ask) => ask()),
  );
  expect(await answerResetRequests(world.context)).toBe(1);
});

test('eight processes that start concurrently make one company and one first operator', async () => {
  const database = await openTestDatabase();
  const context = testContext(database, world.clock, {
    ADMIN_EMAIL: 'admin@mail.test',
    ADMIN_PASSWORD: 'gale force nine',
  });
  const ids = await Promise.all(Array.from({ length: 8 }, () => ensureCompany(context)));
  expect(new Set(ids).size).toBe(1);
  await Promise.all(Array.from({ length: 8 }, () => ensureFirstAdmin(context)));
  await database.runScript(`
    do $$ begin
      assert (select count(*) from identity.member) = 1;
      assert (select count(*) from identity.operator) = 1;
    end $$`);
  await database.close();
});
