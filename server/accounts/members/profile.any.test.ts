import { beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { sendDueEmails } from '#server/notify/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { success, testApp } from '#test/worlds/app.ts';
import { freeze, mountAccounts } from '#test/worlds/members.ts';
import { codeAt, wrongCode } from '#test/worlds/operators.ts';
import { setUpApp } from '#test/worlds/second-factor.ts';
import { address, openWorld, password } from '../accounts-world.test-setup.ts';
import { insertEmailRequest } from '../email-change/request-email-change.ts';
import { answerResetRequests, findCaller, listContacts, lockWithdrawer, sendEmailOtp, setVerified } from '../index.ts';
import { requestReset } from '../passwords/reset-password.ts';

const world = closeAfterAll(await openWorld({ BLOCKED_COUNTRIES: '+44' }));
const app = closeAfterAll(await testApp(world.context, mountAccounts));
beforeEach(() => world.clock.advance(3600));

const makeAccount = async () => {
  const account = await world.signUp();
  return { ...account, token: await world.signIn(account.referralCode) };
};
const send = (memberId: bigint, email: string) =>
  inTransaction(world.database.db, (tx) =>
    sendEmailOtp(tx, 'Tradewind', { memberId, email, now: world.context.now(), address }),
  );
const codeTo = async (email: string, about = 'The code is') =>
  /The code is (\d{6})\./.exec(
    (await world.emailsTo(email)).findLast(({ text }) => text.includes(about))?.text ?? '',
  )?.[1] ?? 'no code';
const change = (token: string, email: string, otp: string, more: Record<string, unknown> = {}) =>
  app.ask('PUT', 'auth/email', { token, body: { email, otp, password, ...more } });
/** The code that the current mailbox got for a change to this address. */
const oldCodeFor = (own: string, email: string) => codeTo(own, `changes to ${email}.`);
const security = async (token: string) => (await app.ask('GET', 'auth/security', { token })).body.data;
const securityChangedAt = (memberId: bigint) =>
  inTransaction(world.database.db, async (tx) => (await lockWithdrawer(tx, memberId)).securityChangedAt);

describe('the email address', () => {
  test('is verified by the code emailed to it, and nothing else changes', async () => {
    const { memberId, input, token, referralCode } = await makeAccount();
    const other = await world.signIn(referralCode);
    const sent = await send(memberId, input.email);
    expect(sent.sentTo).toBe('m•••@mail.test');
    expect(await change(token, input.email, await codeTo(input.email))).toMatchObject(success({ email: input.email }));
    expect(await security(token)).toMatchObject({ email_verified: true });
    expect(await findCaller(world.context, other)).toBeDefined();
    expect(await securityChangedAt(memberId)).toBeNull();
    expect((await world.listActions(`member:${memberId}`)).at(-1)).toBe('member.verify_email');
  });

  test('once verified, gets its account’s codes even after strangers used up the day’s emails to it', async () => {
    const { memberId, input, token, referralCode } = await makeAccount();
    const { email } = input;
    await send(memberId, email);
    await change(token, email, await codeTo(email));
    const strangers = [await world.signUp({ email }), await world.signUp({ email })];
    for (let minute = 0; minute < 18; minute += 1) {
      for (const stranger of strangers) {
        await send(stranger.memberId, email);
        if (minute < 11) await requestReset(world.context, { loginId: stranger.referralCode, address });
      }
      await answerResetRequests(world.context);
      world.clock.advance(60);
    }
    await send(memberId, email);
    await requestReset(world.context, { loginId: referralCode, address });
    await answerResetRequests(world.context);
    const received: string[] = [];
    const transport = { send: async ({ text }: { text: string }) => void received.push(text), close: () => undefined };
    expect((await sendDueEmails(world.context, transport)).capped).toBeGreaterThan(0);
    expect(received.filter((text) => text.includes(referralCode) && text.includes('The code is'))).toHaveLength(2);
    expect(received.filter((text) => text.includes(`for the Registered Id ${referralCode} is`))).toHaveLength(1);
    // With several accounts on the address, the email belongs to the one that verified it and is forgotten with it.
    world.clock.advance(24 * 3600);
    await requestReset(world.context, { loginId: email, address });
    await answerResetRequests(world.context);
    const waiting = `state = 'waiting' and to_address = '${email}'`;
    expect(await world.count('notify.mail', `${waiting} and kind is null and member_id = ${memberId}`)).toBe(1);
    expect(await world.count('notify.mail', waiting)).toBe(1);
  });

  test('a change verifies it and moves later emails; the old one is notified, other devices signed out', async () => {
    const { memberId, input, token, referralCode } = await makeAccount();
    const other = await world.signIn(referralCode);
    const next = 'anna.new@mail.test';
    await send(memberId, next);
    const mail = (await world.emailsTo(next)).at(-1);
    expect(mail?.text).toContain(`the Registered Id ${referralCode} confirms the email address ${next}`);
    const otp = await codeTo(next);
    const old_otp = await oldCodeFor(input.email, next);
    expect(await change(token, next, otp, { old_otp })).toMatchObject({ status: 200, body: { data: { email: next } } });
    expect(await security(token)).toMatchObject({ email_verified: true });
    expect((await app.ask('GET', 'auth/me', { token })).body.data.user.email).toBe(next);
    expect(await findCaller(world.context, other)).toBeUndefined();
    expect(await securityChangedAt(memberId)).toEqual(world.clock.now());
    const told = (await world.emailsTo(input.email)).at(-1);
    expect(told?.subject).toBe('The email address of your Tradewind account was changed');
    expect(told?.text).toContain('a•••@mail.test');
    expect(told?.text).not.toContain(next);
    expect((await world.emailsTo(next)).at(-1)?.text).toBe(told?.text);
    expect(told?.text).toContain('press This was not me: http');
    expect(await change(token, next, otp)).toMatchObject({ status: 422, body: { code: 'wrong_otp' } });
    expect(await world.count('audit.entry', `entry::text like '%${next}%'`)).toBe(0);
    await freeze(world.context, memberId);
    expect((await world.emailsTo(next)).at(-1)?.subject).toBe('Your account was frozen');
  });

  test('accepts the code of exactly this address and account, with the password', async () => {
    const { memberId, token, input } = await makeAccount();
    await send(memberId, 'right@mail.test');
    const otp = await codeTo('right@mail.test');
    const old_otp = await oldCodeFor(input.email, 'right@mail.test');
    const refused = async (email: string, code: string) => (await change(token, email, code, { old_otp })).body.code;
    expect(await refused('left@mail.test', otp)).toBe('wrong_otp');
    expect(await refused('right@mail.test', wrongCode(otp))).toBe('wrong_otp');
    for (const more of [{}, { old_otp: wrongCode(old_otp) }, ...(old_otp === otp ? [] : [{ old_otp: otp }])]) {
      expect(await change(token, 'right@mail.test', otp, more)).toMatchObject({
        status: 422,
        body: { code: 'wrong_otp', validation_results: [{ field: 'old_otp' }] },
      });
    }
    const wrongPassword = await change(token, 'right@mail.test', otp, { old_otp, password: 'another word 9' });
    expect(wrongPassword.body).toMatchObject({
      code: 'wrong_password',
      validation_results: [{ field: 'password' }],
    });
    const other = await makeAccount();
    expect((await change(other.token, 'right@mail.test', otp, { old_otp })).body.code).toBe('wrong_otp');
    expect((await app.ask('GET', 'auth/me', { token })).body.data.user.email).toBe(input.email);
    expect((await change(token, 'right@mail.test', otp, { old_otp })).status).toBe(200);
  });

  test('requires the app’s code to change if there is an app; verifying it requires none', async () => {
    const { memberId, token, input } = await makeAccount();
    const secret = await setUpApp(app, token, world.context, password);
    await send(memberId, input.email);
    expect((await change(token, input.email, await codeTo(input.email))).status).toBe(200);
    world.clock.advance(60);
    await send(memberId, 'next@mail.test');
    const otp = await codeTo('next@mail.test');
    const old_otp = await oldCodeFor(input.email, 'next@mail.test');
    const right = codeAt(secret, world.clock.now());
    const refusal = (code: string) => ({
      status: 422,
      body: { code, validation_results: [{ field: 'second_factor' }] },
    });
    expect(await change(token, 'next@mail.test', otp, { old_otp })).toMatchObject(refusal('second_factor_required'));
    const wrong = { old_otp, second_factor: wrongCode(right) };
    expect(await change(token, 'next@mail.test', otp, wrong)).toMatchObject(refusal('wrong_second_factor'));
    expect((await app.ask('GET', 'auth/me', { token })).body.data.user.email).toBe(input.email);
    expect((await change(token, 'next@mail.test', otp, { old_otp, second_factor: right })).status).toBe(200);
  });

  test('a change from the old mailbox ends pending requests made without it and notifies both addresses', async () => {
    const { memberId, token, input } = await makeAccount();
    const draft = { memberId, email: 'elsewhere@mail.test', now: world.clock.now() };
    await inTransaction(world.database.db, (tx) => insertEmailRequest(tx, draft));
    await send(memberId, 'kept@mail.test');
    const [otp, old_otp] = [await codeTo('kept@mail.test'), await oldCodeFor(input.email, 'kept@mail.test')];
    expect((await change(token, 'kept@mail.test', otp, { old_otp })).status).toBe(200);
    expect(await security(token)).toMatchObject({ email_request: null });
    for (const to of [input.email, draft.email]) {
      const told = (await world.emailsTo(to)).map(({ text }) => text);
      expect(told).toContainEqual(expect.stringMatching(/^The requested change of the email address .* was withdrawn/));
    }
    expect(await world.listActions(`member:${memberId}`)).toContain('member.end_email_change');
  });

  test('after changes, all former ones get security emails for seven days, and no longer', async () => {
    const { memberId, token, input, referralCode } = await makeAccount();
    for (const [from, to] of [
      [input.email, 'moved@mail.test'],
      ['moved@mail.test', 'again@mail.test'],
    ] as const) {
      world.clock.advance(60);
      await send(memberId, to);
      const [otp, old_otp] = [await codeTo(to), await oldCodeFor(from, to)];
      expect((await change(token, to, otp, { old_otp })).status).toBe(200);
    }
    const told = async (to: string) =>
      (await world.emailsTo(to)).filter(({ subject }) => subject === 'Your Tradewind password was changed').length;
    world.clock.advance(3600);
    const changed = { current_password: password, password: 'gale force nine' };
    expect((await app.ask('PUT', 'auth/password', { token, body: changed })).status).toBe(200);
    const all = [input.email, 'moved@mail.test', 'again@mail.test'];
    expect(await Promise.all(all.map(told))).toEqual([1, 1, 1]);
    world.clock.advance(7 * 86_400);
    const later = await world.signIn(referralCode, { password: 'gale force nine' });
    const body = { current_password: 'gale force nine', password };
    expect((await app.ask('PUT', 'auth/password', { token: later, body })).status).toBe(200);
    expect(await Promise.all(all.map(told))).toEqual([1, 1, 2]);
  });

  test('of a frozen account cannot be changed', async () => {
    const { memberId, token } = await makeAccount();
    await send(memberId, 'late@mail.test');
    const otp = await codeTo('late@mail.test');
    await freeze(world.context, memberId);
    expect(await change(token, 'late@mail.test', otp)).toMatchObject({ status: 403, body: { code: 'account_frozen' } });
    world.clock.advance(60);
    await expect(send(memberId, 'late@mail.test')).rejects.toMatchObject({ code: 'account_frozen' });
  });
});

describe('name and mobile number', () => {
  const update = (token: string, body: Record<string, unknown>) => app.ask('PUT', 'auth/profile', { token, body });
  const details = { name: 'Anna Berg-Sund', mobile_number: '+479876543210' };

  test('are changed, notified and audited without their text', async () => {
    const { memberId, token, input } = await makeAccount();
    expect(await update(token, details)).toMatchObject({ status: 200, body: { data: details } });
    expect((await app.ask('GET', 'auth/me', { token })).body.data.user).toMatchObject(details);
    expect((await world.listMessages(memberId)).at(-1)).toBe('Your name and mobile number were changed.');
    expect((await world.listActions(`member:${memberId}`)).at(-1)).toBe('member.update_profile');
    expect(await world.count('audit.entry', `entry::text like '%Berg-Sund%'`)).toBe(0);
    await freeze(world.context, memberId);
    expect((await world.emailsTo(input.email)).at(-1)?.to_name).toBe(details.name);
  });

  test('lose the verification with a new name and keep it with a new number', async () => {
    const { memberId, token, input } = await makeAccount();
    const isVerified = async () =>
      (await listContacts(world.database.db, [memberId])).get(memberId)?.verifiedAt !== null;
    const actor = { kind: 'system', id: null } as const;
    const verify = { memberId, verified: true, actor, why: 'passport seen', now: world.context.now() };
    await inTransaction(world.database.db, (tx) => setVerified(tx, verify));
    await update(token, { ...details, name: input.name });
    expect(await isVerified()).toBe(true);
    await update(token, details);
    expect(await isVerified()).toBe(false);
    expect((await world.listActions(`member:${memberId}`)).slice(-2)).toEqual([
      'member.update_profile',
      'member.unverify',
    ]);
    expect((await world.listMessages(memberId)).slice(-2)).toEqual([
      'Your name was changed.',
      'Your account is no longer verified. Open Query to write to support.',
    ]);
  });

  test('an unchanged value changes and notifies nothing', async () => {
    const { memberId, token } = await makeAccount();
    await update(token, details);
    await update(token, details);
    const actions = await world.listActions(`member:${memberId}`);
    expect(actions.filter((action) => action === 'member.update_profile')).toHaveLength(1);
    await update(token, { ...details, name: 'Anna Sund' });
    expect((await world.listMessages(memberId)).at(-1)).toBe('Your name was changed.');
  });

  test.each([
    [{ ...details, name: '' }, 'name'],
    [{ ...details, name: 'Anna\r\nBcc: x@mail.test' }, 'name'],
    [{ ...details, mobile_number: '9876543210' }, 'mobile_number'],
    [{ ...details, mobile_number: '+915876543210' }, 'mobile_number'],
    [{ ...details, email: 'x@mail.test' }, 'email'],
  ])('follow the rules of registration: %j names %s', async (body, field) => {
    const { token } = await makeAccount();
    expect(await update(token, body)).toMatchObject({
      status: 422,
      body: { code: 'validation', validation_results: [{ field }] },
    });
  });

  test('refuse a number of a country that cannot register; a frozen account changes nothing', async () => {
    const { memberId, token } = await makeAccount();
    expect(await update(token, { ...details, mobile_number: '+449876543210' })).toMatchObject({
      status: 403,
      body: { code: 'country_blocked' },
    });
    await freeze(world.context, memberId);
    expect(await update(token, details)).toMatchObject({ status: 403, body: { code: 'account_frozen' } });
  });
});
