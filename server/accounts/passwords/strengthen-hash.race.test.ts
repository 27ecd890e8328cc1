import { hash } from '@node-rs/argon2';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { MemberCaller } from '#server/caller.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { atOnce, codeOf, times } from '#test/kit/at-once.ts';
import { address, firefox, openWorld, password } from '../accounts-world.test-setup.ts';
import { findCaller, registerOperator, signInOperator } from '../index.ts';
import { changePassword } from './change-password.ts';
import { resetPassword, verifyResetOtp } from './reset-password.ts';

const ROUNDS = 5;
const world = closeAfterAll(await openWorld());
const { db } = world.context;
/** What tests store is `m=64,t=1,p=1` (test/worlds/quick-passwords.ts). */
const weak = { memoryCost: 32, timeCost: 1, parallelism: 1 };
const strong = /^\$argon2id\$v=19\$m=64,t=1,p=1\$/;

const weaken = async (table: 'member' | 'operator', id: bigint) =>
  sql`
    update ${sql.table(`identity.${table}`)} set password_hash = ${await hash(password, weak)} where id = ${id}`.execute(
    db,
  );
const stored = async (table: 'member' | 'operator', id: bigint) => {
  const { rows } = await sql<{ password_hash: string }>`
    select password_hash from ${sql.table(`identity.${table}`)} where id = ${id}`.execute(db);
  return rows[0]?.password_hash ?? '';
};
/** A member whose hash has smaller, earlier parameters. */
const addWeak = async () => {
  const account = await world.signUp();
  await weaken('member', account.memberId);
  return account;
};

test('a sign-in rehashes a password that was stored with smaller parameters, once', async () => {
  const account = await addWeak();
  const before = await stored('member', account.memberId);
  expect(await codeOf(world.signIn(account.referralCode, { password: 'another word 9' }))).toBe('wrong_login');
  expect(await stored('member', account.memberId)).toBe(before);
  await world.signIn(account.referralCode);
  const after = await stored('member', account.memberId);
  expect(after).toMatch(strong);
  await world.signIn(account.referralCode);
  expect(await stored('member', account.memberId)).toBe(after);
  // The password did not change: the member is not notified, and all sign-ins stay.
  expect(await world.listMessages(account.memberId)).toEqual([]);
  expect(await world.listActions(`member:${account.memberId}`)).not.toContain('member.change_password');
});

test('an operator’s as well, even with two concurrent sign-ins', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const email = `op${round}@mail.test`;
    const id = await registerOperator(world.context, { email, name: 'Op', role: 'support', password });
    await weaken('operator', id);
    const signIn = () => signInOperator(world.context, { email, password, userAgent: firefox, address });
    expect((await atOnce(times(4, signIn))).refused).toEqual([]);
    expect(await stored('operator', id)).toMatch(strong);
    await signIn();
  }
});

test('concurrent sign-ins all succeed, and one hash stays', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await addWeak();
    const { done, refused } = await atOnce(times(6, () => world.signIn(account.referralCode)));
    expect(refused).toEqual([]);
    for (const token of done) expect(await findCaller(world.context, token)).toBeDefined();
    expect(await stored('member', account.memberId)).toMatch(strong);
  }
});

test('a concurrent change of the password succeeds, and no sign-in with the old one survives it', async () => {
  const next = 'gale force nine';
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await addWeak();
    const own = await world.signIn(account.referralCode);
    await weaken('member', account.memberId);
    const caller = (await findCaller(world.context, own)) as MemberCaller;
    const change = async () => {
      await changePassword(world.context, caller, { currentPassword: password, password: next, address });
      return 'changed';
    };
    const { done } = await atOnce([...times(4, () => world.signIn(account.referralCode)), change]);
    expect(done).toContain('changed');
    for (const token of done.filter((one) => one !== 'changed'))
      expect(await findCaller(world.context, token)).toBeUndefined();
    expect(await findCaller(world.context, own)).toBeDefined();
    await world.signIn(account.referralCode, { password: next });
    expect(await codeOf(world.signIn(account.referralCode))).toBe('wrong_login');
  }
});

test('a concurrent reset is not undone', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await addWeak();
    const otp = await world.askForCode(account.referralCode, account);
    const resetToken = await verifyResetOtp(world.context, { loginId: account.referralCode, otp, address });
    const reset = () => resetPassword(world.context, { resetToken, password: 'gale force nine', address });
    const { done } = await atOnce([...times(4, () => world.signIn(account.referralCode)), reset]);
    expect(done.filter((one) => typeof one === 'object')).toHaveLength(1);
    await world.signIn(account.referralCode, { password: 'gale force nine' });
    expect(await codeOf(world.signIn(account.referralCode))).toBe('wrong_login');
  }
});
