import { expect, test } from 'vitest';
import { referralCodeAlphabet } from '#contract/rules.ts';
import { BadConfig } from '#server/config.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getBalances } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { testContext } from '#test/worlds/builders.ts';
import { openWorld, password } from '../accounts-world.test-setup.ts';
import {
  ensureCompany,
  ensureFirstAdmin,
  findCaller,
  freezeMember,
  getMember,
  listFrozenMembers,
  listMemberNames,
  lockWithdrawer,
  registerMember,
  setVerified,
} from '../index.ts';
import { findSponsorName } from './members.ts';

const world = closeAfterAll(await openWorld());

const findWithdrawer = (memberId: bigint) => inTransaction(world.database.db, (tx) => lockWithdrawer(tx, memberId));
const actor = { kind: 'system', id: null } as const;
const verify = (memberId: bigint, verified: boolean) =>
  inTransaction(world.database.db, (tx) =>
    setVerified(tx, { memberId, verified, actor, why: 'passport seen', now: world.context.now() }),
  );

test('the company is the first member: without sponsor, email and password', async () => {
  expect(world.companyId).toBe(1n);
  expect(await getMember(world.database.db, 1n)).toEqual({
    id: 1n,
    referralCode: 'TRADEWIND',
    name: 'Tradewind',
    email: '',
    mobileNumber: '',
    sponsorId: null,
    frozenAt: null,
    closedAt: null,
    isCompany: true,
    createdAt: new Date('2026-03-04T12:00:00Z'),
  });
  expect(await ensureCompany(world.context)).toBe(1n);
  expect(await world.listActions('member:1')).toEqual(['company.create']);
});

test('a member, with or without terms, gets a sponsor, empty wallets, an email and an audit entry', async () => {
  const { memberId, referralCode, input } = await world.signUp({ name: 'Anna Berg', terms: true });
  expect(referralCode).toMatch(new RegExp(`^TW[${referralCodeAlphabet}]{8}$`));
  expect(await getMember(world.database.db, memberId)).toEqual({
    id: memberId,
    referralCode,
    name: 'Anna Berg',
    email: input.email,
    mobileNumber: '+919876543210',
    sponsorId: 1n,
    frozenAt: null,
    closedAt: null,
    isCompany: false,
    createdAt: new Date('2026-03-04T12:00:00Z'),
  });
  expect(await getBalances(world.database.db, memberId)).toMatchObject({ primary: 0n, profit: 0n });
  expect(await findWithdrawer(memberId)).toEqual({
    frozenAt: null,
    verifiedAt: null,
    securityChangedAt: null,
    email: input.email,
    name: input.name,
    referralCode,
  });
  const mails = await world.emailsTo(input.email);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain(`Your Registered Id is ${referralCode}.`);
  expect(await world.listActions(`member:${memberId}`)).toEqual(['member.register']);
  expect(await world.count('identity.member', `id = ${memberId} and terms_accepted_at is not null`)).toBe(1);
  const other = await world.signUp();
  expect(await world.count('identity.member', `id = ${other.memberId} and terms_accepted_at is null`)).toBe(1);
  expect(await world.count('identity.member', `password_hash like '%${password}%'`)).toBe(0);
});

test('a sponsor is notified with the name; the company is not', async () => {
  const sponsor = await world.signUp();
  await world.signUp({ referralCode: sponsor.referralCode.toLowerCase(), name: 'Carla' });
  expect(await world.listMessages(sponsor.memberId)).toEqual(['Carla joined your team.']);
  expect(await world.listMessages(1n)).toEqual([]);
});

test('ids already in use are drawn again', async () => {
  const { referralCode } = await world.signUp();
  const codes = [referralCode, 'TRADEWIND', 'TWAAAAAAAA'];
  const input = { referralCode, mobileNumber: '+919876543210', name: 'Dora', email: 'dora@mail.test', password };
  expect(await registerMember(world.context, input, () => codes.shift() ?? '')).toMatchObject({
    referralCode: 'TWAAAAAAAA',
  });
});

test('when no free id is drawn the registration leaves nothing behind', async () => {
  const { referralCode } = await world.signUp();
  const before = await world.count('identity.member');
  const input = { referralCode, mobileNumber: '+919876543210', name: 'Eve', email: 'eve@mail.test', password };
  await expect(registerMember(world.context, input, () => referralCode)).rejects.toThrow('no free Registered Id');
  expect(await world.count('identity.member')).toBe(before);
  expect(await world.emailsTo('eve@mail.test')).toEqual([]);
});

test('names of many members are read together; unknown ids are omitted; one unknown member is refused', async () => {
  const { memberId } = await world.signUp({ name: 'Gustav' });
  const names = await listMemberNames(world.database.db, [memberId, 1n, 987_654n]);
  expect([...names].sort()).toEqual(
    [
      [1n, 'Tradewind'],
      [memberId, 'Gustav'],
    ].sort(),
  );
  await expect(getMember(world.database.db, 987_654n)).rejects.toMatchObject({ code: 'not_found' });
});

test('a changed company code or brand changes the company, not its id', async () => {
  const renamed = testContext(world.database, world.clock, { COMPANY_CODE: 'NORTHWIND', BRAND_NAME: 'Northwind' });
  expect(await ensureCompany(renamed)).toBe(1n);
  expect(await findSponsorName(renamed, 'NORTHWIND')).toBe('Northwind');
  await expect(findSponsorName(renamed, 'TRADEWIND')).rejects.toMatchObject({ code: 'unknown_invitation' });
  await ensureCompany(world.context);
  expect(await world.listActions('member:1')).toEqual(['company.create', 'company.update', 'company.update']);
});

test('freezing restricts a member, who may sign in; notified and audited once; the company is exempt', async () => {
  const { memberId, referralCode, input } = await world.signUp();
  const freeze = (id: bigint) =>
    inTransaction(world.database.db, (tx) =>
      freezeMember(tx, {
        memberId: id,
        actor,
        why: 'payment taken back',
        now: world.context.now(),
      }),
    );
  expect([await freeze(memberId), await freeze(memberId), await freeze(1n)]).toEqual([true, false, false]);
  expect(await listFrozenMembers(world.database.db)).toEqual([memberId]);
  expect(await findCaller(world.context, await world.signIn(referralCode))).toMatchObject({ memberId });
  expect((await getMember(world.database.db, memberId)).frozenAt).toEqual(new Date('2026-03-04T12:00:00Z'));
  expect((await findWithdrawer(memberId)).frozenAt).toEqual(new Date('2026-03-04T12:00:00Z'));
  expect(await world.listMessages(memberId)).toEqual(['Your account was frozen. Open Query to write to support.']);
  expect((await world.emailsTo(input.email)).map((mail) => mail.subject)).toContain('Your account was frozen');
  expect(await world.listActions(`member:${memberId}`)).toEqual(['member.register', 'member.freeze', 'member.sign_in']);
});

test('verification is set and removed, audited with the reason and notified; a repeat changes nothing', async () => {
  const { memberId } = await world.signUp();
  expect(await verify(memberId, false)).toBe(false);
  expect(await verify(memberId, true)).toBe(true);
  const since = world.context.now();
  world.clock.advance(3600);
  expect(await verify(memberId, true)).toBe(false);
  expect((await findWithdrawer(memberId)).verifiedAt).toEqual(since);
  expect(await verify(memberId, false)).toBe(true);
  expect((await findWithdrawer(memberId)).verifiedAt).toBeNull();
  expect(await world.listActions(`member:${memberId}`)).toEqual([
    'member.register',
    'member.verify',
    'member.unverify',
  ]);
  const why = `subject = 'member:${memberId}' and after->>'why' = 'passport seen'`;
  expect(await world.count('audit.entry', why)).toBe(2);
  expect(await world.listMessages(memberId)).toEqual([
    'Your account was verified.',
    'Your account is no longer verified. Open Query to write to support.',
  ]);
});

test('the company cannot withdraw and cannot be verified', async () => {
  expect(await verify(world.companyId, true)).toBe(false);
  await expect(findWithdrawer(world.companyId)).rejects.toThrow('only members withdraw');
});

test('the first operator comes from the configuration, once', async () => {
  const sign = world.signInAsOperator;
  const admin = { ADMIN_EMAIL: 'Admin@mail.test', ADMIN_PASSWORD: 'gale force nine' };
  await ensureFirstAdmin(world.context);
  expect(await world.count('identity.operator')).toBe(0);
  await ensureFirstAdmin(testContext(world.database, world.clock, admin));
  await ensureFirstAdmin(testContext(world.database, world.clock, { ...admin, ADMIN_PASSWORD: 'another word 9' }));
  await ensureFirstAdmin(testContext(world.database, world.clock, { ...admin, ADMIN_EMAIL: 'b@mail.test' }));
  expect(await world.count('identity.operator')).toBe(1);
  expect((await sign('admin@MAIL.test', 'gale force nine')).operator).toEqual({
    id: 1n,
    email: 'Admin@mail.test',
    name: 'Administrator',
    role: 'admin',
  });
  await expect(sign('admin@mail.test', 'another word 9')).rejects.toMatchObject({ code: 'wrong_operator_login' });
  expect(await world.listActions('operator:1')).toEqual(['operator.create', 'operator.sign_in']);
});

test('outside paper mode a well-known password creates no first operator', async () => {
  const other = await openWorld({
    MODE: 'staging',
    SMTP_URL: 'smtp://127.0.0.1:1',
    ADMIN_EMAIL: 'admin@mail.test',
    ADMIN_PASSWORD: 'password123',
  });
  await expect(ensureFirstAdmin(other.context)).rejects.toThrow(BadConfig);
  expect(await other.count('identity.operator')).toBe(0);
  await other.close();
});
