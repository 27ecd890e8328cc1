import { base32nopad } from '@scure/base';
import { beforeEach, describe, expect, test } from 'vitest';
import { ensureCompany, executeDueOperatorChanges, mountOperators } from '#server/accounts/index.ts';
import { listEmails } from '#server/notify/index.ts';
import { mountConsole } from '#server/operator/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { refusal, success, testApp } from '#test/worlds/app.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { codeAt, makeOperator, OPERATOR_PASSWORD, type TestOperator, wrongCode } from '#test/worlds/operators.ts';

const NEW_PASSWORD = 'seven tidal creeks';
const clock = testClock();
let admin: TestOperator;
let colleague: TestOperator;
const database = closeAfterAll(await openTestDatabase());
const context = testContext(database, clock, { SIGN_IN_LIMIT: '100000', PUBLIC_URL: 'https://tradewind.test' });
await ensureCompany(context);
const app = closeAfterAll(await testApp(context, mountOperators, mountConsole));
// Earlier counts and sign-ins have expired.
beforeEach(async () => {
  clock.advance(86_400);
  [admin, colleague] = [await makeOperator(context, 'admin'), await makeOperator(context, 'admin')];
});

const login = (email: string, password = OPERATOR_PASSWORD) =>
  app.ask('POST', 'operator/login', { body: { email, password } });
const signIn = async (operator: TestOperator, password = OPERATOR_PASSWORD): Promise<string> => {
  const { challenge } = (await login(operator.email, password)).body.data;
  const reply = await app.ask('POST', 'operator/otp-verify', { body: { challenge, otp: await operator.code() } });
  return reply.body.data.access_token;
};
const newestToken = async (email: string): Promise<string> => {
  const { items } = await listEmails(database.db, { limit: 100 });
  const mail = items.find((item) => item.to_address === email && item.text.includes('/operator/invitation#'));
  return /invitation#(\S+)/.exec(mail?.text ?? '')?.[1] ?? 'none';
};

test('from proposal to working colleague: invited, approved, emailed a day later, password, app, console', async () => {
  const invited = await app.ask('POST', 'operator/operators', {
    token: admin.token,
    body: { name: 'Olga Berg', email: 'Olga@Mail.test', role: 'finance', why: 'payouts', otp: await admin.code() },
  });
  expect(invited).toMatchObject(
    success({
      kind: 'invite',
      state: 'waiting',
      email: 'olga@mail.test',
      needs_approval: true,
      may_approve: false,
      proposed_by: { id: admin.operatorId.toString() },
      due_at: null,
    }),
  );
  const { id } = invited.body.data;
  const seen = await app.ask('GET', 'operator/proposals?open=true', { token: colleague.token });
  expect(seen.body.data).toMatchObject({ items: [{ id, may_approve: true }], next_cursor: null });
  const approved = await app.ask('POST', `operator/proposals/${id}/approve`, {
    token: colleague.token,
    body: { otp: await colleague.code() },
  });
  const due = new Date(clock.now().getTime() + 86_400_000).toISOString();
  expect(approved.body.data).toMatchObject({ state: 'approved', due_at: due });
  clock.advance(86_400);
  await executeDueOperatorChanges(context);

  const token = await newestToken('olga@mail.test');
  const shown = await app.ask('POST', 'operator/invitation', { body: { token } });
  const expires = new Date(clock.now().getTime() + 2 * 86_400_000).toISOString();
  expect(shown.body.data).toEqual({
    name: 'Olga Berg',
    email: 'olga@mail.test',
    role: 'finance',
    expires_at: expires,
  });
  const weak = await app.ask('POST', 'operator/invitation/accept', { body: { token, password: 'olgaberg1' } });
  expect(weak).toMatchObject(refusal(422, 'weak_password'));
  const accepted = await app.ask('POST', 'operator/invitation/accept', { body: { token, password: NEW_PASSWORD } });
  expect(accepted.body.data).toMatchObject({ second_factor: false, operator: { role: 'finance' } });
  const session = accepted.body.data.access_token;
  for (const body of [{ token }, { token: 'x' }]) {
    expect(await app.ask('POST', 'operator/invitation', { body })).toMatchObject(refusal(422, 'invitation_over'));
  }

  expect(await app.ask('GET', 'operator/audit', { token: session })).toMatchObject(
    refusal(403, 'second_factor_missing'),
  );
  const me = await app.ask('GET', 'operator/me', { token: session });
  expect(me.body.data).toMatchObject({ second_factor: false, operator: { name: 'Olga Berg' } });
  const begun = await app.ask('POST', 'operator/totp/start', { token: session, body: { password: NEW_PASSWORD } });
  const otp = codeAt(base32nopad.decode(begun.body.data.secret), clock.now());
  await app.ask('POST', 'operator/totp/confirm', { token: session, body: { otp } });
  expect(await app.ask('GET', 'operator/audit', { token: session })).toMatchObject({ status: 200 });
  expect(await app.ask('GET', 'operator/operators', { token: session })).toMatchObject(refusal(403, 'not_allowed'));
});

describe('decisions about operators', () => {
  const ask = async (path: string, body: Record<string, unknown> = {}, method: 'POST' | 'PUT' = 'POST') =>
    app.ask(method, `operator/operators/${path}`, {
      token: admin.token,
      body: { why: 'because', otp: await admin.code(), ...body },
    });

  test('are listed with their state, the caller marked', async () => {
    const { body } = await app.ask('GET', 'operator/operators', { token: admin.token });
    const find = (id: bigint) => body.data.find((row: { id: string }) => row.id === id.toString());
    expect(find(admin.operatorId)).toMatchObject({
      state: 'active',
      role: 'admin',
      sign_ins: 1,
      last_used_at: clock.now().toISOString(),
      invitation_expires_at: null,
      self: true,
    });
    expect(find(colleague.operatorId)).toMatchObject({ self: false, disabled_at: null });
  });

  test('change role, are reset, disabled and emailed again; each answer shows the result', async () => {
    const id = colleague.operatorId.toString();
    const lowered = await ask(`${id}/role`, { role: 'finance' }, 'PUT');
    expect(lowered.body.data).toMatchObject({ operator: { id, role: 'finance', sign_ins: 0 }, proposal: null });
    const raised = await ask(`${id}/role`, { role: 'admin' }, 'PUT');
    expect(raised.body.data).toMatchObject({
      operator: { role: 'finance' },
      proposal: { kind: 'raise', role: 'admin' },
    });
    expect(await ask(`${id}/reset`)).toMatchObject(refusal(409, 'proposal_waiting'));
    const withdrawn = await app.ask('POST', `operator/proposals/${raised.body.data.proposal.id}/withdraw`, {
      token: admin.token,
      body: { otp: await admin.code() },
    });
    expect(withdrawn.body.data).toMatchObject({
      state: 'withdrawn',
      withdrawn_by: { id: admin.operatorId.toString() },
      ended_at: clock.now().toISOString(),
    });
    expect((await ask(`${id}/reset`)).body.data).toMatchObject({ kind: 'reset', state: 'waiting' });
    const resent = await app.ask('POST', `operator/operators/${id}/invitation`, {
      token: admin.token,
      body: { otp: await admin.code() },
    });
    expect(resent).toMatchObject(refusal(409, 'operator_not_invited'));
    expect((await ask(`${id}/disable`)).body.data).toMatchObject({ id, state: 'disabled' });
    expect(await ask('999999/disable')).toMatchObject(refusal(404, 'operator_not_found'));
  });
});

describe('an operator’s own sign-ins', () => {
  test('last eight hours regardless of use, and end by sign-out', async () => {
    const { body } = await app.ask('GET', 'operator/me', { token: admin.token });
    const ends = new Date(clock.now().getTime() + 8 * 3_600_000).toISOString();
    expect(body.data).toEqual({
      operator: { id: admin.operatorId.toString(), name: 'Op admin', email: admin.email, role: 'admin' },
      second_factor: true,
      missing: null,
      app: true,
      passkeys: 0,
      session: { id: expect.stringMatching(/^\d+$/), created_at: clock.now().toISOString(), expires_at: ends },
    });
    clock.advance(8 * 3600 - 1);
    expect(await app.ask('GET', 'operator/me', { token: admin.token })).toMatchObject({ status: 200 });
    clock.advance(1);
    expect(await app.ask('GET', 'operator/me', { token: admin.token })).toMatchObject(refusal(401, 'session_required'));
    const token = await signIn(colleague);
    expect(await app.ask('POST', 'operator/logout', { token })).toMatchObject({ status: 200 });
    expect(await app.ask('GET', 'operator/me', { token })).toMatchObject(refusal(401, 'session_required'));
  });

  test('cannot guess the password that a change of it requires', async () => {
    const token = await signIn(colleague);
    const guess = (current_password: string, otp: string) =>
      app.ask('PUT', 'operator/password', { token, body: { current_password, password: NEW_PASSWORD, otp } });
    for (let tried = 0; tried < 10; tried += 1)
      expect(await guess(`guess ${tried}`, '000000')).toMatchObject(refusal(422, 'wrong_password'));
    expect(await guess(OPERATOR_PASSWORD, await colleague.code())).toMatchObject(refusal(429, 'too_many_requests'));
  });

  test('have ten tries again once the password was changed', async () => {
    const token = await signIn(colleague);
    const change = async (current_password: string) =>
      app.ask('PUT', 'operator/password', {
        token,
        body: { current_password, password: NEW_PASSWORD, otp: await colleague.code() },
      });
    for (let tried = 0; tried < 9; tried += 1) await change(`guess ${tried}`);
    expect(await change(OPERATOR_PASSWORD)).toMatchObject({ status: 200 });
    expect(await change(OPERATOR_PASSWORD)).toMatchObject(refusal(422, 'wrong_password'));
  });

  test('end except one when the password changes, which requires the old one and a code', async () => {
    const second = await signIn(admin);
    const change = async (body: Record<string, string>) =>
      app.ask('PUT', 'operator/password', {
        token: second,
        body: { current_password: OPERATOR_PASSWORD, password: NEW_PASSWORD, otp: await admin.code(), ...body },
      });
    expect(await change({ current_password: 'another word 9' })).toMatchObject(refusal(422, 'wrong_password'));
    expect(await change({ password: 'password123' })).toMatchObject(refusal(422, 'weak_password'));
    const wrong = wrongCode(await admin.code());
    expect(await change({ otp: wrong })).toMatchObject(refusal(422, 'wrong_second_factor'));
    expect(await change({})).toMatchObject({ status: 200 });
    expect(await app.ask('GET', 'operator/me', { token: second })).toMatchObject({ status: 200 });
    expect(await app.ask('GET', 'operator/me', { token: admin.token })).toMatchObject(refusal(401, 'session_required'));
    expect(await login(admin.email)).toMatchObject(refusal(422, 'wrong_operator_login'));
    expect(await signIn(admin, NEW_PASSWORD)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const { items } = await listEmails(database.db, { limit: 10 });
    expect(items.find((mail) => mail.to_address === admin.email)?.subject).toContain('password was changed');
  });
});
