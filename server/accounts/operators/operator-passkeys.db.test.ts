import { base32nopad } from '@scure/base';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PasskeyCreation, PasskeyRequest } from '#contract/accounts/passkeys.ts';
import type { operatorRoles } from '#contract/endpoint.ts';
import type { OperatorCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { makeAuthenticator } from '#test/worlds/authenticator.ts';
import { mountAccounts } from '#test/worlds/members.ts';
import {
  addOperatorPasskey,
  codeAt,
  makeOperator,
  OPERATOR_PASSWORD,
  type TestOperator,
  wrongCode,
} from '#test/worlds/operators.ts';
import { address } from '../accounts-world.test-setup.ts';
import { findCaller, mountOperators, registerOperator } from '../index.ts';
import { getRelyingParty } from '../passkeys/ceremonies.ts';
import { disableOperator } from './accounts/change-operator.ts';
import { openOperators } from './accounts/operator-accounts.test-setup.ts';
import { approveOperatorChange, resetOperator } from './accounts/operator-change.ts';
import { addPasskey, startPasskey } from './operator-passkeys.ts';
import { confirmOperator } from './operators.ts';

const ORIGIN = 'https://tradewind.test';
const world = closeAfterAll(await openOperators());
const { context } = world;
const live: Context = { ...context, config: { ...context.config, mode: 'live' } };
const app = closeAfterAll(await testApp(context, mountAccounts, mountOperators));
const liveApp = closeAfterAll(await testApp(live, mountAccounts, mountOperators));
// Codes and attempts of earlier tests are a day old.
beforeEach(() => world.clock.advance(86_400));

type App = typeof app;
const login = (email: string, on: App = app) =>
  on.ask('POST', 'operator/login', { body: { email, password: OPERATOR_PASSWORD } });
const post = (token: string, url: string, body: unknown = {}, on: App = app) =>
  on.ask('POST', `operator/${url}`, { token, body });
/** Signs in again: the tokens of the day before have expired. */
const signIn = async (operator: TestOperator, on: App = app): Promise<string> => {
  const { challenge } = (await login(operator.email, on)).body.data;
  const reply = await on.ask('POST', 'operator/otp-verify', { body: { challenge, otp: await operator.code() } });
  return reply.body.data.access_token;
};
const makePlain = async (on: App, role: (typeof operatorRoles)[number] = 'finance') => {
  const email = `plain.${crypto.randomUUID()}@mail.test`;
  await registerOperator(context, { email, name: 'Olga', role, password: OPERATOR_PASSWORD });
  const { access_token: token } = (await login(email, on)).body.data;
  return { email, token: token as string };
};
const finish = (token: string, creation: PasskeyCreation, device = makeAuthenticator(ORIGIN), on: App = app) =>
  post(token, 'passkeys', { name: 'Phone', passkey: device.create(creation) }, on);

describe('a first passkey', () => {
  test('is the second factor of an invited operator, without an app', async () => {
    const { email, token } = await makePlain(app);
    const started = await post(token, 'passkeys/start', { password: OPERATOR_PASSWORD });
    const device = makeAuthenticator(ORIGIN);
    const added = await finish(token, started.body.data, device);
    expect(added).toMatchObject({ status: 200, body: { data: { name: 'Phone', synced: false, last_used_at: null } } });
    const me = await app.ask('GET', 'operator/me', { token });
    expect(me.body.data).toMatchObject({ second_factor: true, missing: null, app: false, passkeys: 1 });

    const half = (await login(email)).body.data;
    expect(half).toEqual({ otp_required: true, challenge: expect.any(String), methods: ['passkey'] });
    const { challenge } = half;
    const request = await app.ask('POST', 'operator/passkey/start', { body: { challenge } });
    const otp = device.get(request.body.data as PasskeyRequest);
    const whole = await app.ask('POST', 'operator/otp-verify', { body: { challenge, otp } });
    expect(whole).toMatchObject({ status: 200, body: { data: { second_factor: true, missing: null } } });
    const again = await app.ask('POST', 'operator/otp-verify', { body: { challenge, otp } });
    expect(again).toMatchObject(refusal(422, 'wrong_second_factor', 'otp'));
    expect((await app.ask('POST', 'operator/passkey/start', { body: { challenge } })).body.code).toBe(
      'sign_in_expired',
    );
  });

  test('next to an app requires the password and a code, ends other sign-ins and is emailed', async () => {
    const operator = await makeOperator(context, 'finance');
    const other = await makeOperator(context, 'support');
    const [token, second] = [await signIn(operator), await signIn(operator)];
    const ask = (body: unknown) => post(token, 'passkeys/start', body);
    const password = OPERATOR_PASSWORD;
    expect(await ask({ password })).toMatchObject(refusal(422, 'second_factor_required', 'otp'));
    expect(await ask({ password, otp: '12345' })).toMatchObject(refusal(422, 'validation', 'otp'));
    const wrong = await ask({ password: 'another word 9', otp: await operator.code() });
    expect(wrong).toMatchObject(refusal(422, 'wrong_password', 'password'));
    const otp = await operator.code();
    const wrongReply = await ask({ password, otp: wrongCode(otp) });
    expect(wrongReply).toMatchObject(refusal(422, 'wrong_second_factor', 'otp'));
    const started = await ask({ password, otp });
    expect(await finish(token, started.body.data)).toMatchObject({ status: 200 });
    expect(await findCaller(context, second)).toBeUndefined();
    expect(await world.subjectsTo(operator)).toEqual(['passkey added']);
    expect(await world.subjectsTo(other)).toEqual(['passkey added']);
    expect((await world.listActions(`operator:${operator.operatorId}`)).slice(-2)).toEqual([
      'operator.start_passkey',
      'operator.add_passkey',
    ]);
    const { methods } = (await login(operator.email)).body.data;
    expect(methods).toEqual(['app', 'passkey']);
  });
});

describe('a passkey instead of a code', () => {
  test('confirms one decision, of its own operator only, and not with a response meant for a sign-in', async () => {
    const operator = await makeOperator(context, 'admin');
    const other = await makeOperator(context, 'admin');
    const { device, confirm } = await addOperatorPasskey(context, operator);
    const others = await addOperatorPasskey(context, other);
    const about = { operatorId: other.operatorId, why: 'left us' };
    const by = (otp: Awaited<ReturnType<typeof confirm>>) => ({ operatorId: operator.operatorId, otp, address });
    const refusedAtOtp = { code: 'passkey_refused', field: 'otp' };
    await expect(disableOperator(context, by(await others.confirm()), about)).rejects.toMatchObject(refusedAtOtp);

    const { challenge } = (await login(operator.email)).body.data;
    const asked = await app.ask('POST', 'operator/passkey/start', { body: { challenge } });
    const fromSignIn = device.get(asked.body.data);
    await expect(disableOperator(context, by(fromSignIn), about)).rejects.toMatchObject(refusedAtOtp);

    const answer = await confirm();
    await disableOperator(context, by(answer), about);
    await expect(confirmOperator(context, operator.operatorId, answer)).rejects.toMatchObject(refusedAtOtp);
    expect((await world.listActions(`operator:${other.operatorId}`)).at(-1)).toBe('operator.disable');
  });

  test('is offered to operators who have one', async () => {
    const operator = await makeOperator(context, 'support');
    const token = await signIn(operator);
    expect(await post(token, 'passkeys/challenge')).toMatchObject(refusal(404, 'not_found'));
    const { passkey } = await addOperatorPasskey(context, { ...operator, token });
    const listed = await app.ask('GET', 'operator/passkeys', { token });
    expect(listed.body.data).toEqual([passkey]);
    expect((await post(token, 'passkeys/challenge')).body.data).toMatchObject({
      rpId: 'tradewind.test',
      userVerification: 'required',
      allowCredentials: [{ type: 'public-key' }],
    });
  });
});

describe('further passkeys', () => {
  test('are added with an existing one, not with a code', async () => {
    const operator = await makeOperator(context, 'admin');
    const token = await signIn(operator);
    const { confirm } = await addOperatorPasskey(context, { ...operator, token });
    const ask = (otp: unknown) => post(token, 'passkeys/start', { password: OPERATOR_PASSWORD, otp });
    expect(await ask(await operator.code())).toMatchObject(refusal(422, 'passkey_required', 'otp'));
    const started = await ask(await confirm());
    expect(await finish(token, started.body.data)).toMatchObject({ status: 200 });
    expect((await app.ask('GET', 'operator/passkeys', { token })).body.data).toHaveLength(2);
  });

  test('are renamed and removed by their operator only; the last way to sign in stays', async () => {
    const { token } = await makePlain(app);
    const device = makeAuthenticator(ORIGIN);
    const started = await post(token, 'passkeys/start', { password: OPERATOR_PASSWORD });
    const { id } = (await finish(token, started.body.data, device)).body.data;
    const stranger = await signIn(await makeOperator(context, 'admin'));
    const rename = (by: string) =>
      app.ask('PUT', `operator/passkeys/${id}`, { token: by, body: { name: 'Work phone' } });
    expect(await rename(stranger)).toMatchObject(refusal(404, 'not_found'));
    expect((await rename(token)).status).toBe(200);
    expect((await app.ask('GET', 'operator/passkeys', { token })).body.data).toMatchObject([{ name: 'Work phone' }]);

    const confirm = async () => device.get((await post(token, 'passkeys/challenge')).body.data);
    const remove = async (by: string, otp: unknown, password = OPERATOR_PASSWORD) =>
      post(by, `passkeys/${id}/remove`, { password, otp });
    expect(await remove(stranger, '123456')).toMatchObject(refusal(404, 'not_found'));
    expect(await remove(token, await confirm())).toMatchObject(refusal(409, 'last_second_factor'));
    const second = makeAuthenticator(ORIGIN);
    const more = await post(token, 'passkeys/start', { password: OPERATOR_PASSWORD, otp: await confirm() });
    await finish(token, more.body.data, second);
    expect(await remove(token, await confirm(), 'another word 9')).toMatchObject(
      refusal(422, 'wrong_password', 'password'),
    );
    expect((await remove(token, await confirm())).status).toBe(200);
    expect((await app.ask('GET', 'operator/passkeys', { token })).body.data).toHaveLength(1);
  });

  test('an app next to them requires one of them, and is emailed', async () => {
    const { token, email } = await makePlain(app);
    const device = makeAuthenticator(ORIGIN);
    const started = await post(token, 'passkeys/start', { password: OPERATOR_PASSWORD });
    await finish(token, started.body.data, device);
    const begin = (otp?: unknown) => post(token, 'totp/start', { password: OPERATOR_PASSWORD, otp });
    expect(await begin()).toMatchObject(refusal(422, 'second_factor_required', 'otp'));
    const otp = device.get((await post(token, 'passkeys/challenge')).body.data);
    const { secret } = (await begin(otp)).body.data;
    expect(await world.subjectsTo({ email })).toEqual(['passkey added']);
    const code = codeAt(base32nopad.decode(secret), context.now());
    expect((await post(token, 'totp/confirm', { otp: code })).status).toBe(200);
    expect(await world.subjectsTo({ email })).toEqual(['passkey added', 'authenticator app added']);
  });

  test('end the set-up of an app that was started without one of them', async () => {
    const { token } = await makePlain(app);
    const begun = await post(token, 'totp/start', { password: OPERATOR_PASSWORD });
    const started = await post(token, 'passkeys/start', { password: OPERATOR_PASSWORD });
    expect((await finish(token, started.body.data)).status).toBe(200);
    const otp = codeAt(base32nopad.decode(begun.body.data.secret), context.now());
    expect(await post(token, 'totp/confirm', { otp })).toMatchObject(refusal(403, 'second_factor_missing'));
  });

  test('are removed by a reset, so that a lost device cannot sign in or add another', async () => {
    const [proposer, approver] = [await makeOperator(context, 'admin'), await makeOperator(context, 'admin')];
    const lost = await makeOperator(context, 'admin');
    const caller = (await findCaller(context, lost.token)) as OperatorCaller;
    const { confirm } = await addOperatorPasskey(context, lost);
    const rp = getRelyingParty(context.config, 'localhost:8080');
    const begun = { password: OPERATOR_PASSWORD, otp: await confirm(), address };
    const creation = await startPasskey(context, rp, lost.operatorId, begun);
    const about = { operatorId: lost.operatorId, why: 'lost the laptop' };
    const { id } = await resetOperator(context, await world.actor(proposer), about);
    await approveOperatorChange(context, await world.actor(approver), id);
    // Called by a request that was admitted before.
    const added = addPasskey(context, caller, {
      name: 'Other',
      answer: makeAuthenticator(ORIGIN).create(creation),
      address,
    });
    await expect(added).rejects.toMatchObject({ code: 'passkey_refused' });
    expect(await world.count('identity.passkey', `operator_id = ${lost.operatorId}`)).toBe(0);
  });
});

describe('on live', () => {
  test.each([
    ['support', true],
    ['finance', false],
    ['admin', false],
  ] as const)('%s with an app alone may work: %s', async (role, mayWork) => {
    const operator = await makeOperator(context, role);
    const token = await signIn(operator, liveApp);
    const sessions = () => liveApp.ask('GET', 'operator/me/sessions', { token });
    const me = (await liveApp.ask('GET', 'operator/me', { token })).body.data;
    if (mayWork) {
      expect(me).toMatchObject({ second_factor: true, missing: null });
      expect((await sessions()).status).toBe(200);
      return;
    }
    expect(me).toMatchObject({ second_factor: false, missing: 'passkey', app: true, passkeys: 0 });
    expect(await sessions()).toMatchObject(refusal(403, 'second_factor_missing'));
    const body = { password: OPERATOR_PASSWORD, otp: await operator.code() };
    const started = await post(token, 'passkeys/start', body, liveApp);
    expect((await finish(token, started.body.data, makeAuthenticator(ORIGIN), liveApp)).status).toBe(200);
    expect((await sessions()).status).toBe(200);
  });

  test('an app alone is not enough at the first set-up either; elsewhere it is', async () => {
    const { token } = await makePlain(liveApp);
    expect((await liveApp.ask('GET', 'operator/me', { token })).body.data).toMatchObject({ missing: 'passkey' });
    expect((await app.ask('GET', 'operator/me', { token })).body.data).toMatchObject({ missing: 'any' });
  });
});
