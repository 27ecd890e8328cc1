import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { executeDueEmailChanges, mountEmailChanges, mountOperators } from '#server/accounts/index.ts';
import { listValues } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, success, testApp } from '#test/worlds/app.ts';
import { mountAccounts, TEST_PASSWORD } from '#test/worlds/members.ts';
import { codeAt, makeOperator, type TestOperator, wrongCode } from '#test/worlds/operators.ts';
import { setUpApp } from '#test/worlds/second-factor.ts';
import { mountWithdrawals } from '../index.ts';
import { openWithdrawalsWorld, type Person, SEGWIT } from './withdrawals-world.test-setup.ts';

const world = closeAfterAll(await openWithdrawalsWorld());
const app = closeAfterAll(
  await testApp(world.context, mountAccounts, mountWithdrawals, mountOperators, mountEmailChanges),
);
const { clock, context } = world;
const FOREIGN = 'thief@example.net';
const DAY = 86_400;

const ask = (token: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
  app.ask(method, url, { token, body });
const sendCode = async (token: string, query: string) => {
  clock.advance(60);
  expect((await ask(token, 'GET', `auth/send-otp?${query}`)).status).toBe(200);
};
const subjectsTo = (to: string) => listValues(context.db)<string>`
    select subject from notify.mail where to_address = ${to} order by id`;
const mailAbout = async (to: string, about: string) => {
  const { rows } = await sql<{ text: string }>`
    select text from notify.mail where to_address = ${to} and subject = ${about} order by id desc`.execute(context.db);
  return rows[0]?.text ?? '';
};
const linkIn = (text: string) => /\/not-me#(\S+)/.exec(text)?.[1] ?? '';

/** A member with an authenticator app, a usable address and money. */
async function protect(person: Person) {
  const secret = await setUpApp(app, person.token, context);
  for (let hours = 0; hours <= 24; hours += 12) {
    clock.advance(DAY / 2);
    await ask(person.token, 'GET', 'auth/security');
  }
  const code = () => {
    clock.advance(30);
    return codeAt(secret, clock.now());
  };
  return { ...person, code };
}

test('a thief with token and password gets nothing, and the owner is notified', async () => {
  const owner = await protect(await world.addPerson());
  const before = (await subjectsTo(owner.email)).length;
  const { token } = owner;
  const needed = refusal(422, 'second_factor_required', 'second_factor');

  await sendCode(token, `purpose=email&email=${FOREIGN}`);
  const email = { email: FOREIGN, otp: await world.code({ email: FOREIGN }), password: TEST_PASSWORD };
  expect(await ask(token, 'PUT', 'auth/email', email)).toMatchObject(needed);
  expect(await ask(token, 'POST', 'auth/email-request', email)).toMatchObject(needed);
  const guess = refusal(422, 'wrong_second_factor', 'second_factor');
  expect(await ask(token, 'POST', 'auth/email-request', { ...email, second_factor: '000000' })).toMatchObject(guess);

  const address = { network: 'BTC', address: SEGWIT };
  await sendCode(token, `purpose=address&network=BTC&address=${SEGWIT}`);
  // Even if the thief can read the emails.
  const otp = await world.code(owner);
  expect(await ask(token, 'PUT', 'auth/update-address', { ...address, otp })).toMatchObject(needed);
  const passwords = { current_password: TEST_PASSWORD, password: 'gale force nine' };
  expect(await ask(token, 'PUT', 'auth/password', passwords)).toMatchObject(needed);

  await sendCode(token, 'purpose=withdrawal&amount=100&wallet_type=primary');
  const withdrawal = { amount: 100, wallet_type: 'primary', otp: await world.code(owner) };
  const headers = { 'idempotency-key': 'thief-1' };
  const withdraw = (body: object) => app.ask('POST', 'safe/withdrawal', { token, body, headers });
  expect(await withdraw(withdrawal)).toMatchObject(needed);
  expect(await withdraw({ ...withdrawal, second_factor: '000000' })).toMatchObject(guess);

  expect((await world.balances(owner)).withdrawal_hold).toBe(0n);
  expect((await ask(token, 'GET', 'auth/me')).body.data.user.email).toBe(owner.email);
  expect((await subjectsTo(owner.email)).slice(before)).toEqual([
    'Your Tradewind email change code',
    'Your payout address code',
    'Your withdrawal code',
  ]);
  expect(await subjectsTo(FOREIGN)).toEqual(['Your Tradewind email address code']);

  // The refusals consumed neither the key nor the code, so the owner can continue.
  const made = await withdraw({ ...withdrawal, second_factor: owner.code() });
  expect(made).toMatchObject({ status: 200, body: { data: { amount: 100, state: 'requested' } } });
  const told = await mailAbout(owner.email, `Withdrawal requested: ${made.body.data.reference}`);
  expect((await ask('', 'POST', 'auth/not-me', { token: linkIn(told) })).status).toBe(200);
  expect((await ask(token, 'GET', 'safe/withdrawal-terms')).body.data.bar.code).toBe('withdrawals_frozen');
});

test('an address is saved with the app’s code of now, not with one of a minute and a half ago', async () => {
  const owner = await protect(await world.addPerson());
  await sendCode(owner.token, `purpose=address&network=BTC&address=${SEGWIT}`);
  const address = { network: 'BTC', address: SEGWIT, otp: await world.code(owner) };
  const save = (second_factor: string) => ask(owner.token, 'PUT', 'auth/update-address', { ...address, second_factor });
  const old = owner.code();
  clock.advance(90);
  expect(await save(old)).toMatchObject(refusal(422, 'wrong_second_factor', 'second_factor'));
  expect((await save(owner.code())).status).toBe(200);
});

/** The calls that take an emailed code: how it is requested, where it arrives, and what each takes besides. */
const coded = [
  {
    call: ['POST', 'safe/withdrawal'],
    query: 'purpose=withdrawal&amount=100&wallet_type=primary',
    body: { amount: 100, wallet_type: 'primary' },
  },
  {
    call: ['PUT', 'auth/update-address'],
    query: `purpose=address&network=BTC&address=${SEGWIT}`,
    body: { network: 'BTC', address: SEGWIT },
  },
  ...(['auth/email', 'auth/email-request'] as const).map((url) => ({
    call: [url === 'auth/email' ? 'PUT' : 'POST', url] as const,
    query: `purpose=email&email=${FOREIGN}`,
    to: FOREIGN,
    body: { email: FOREIGN, password: TEST_PASSWORD },
  })),
] as const;

describe.each(coded)('$call.1', ({ call: [method, url], query, body, ...mailed }) => {
  /** Sends a code and returns the call with it or another one. */
  const begin = async ({ token, email }: Person) => {
    await sendCode(token, query);
    const otp = await world.code({ email: 'to' in mailed ? mailed.to : email });
    const old = url === 'auth/email' ? { old_otp: await world.code({ email }) } : {};
    const headers = { 'idempotency-key': 'guess-1' };
    const call = (given: object) => app.ask(method, url, { token, body: { ...body, ...old, otp, ...given }, headers });
    return { otp, call };
  };

  test('uses up the emailed code at the fifth wrong try', async () => {
    const { otp, call } = await begin(await world.addPerson());
    const refused = refusal(422, 'wrong_otp', 'otp');
    for (let tries = 0; tries < 5; tries += 1) expect(await call({ otp: wrongCode(otp) })).toMatchObject(refused);
    expect(await call({ otp })).toMatchObject(refused);
  });

  test('counts every wrong second factor: the eleventh try is not compared', async () => {
    const owner = await protect(await world.addPerson());
    const refused = refusal(422, 'wrong_second_factor', 'second_factor');
    for (let tries = 0; tries < 10; ) {
      const { call } = await begin(owner);
      for (const until = tries + 5; tries < until; tries += 1)
        expect(await call({ second_factor: wrongCode(owner.code()) })).toMatchObject(refused);
    }
    const { call } = await begin(owner);
    expect(await call({ second_factor: owner.code() })).toMatchObject(refusal(429, 'too_many_requests'));
  });
});

let operators: Record<'first' | 'second' | 'support', TestOperator>;
/** Signs the operators in again: their sessions last eight hours, while tests here wait for days. */
beforeEach(async () => {
  operators = {
    first: await makeOperator(context, 'finance'),
    second: await makeOperator(context, 'admin'),
    support: await makeOperator(context, 'support'),
  };
});
const at = 'operator/email-changes';
const propose = async (who: TestOperator, { memberId }: Person) =>
  ask(who.token, 'POST', at, { member_id: memberId.toString(), reason: 'Called back.', otp: await who.code() });
const approve = async (who: TestOperator, id: string, version = 1) =>
  ask(who.token, 'POST', `${at}/${id}/approve`, { version, otp: await who.code() });

/** A member without access to the old mailbox who has requested a change of email. */
async function lostMailbox(email: string) {
  const person = await world.addPerson();
  await sendCode(person.token, `purpose=email&email=${email}`);
  const body = { email, otp: await world.code({ email }), password: TEST_PASSWORD };
  expect(await ask(person.token, 'POST', 'auth/email-request', body)).toMatchObject({ status: 200 });
  return { person, body };
}
const restriction = async ({ token }: Person) =>
  (await ask(token, 'GET', 'safe/withdrawal-terms')).body.data.bar?.code ?? null;
const requestOf = async ({ token }: Person) => (await ask(token, 'GET', 'auth/security')).body.data.email_request;
const REQUESTED = 'A change of your Tradewind email address was requested';

test('without the old mailbox the address changes after two operators and seven days, withdrawals stopped meanwhile', async () => {
  const { person, body } = await lostMailbox('moved1@example.net');
  expect(await restriction(person)).toBe('withdrawals_frozen');
  expect(await requestOf(person)).toMatchObject({ email: 'm•••@example.net', due_at: null });
  for (const to of [person.email, 'moved1@example.net']) {
    expect(linkIn(await mailAbout(to, REQUESTED))).not.toBe('');
  }
  expect(await ask(person.token, 'POST', 'auth/email-request', body)).toMatchObject(
    refusal(409, 'email_request_waiting'),
  );

  expect((await propose(operators.support, person)).status).toBe(403);
  const proposed = await propose(operators.first, person);
  expect(proposed).toMatchObject({ status: 200, body: { data: { email: 'moved1@example.net', state: 'proposed' } } });
  const { id } = proposed.body.data;
  expect(await propose(operators.second, person)).toMatchObject(refusal(409, 'proposal_waiting'));
  expect(await approve(operators.first, id)).toMatchObject(refusal(403, 'own_proposal'));
  const due = new Date(clock.now().getTime() + 7 * DAY * 1000);
  const decided = {
    decided_by: { id: operators.second.operatorId.toString() },
    decided_at: clock.now().toISOString(),
  };
  const waiting = { ...decided, state: 'approved', due_at: due.toISOString(), ended_at: null };
  expect(await approve(operators.second, id)).toMatchObject(success(waiting));
  expect(await requestOf(person)).toMatchObject({ due_at: due.toISOString() });
  clock.set(new Date(due.getTime() - 1000));
  expect(await executeDueEmailChanges(context)).toBe(0);
  clock.set(due);
  expect(await executeDueEmailChanges(context)).toBe(1);
  const { token } = await makeOperator(context, 'support');
  const done = { ...decided, state: 'posted', due_at: null, ended_by: null, ended_at: due.toISOString() };
  expect((await ask(token, 'GET', at)).body.data.items[0]).toMatchObject(done);
  const { rows } = await sql<{ email: string }>`
    select email from identity.member where id = ${person.memberId}`.execute(context.db);
  expect(rows).toEqual([{ email: 'moved1@example.net' }]);
  for (const to of [person.email, 'moved1@example.net']) {
    expect(await subjectsTo(to)).toContain('The email address of your Tradewind account was changed');
  }
  expect(await ask(person.token, 'GET', 'auth/me')).toMatchObject({ status: 401 });
  const stopped = await sql`
    select 1 from identity.email_request where member_id = ${person.memberId} and outcome = 'changed'`.execute(
    context.db,
  );
  expect(stopped.rows).toHaveLength(1);
});

test.each([
  ['the member', (person: Person) => ask(person.token, 'DELETE', 'auth/email-request')],
  [
    'the link in an email',
    async (person: Person) =>
      ask('', 'POST', 'auth/not-me', { token: linkIn(await mailAbout(person.email, REQUESTED)) }),
  ],
  [
    'an operator',
    ({ memberId }: Person) =>
      ask(operators.first.token, 'POST', `operator/members/${memberId}/email-request/end`, { why: 'Unknown caller.' }),
  ],
])('ended by %s, nothing changes, and what was approved is withdrawn', async (who, end) => {
  const { person } = await lostMailbox(`${who.replaceAll(' ', '.')}@example.net`);
  const { id } = (await propose(operators.first, person)).body.data;
  await approve(operators.second, id);
  expect((await end(person)).status).toBe(200);
  expect(await requestOf(person)).toBeNull();
  expect(await restriction(person)).toBe(who === 'the link in an email' ? 'withdrawals_frozen' : null);
  const { rows } = await sql<{ state: string }>`
    select state from approvals.proposal where kind = 'email_change' and id = ${id}`.execute(context.db);
  expect(rows).toEqual([{ state: 'withdrawn' }]);
  clock.advance(8 * DAY);
  expect(await executeDueEmailChanges(context)).toBe(0);
  expect(await subjectsTo(person.email)).not.toContain('The email address of your Tradewind account was changed');
  expect(
    (await subjectsTo(person.email)).filter((subject) => /email address was (withdrawn|declined)$/.test(subject)),
  ).toEqual([
    `The requested change of your Tradewind email address was ${who === 'an operator' ? 'declined' : 'withdrawn'}`,
  ]);
});

test('operators list waiting requests, and cannot end any that is not open', async () => {
  const { person } = await lostMailbox('listed@example.net');
  const list = async () => (await ask(operators.support.token, 'GET', 'operator/email-requests')).body.data;
  expect(await list()).toMatchObject([
    { member: { id: person.memberId.toString() }, email: 'listed@example.net', proposed: false },
  ]);
  const { id } = (await propose(operators.first, person)).body.data;
  expect(await list()).toMatchObject([{ proposed: true }]);
  const shown = await ask(operators.support.token, 'GET', `${at}?state=proposed`);
  expect(shown.body.data.items).toMatchObject([{ id, email: 'listed@example.net' }]);
  expect((await ask(person.token, 'DELETE', 'auth/email-request')).status).toBe(200);
  expect(await ask(person.token, 'DELETE', 'auth/email-request')).toMatchObject(refusal(404, 'not_found'));
  const end = `operator/members/${person.memberId}/email-request/end`;
  expect(await ask(operators.first.token, 'POST', end, { why: 'x' })).toMatchObject(refusal(404, 'not_found'));
  expect(await propose(operators.first, person)).toMatchObject(refusal(404, 'not_found'));
  expect(await list()).toEqual([]);
});

test('a request for one’s own address, or with a wrong code or password, is refused and stops nothing', async () => {
  const person = await world.addPerson();
  await sendCode(person.token, 'purpose=email&email=other@example.net');
  const otp = await world.code({ email: 'other@example.net' });
  const request = (more: object) =>
    ask(person.token, 'POST', 'auth/email-request', {
      email: 'other@example.net',
      otp,
      password: TEST_PASSWORD,
      ...more,
    });
  const own = 'This is your current address.';
  expect(await request({ email: person.email })).toMatchObject(refusal(422, 'validation', 'email', own));
  expect(await request({ password: 'another word 9' })).toMatchObject(refusal(422, 'wrong_password', 'password'));
  expect(await request({ otp: wrongCode(otp) })).toMatchObject(refusal(422, 'wrong_otp', 'otp'));
  expect(await restriction(person)).toBeNull();
});
