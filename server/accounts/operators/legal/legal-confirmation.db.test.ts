import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { testApp } from '#test/worlds/app.ts';
import { mountAccounts } from '#test/worlds/members.ts';
import { addOperatorPasskey, makeOperator, OPERATOR_PASSWORD } from '#test/worlds/operators.ts';
import { address } from '../../accounts-world.test-setup.ts';
import { mountOperators } from '../../index.ts';
import { changeOperatorRole, disableOperator } from '../accounts/change-operator.ts';
import { openOperators } from '../accounts/operator-accounts.test-setup.ts';
import { approveOperatorChange, resetOperator } from '../accounts/operator-change.ts';
import { removePasskey } from '../operator-passkeys.ts';
import { registerOperator } from '../register-operator.ts';
import { askLegalContact, confirmAdmin, findPayoutNeeds } from './legal-confirmation.ts';

const DAY = 86_400;
const LAWYER = 'legal@company.test';
const world = closeAfterAll(await openOperators());
const { context } = world;
const inMode = (mode: 'paper' | 'staging' | 'live', legalContactEmail: string | undefined = LAWYER): Context => ({
  ...context,
  config: { ...context.config, mode, legalContactEmail },
});
const live = inMode('live');
const app = closeAfterAll(await testApp(live, mountAccounts, mountOperators));
beforeEach(async () => {
  world.clock.advance(8 * DAY);
  // Operators of earlier tests must not count as a second admin here.
  await world.database.runScript(`
    delete from identity.legal_confirmation;
    update identity.operator set disabled_at = now() where disabled_at is null`);
});

const tokens = async () =>
  (await world.emailsTo(LAWYER)).flatMap(
    ({ text }) => /https:\/\/tradewind\.test\/confirm-admin#([A-Za-z0-9_-]{43})\n/.exec(text)?.[1] ?? [],
  );
const lastToken = async () => (await tokens()).at(-1) ?? 'no link was mailed';
const show = (token: string) => app.ask('POST', 'operator/legal-confirmation', { body: { token } });
const confirm = (token: string) => app.ask('POST', 'operator/legal-confirmation/confirm', { body: { token } });
const over = { status: 422, body: { code: 'confirmation_over' } };
const needs = (of = live) => findPayoutNeeds(of, context.db);
const makeAdmin = async () => {
  const admin = await makeOperator(context, 'admin');
  return { ...admin, ...(await addOperatorPasskey(context, admin)) };
};
const makeConfirmed = async () => {
  const admin = await makeAdmin();
  await askLegalContact(live);
  await confirmAdmin(live, { token: await lastToken(), address });
  return admin;
};

describe('live payouts', () => {
  test('require two confirmed admins, on live only', async () => {
    expect(await needs()).toEqual({ hasContact: true, confirmedAdmins: 0, neededAdmins: 2 });
    expect(await needs({ ...live, config: { ...live.config, legalContactEmail: undefined } })).toMatchObject({
      hasContact: false,
    });
    expect([await needs(inMode('paper')), await needs(inMode('staging'))]).toEqual([null, null]);
    await makeConfirmed();
    expect(await needs()).toMatchObject({ confirmedAdmins: 1 });
    await makeConfirmed();
    expect(await needs()).toBeNull();
  });
});

describe('the legal contact', () => {
  test('is asked once about each admin with a passkey, and again after a week', async () => {
    await makeOperator(context, 'admin');
    const finance = await makeOperator(context, 'finance');
    await addOperatorPasskey(context, finance);
    expect(await askLegalContact(live)).toBe(0);
    const admin = await makeAdmin();
    expect(await askLegalContact(inMode('staging'))).toBe(0);
    expect(await askLegalContact({ ...live, config: { ...live.config, legalContactEmail: undefined } })).toBe(0);
    expect(await askLegalContact(live)).toBe(1);
    const mail = (await world.emailsTo(LAWYER)).at(-1);
    expect(mail?.subject).toBe('Confirm an admin of Tradewind: Op admin');
    expect(mail?.text).toContain(
      `Op admin (${admin.email}) is an admin of Tradewind and signs in with a passkey: Laptop.`,
    );
    expect(await askLegalContact(live)).toBe(0);
    const first = await lastToken();
    world.clock.advance(7 * DAY);
    expect(await show(first)).toMatchObject(over);
    expect(await askLegalContact(live)).toBe(1);
    expect(await lastToken()).not.toBe(first);
  });

  test('is asked again at a new address, and the old link stops working', async () => {
    await makeAdmin();
    await askLegalContact(live);
    const old = await lastToken();
    expect(await askLegalContact(inMode('live', 'new@company.test'))).toBe(1);
    expect(await confirm(old)).toMatchObject(over);
  });

  test('sees who is to be confirmed, and confirms with the button, once', async () => {
    const admin = await makeAdmin();
    await askLegalContact(live);
    const token = await lastToken();
    for (let looks = 0; looks < 2; looks += 1) {
      expect((await show(token)).body.data).toEqual({
        name: 'Op admin',
        email: admin.email,
        passkeys: ['Laptop'],
        expires_at: new Date(context.now().getTime() + 7 * DAY * 1000).toISOString(),
      });
    }
    expect(await needs()).toMatchObject({ confirmedAdmins: 0 });
    expect(await confirm(token)).toMatchObject({ status: 200 });
    expect(await needs()).toMatchObject({ confirmedAdmins: 1 });
    for (const reply of [await confirm(token), await show(token), await confirm('no such token')]) {
      expect(reply).toMatchObject(over);
    }
    expect(await world.subjectsTo(admin)).toContain('admin confirmed');
    expect((await world.listActions(`operator:${admin.operatorId}`)).slice(-2)).toEqual([
      'operator.ask_legal_contact',
      'operator.confirm_by_legal_contact',
    ]);
    const audit = await world.count('audit.entry', `coalesce(after::text, '') like '%${token}%'`);
    const stored = await world.count('identity.legal_confirmation', `encode(token_hash, 'escape') like '%${token}%'`);
    expect([audit, stored]).toEqual([0, 0]);
    expect(await askLegalContact(live)).toBe(0);
  });

  test('who is an operator confirms nobody; a new contact is asked about admins the old one confirmed', async () => {
    const outside = inMode('live', 'new@company.test');
    await makeConfirmed();
    await makeConfirmed();
    await makeAdmin();
    await askLegalContact(live);
    const token = await lastToken();
    await registerOperator(context, {
      email: LAWYER.toUpperCase(),
      name: 'Nora',
      role: 'support',
      password: OPERATOR_PASSWORD,
    });
    expect(await needs()).toEqual({ hasContact: false, confirmedAdmins: 0, neededAdmins: 2 });
    expect(await show(token)).toMatchObject(over);
    expect(await confirm(token)).toMatchObject(over);
    expect(await askLegalContact(live)).toBe(0);
    expect(await askLegalContact(outside)).toBe(3);
    expect(await needs(outside)).toMatchObject({ hasContact: true, confirmedAdmins: 0 });
  });
});

describe('a confirmation ends', () => {
  const decide = async (by: Awaited<ReturnType<typeof makeAdmin>>) => ({
    operatorId: by.operatorId,
    otp: await by.confirm(),
    address,
  });
  const isOver = async (id: bigint) => {
    expect(await world.count('identity.legal_confirmation', `operator_id = ${id}`)).toBe(0);
    expect(await world.listActions(`operator:${id}`)).toContain('operator.end_legal_confirmation');
    expect(await needs()).toMatchObject({ confirmedAdmins: 1 });
  };

  test('with the role, and does not return with it', async () => {
    const [by, admin] = [await makeConfirmed(), await makeConfirmed()];
    await changeOperatorRole(context, await decide(by), { operatorId: admin.operatorId, role: 'finance', why: 'less' });
    await isOver(admin.operatorId);
  });

  test('with the account', async () => {
    const [by, admin] = [await makeConfirmed(), await makeConfirmed()];
    await disableOperator(context, await decide(by), { operatorId: admin.operatorId, why: 'left us' });
    await isOver(admin.operatorId);
  });

  test('with a reset', async () => {
    const [by, admin] = [await makeConfirmed(), await makeConfirmed()];
    const { id, state } = await resetOperator(context, await decide(by), { operatorId: admin.operatorId, why: 'lost' });
    if (state !== 'posted') await approveOperatorChange(context, await decide(await makeAdmin()), id);
    await isOver(admin.operatorId);
  });

  test('with the last passkey, not with one of two; another passkey keeps it', async () => {
    const [, admin] = [await makeConfirmed(), await makeConfirmed()];
    const token = await signIn(admin);
    const caller = { ...admin, kind: 'operator', role: 'admin', authSessionId: 0n, hasSecondFactor: true } as const;
    const body = { password: OPERATOR_PASSWORD, otp: await admin.confirm() };
    const started = await app.ask('POST', 'operator/passkeys/start', { token, body });
    const passkey = admin.device.create(started.body.data);
    const added = await app.ask('POST', 'operator/passkeys', { token, body: { name: 'Key', passkey } });
    expect(await needs()).toBeNull();
    const remove = async (id: string) =>
      removePasskey(context, caller, {
        id: BigInt(id),
        password: OPERATOR_PASSWORD,
        otp: await admin.confirm(),
        address,
      });
    await remove(admin.passkey.id);
    expect(await needs()).toBeNull();
    await remove(added.body.data.id);
    await isOver(admin.operatorId);
  });
});

const signIn = async (admin: Awaited<ReturnType<typeof makeAdmin>>): Promise<string> => {
  const login = { email: admin.email, password: OPERATOR_PASSWORD };
  const { challenge } = (await app.ask('POST', 'operator/login', { body: login })).body.data;
  const request = (await app.ask('POST', 'operator/passkey/start', { body: { challenge } })).body.data;
  const otp = admin.device.get(request);
  return (await app.ask('POST', 'operator/otp-verify', { body: { challenge, otp } })).body.data.access_token;
};
