import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { address, openWorld, password, type World } from '../accounts-world.test-setup.ts';
import { findCaller, freezeMember, lockWithdrawer, type MemberCaller, setVerified } from '../index.ts';
import { changePassword } from '../passwords/change-password.ts';
import { resetPassword } from '../passwords/reset-password.ts';
import { verifyResetOtp } from '../passwords/verify-reset-otp.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const find = (memberId: bigint) => inTransaction(world.database.db, (tx) => lockWithdrawer(tx, memberId));
const actor = { kind: 'system', id: null } as const;
const verify = (memberId: bigint, verified: boolean) =>
  inTransaction(world.database.db, (tx) =>
    setVerified(tx, { memberId, verified, actor, why: 'passport seen', now: world.context.now() }),
  );

test('a new member is neither frozen nor verified, and nothing of their sign-in was changed', async () => {
  const { memberId, referralCode, input } = await world.signUp();
  expect(await find(memberId)).toEqual({
    frozenAt: null,
    verifiedAt: null,
    securityChangedAt: null,
    email: input.email,
    name: input.name,
    referralCode,
  });
});

test('a change of the password is one of security, with its moment; a refused one is none', async () => {
  const { memberId, referralCode } = await world.signUp();
  const caller = (await findCaller(world.context, await world.signIn(referralCode))) as MemberCaller;
  const change = (currentPassword: string, next: string) =>
    changePassword(world.context, caller, { currentPassword, password: next, address });
  await expect(change('another word 9', 'gale force nine')).rejects.toMatchObject({ code: 'wrong_password' });
  expect((await find(memberId)).securityChangedAt).toBeNull();
  world.clock.advance(3600);
  await change(password, 'gale force nine');
  expect((await find(memberId)).securityChangedAt).toEqual(world.context.now());
});

test('so is a reset', async () => {
  const account = await world.signUp();
  const otp = await world.askForCode(account.referralCode, account);
  const resetToken = await verifyResetOtp(world.context, { loginId: account.referralCode, otp, address });
  expect((await find(account.memberId)).securityChangedAt).toBeNull();
  world.clock.advance(30);
  await resetPassword(world.context, { resetToken, password: 'gale force nine', address });
  expect((await find(account.memberId)).securityChangedAt).toEqual(world.context.now());
});

test('a freeze is seen', async () => {
  const { memberId } = await world.signUp();
  const now = world.context.now();
  await inTransaction(world.database.db, (tx) => freezeMember(tx, { memberId, actor, why: 'test', now }));
  expect((await find(memberId)).frozenAt).toEqual(now);
});

test('being verified is set and taken back, audited with the reason and told; the same once more changes nothing', async () => {
  const { memberId } = await world.signUp();
  expect(await verify(memberId, false)).toBe(false);
  expect(await verify(memberId, true)).toBe(true);
  const since = world.context.now();
  world.clock.advance(3600);
  expect(await verify(memberId, true)).toBe(false);
  expect((await find(memberId)).verifiedAt).toEqual(since);
  expect(await verify(memberId, false)).toBe(true);
  expect((await find(memberId)).verifiedAt).toBeNull();
  expect(await world.listActions(`member:${memberId}`)).toEqual([
    'member.register',
    'member.verify',
    'member.unverify',
  ]);
  const why = `subject = 'member:${memberId}' and after->>'why' = 'passport seen'`;
  expect(await world.count('audit.entry', why)).toBe(2);
  expect(await world.listMessages(memberId)).toEqual([
    'Your account was verified.',
    'Your account is no longer verified. Please write to support.',
  ]);
});

test('the company is nobody who withdraws, and cannot be verified', async () => {
  expect(await verify(world.companyId, true)).toBe(false);
  await expect(find(world.companyId)).rejects.toThrow('only members withdraw');
});
