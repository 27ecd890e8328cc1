import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { migrate, readMigrations } from '#server/db/migrate.ts';
import { findReply } from '#server/db/tx.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openEmptyDatabase } from '#test/database/database.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { askOf, patient } from '#test/worlds/app.ts';
import { TEST_PASSWORD } from '#test/worlds/members.ts';
import { codeAt, OPERATOR_PASSWORD } from '#test/worlds/operators.ts';

/**
 * A database from before passkeys and two-operator approvals (`0039-language.sql` was its last migration), written by
 * the server of that time, with signed-in people in every state: after the upgrade each of them is still signed in,
 * signs in with what they have, and does what they could.
 */
const LAST_MIGRATION = 39;

/** `a harbour at dusk` and `gale force nine`, at the cost of that time. */
const memberHash = '$argon2id$v=19$m=19456,t=2,p=1$PfYLXKHPmitvmKbZqM8Rpw$NsV2ddRl8AqMZj3I5r83W/utD03A6Sm1pKzwLhcmSkE';
const operatorHash =
  '$argon2id$v=19$m=19456,t=2,p=1$MUPUppFdw6stli/SfSUMLg$mRUnvTUp+vfYRF6ZcFSJWkX5pQzQf91NuXaX4//a3CU';

/** The company is the first member. */
const people = { plain: 2, guarded: 3, frozen: 4, stopped: 5 } as const;
const staff = { support: 1, finance: 2, admin: 3 } as const;
type Role = keyof typeof staff;
const roles = Object.keys(staff) as Role[];
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const RECOVERY_CODE = 'ABCD-EFGH-JKMN-PQRS';

const codeOf = (name: string) => `TW${name.toUpperCase().padEnd(8, 'X')}`;
const secretOf = (name: string): Uint8Array => Buffer.from(`${name} has this app`.padEnd(20, '.'));
const tokenOf = (name: string) => `${name}-signed-in-before-the-upgrade`.padEnd(43, '0');
const bytes = (value: Uint8Array) => `'\\x${Buffer.from(value).toString('hex')}'`;
const sha256 = (text: string) => bytes(hash('sha256', text, 'buffer'));
const member = (name: keyof typeof people) => people[name];

const oldRows = `
  insert into identity.member (referral_code, sponsor_id, name, is_company, created_at)
  values ('TRADEWIND', null, 'Tradewind', true, '2026-01-01');
  ${Object.keys(people)
    .map(
      (name) => `
  insert into identity.member (referral_code, sponsor_id, name, email, mobile_number, password_hash, frozen_at, created_at)
  values ('${codeOf(name)}', 1, 'Mira ${name}', '${name}@mail.test', '+919876543210', '${memberHash}',
    ${name === 'frozen' ? "'2026-02-20'" : 'null'}, '2026-01-02');`,
    )
    .join('')}
  insert into ledger.account (id) select id * 32 + class from identity.member, generate_series(1, 5) as class;
  insert into team.node (member_id, sponsor_id, upline, joined_at, tx)
  select id, sponsor_id, case when sponsor_id is null then '{}' else array[sponsor_id] end, created_at,
    pg_current_xact_id()::text::bigint
  from identity.member where not exists (select 1 from team.node);
  insert into notify.recipient (member_id, name, address)
  select id, name, email from identity.member where not is_company;
  insert into funds.payout_address (member_id, network, address, saved_at, alarm_hash, alarm_expires_at)
  select id, 'TRC20', '${ADDRESS}', '2026-02-01', sha256(email::bytea), '2026-02-08'
  from identity.member where not is_company;
  insert into identity.auth_session
    (token_hash, member_id, device, address, idle_seconds, created_at, last_used_at, expires_at)
  values ${Object.entries(people)
    .map(
      ([name, id]) =>
        `(${sha256(tokenOf(name))}, ${id}, 'Firefox on Linux', '192.0.2.1', 86400, '2026-03-04T11:00Z', '2026-03-04T11:30Z', '2026-03-05T11:30Z')`,
    )
    .join(', ')};

  insert into identity.totp (member_id, secret, confirmed_at, last_step, created_at)
  values (${member('guarded')}, ${bytes(secretOf('guarded'))}, '2026-01-03', 59000000, '2026-01-03');
  insert into identity.recovery_code (member_id, code_hash)
  values (${member('guarded')}, ${sha256(`recovery\n${member('guarded')}\n${RECOVERY_CODE.replaceAll('-', '')}`)});
  insert into funds.withdrawal_freeze (member_id, cause, frozen_at) values (${member('stopped')}, 'not_me', '2026-02-20');

  ${Object.entries(staff)
    .map(
      ([role, id]) => `
  insert into identity.operator (email, name, role, password_hash, created_at, admin_at)
  values ('${role}@mail.test', 'Olga ${role}', '${role}', '${operatorHash}', '2026-01-01',
    ${role === 'admin' ? "'2026-01-01'" : 'null'});
  insert into identity.totp (operator_id, secret, confirmed_at, last_step, created_at)
  values (${id}, ${bytes(secretOf(role))}, '2026-01-01', 59000000, '2026-01-01');
  insert into identity.auth_session (token_hash, operator_id, device, address, created_at, last_used_at, expires_at)
  values (${sha256(tokenOf(role))}, ${id}, 'Firefox on Linux', '192.0.2.1', '2026-03-04T11:00Z', '2026-03-04T11:30Z', '2026-03-04T19:00Z');`,
    )
    .join('')}

  select ledger.post(array[
    row('old/capital', 6, 17, 1000000000, 'capital_in', 'old', '2026-01-05', null, null)::ledger.draft]);
  ${Object.values(people)
    .map(
      (id) => `
  select ledger.post(array[
    row('old/deposit/${id}', 6, ${id * 32 + 1}, 500000000, 'deposit', 'old', '2026-01-05', null, null)::ledger.draft]);`,
    )
    .join('')}
  insert into funds.withdrawal
    (member_id, reference, wallet, amount_micros, fee_micros, fee_plan_id, network, address, state, requested_on,
     created_at, updated_at)
  values (${member('plain')}, 'WD-AAAAAA', 'primary', 100000000, 1000000, 1, 'TRC20', '${ADDRESS}', 'requested', '2026-03-03',
    '2026-03-03', '2026-03-03');
  insert into funds.withdrawal_step (withdrawal_id, state, note, occurred_at) values (1, 'requested', null, '2026-03-03');
  insert into funds.withdrawal_day (member_id, day, live_micros) values (${member('plain')}, '2026-03-03', 100000000);
  select ledger.post(array[
    row('withdrawal/1/hold', ${people.plain * 32 + 1}, ${people.plain * 32 + 5}, 100000000, 'withdrawal_hold', 'WD-AAAAAA',
      '2026-03-03', null, null)::ledger.draft]);
  insert into approvals.proposal
    (kind, reference, member_id, payload, reason, state, proposed_by, proposed_at, needs_approval)
  values ('adjustment', 'AD-AAAAAA', ${member('plain')}, '{"wallet": "primary", "signedMicros": "2000000", "evidence": "Ticket."}',
    'Fee twice.', 'proposed', ${staff.finance}, '2026-03-03', true);
  insert into identity.member (referral_code, sponsor_id, name, created_at, closed_at)
  values ('TWGONEXXXX', ${member('plain')}, 'Closed account', '2026-01-03', '2026-02-03');
  insert into audit.entry (actor_kind, actor_id, action, subject, created_at)
  select 'member', id, 'member.register', 'member:' || id, '2026-01-03' from identity.member where closed_at is not null;
  insert into notify.notification (member_id, kind, message, created_at)
  values (${member('plain')}, 'team_joined', 'Mira Gone joined your team.', '2026-01-03'),
    (${member('plain')}, 'team_joined', 'Mira Here joined your team.', '2026-01-04');
  insert into http.idempotency (caller_id, call, key, body_hash, reply)
  values (${member('plain')}, 'POST trading/do-trade', 'sent before', 'its body', '{"id": "7", "amount": 12.5, "fee": null}');`;

const database = closeAfterAll(await openEmptyDatabase());
await migrate(
  database,
  readMigrations().filter(({ number }) => number <= LAST_MIGRATION),
);
await database.runScript(oldRows);
const later = await migrate(database);
const { context, clock } = await bootWithoutMarket('2026-03-04T12:00:00Z', {}, database);
const { fastify } = await createApp(context, patient);
closeAfterAll({ close: () => fastify.close() });
await fastify.ready();

const callsOf =
  (app: typeof fastify) => async (method: 'GET' | 'POST', path: string, token?: string, body?: unknown) => {
    const { status, body: answer } = await askOf(app)(method, path, { token, body });
    return { status, code: answer.code, data: answer.data };
  };
const ask = callsOf(fastify);
/** The app’s next code: each counts once. */
const nextCode = (name: string): string => {
  clock.advance(30);
  return codeAt(secretOf(name), clock.now());
};
const signIn = (name: string) =>
  ask('POST', 'auth/login', undefined, { loginId: codeOf(name), password: TEST_PASSWORD });
const answer = (challenge: string, code: object) =>
  ask('POST', 'auth/otp-verify', undefined, { purpose: 'login', challenge, ...code });
const signInOperator = async (role: Role) => {
  const { data } = await ask('POST', 'operator/login', undefined, {
    email: `${role}@mail.test`,
    password: OPERATOR_PASSWORD,
  });
  return ask('POST', 'operator/otp-verify', undefined, { challenge: data.challenge, otp: nextCode(role) });
};
const ok = { status: 200 };

test('the later migrations ran', () => {
  expect(later.length).toBeGreaterThan(2);
});

test('the sponsor’s notification no longer names who closed the account before', async () => {
  const { rows } = await sql<{ message: string }>`
    select message from notify.notification where kind = 'team_joined' order by id`.execute(database.db);
  expect(rows.map(({ message }) => message)).toEqual([
    'Closed account joined your team.',
    'Mira Here joined your team.',
  ]);
});

test('a repeated request gets its earlier response', async () => {
  const once = {
    callerId: BigInt(people.plain),
    call: 'POST trading/do-trade',
    key: 'sent before',
    bodyHash: 'its body',
  };
  expect(await findReply(context.db, once)).toEqual({ reply: { id: '7', amount: 12.5, fee: null } });
});

test.each(Object.keys(people))('the sign-in of the %s member still reads the account', async (name) => {
  expect(await ask('GET', 'auth/me', tokenOf(name))).toMatchObject({
    ...ok,
    data: { user: { referral_code: codeOf(name), email: `${name}@mail.test` } },
  });
  expect(await ask('GET', 'auth/wallet', tokenOf(name))).toMatchObject(ok);
});

test.each(['plain', 'frozen', 'stopped'])('the %s member signs in by password alone', async (name) => {
  const { status, data } = await signIn(name);
  expect(status).toBe(200);
  expect(await ask('GET', 'auth/me', data.access_token)).toMatchObject(ok);
});

test('a member with an app signs in with its code, once, and not without', async () => {
  const { data } = await signIn('guarded');
  expect(data).toMatchObject({ otp_required: true, challenge: expect.any(String) });
  const otp = nextCode('guarded');
  expect(await answer(data.challenge, { otp: '000000' })).toMatchObject({ status: 422, code: 'wrong_second_factor' });
  expect(await answer(data.challenge, { otp })).toMatchObject({
    ...ok,
    data: { access_token: expect.any(String) },
  });
  const again = await signIn('guarded');
  expect((await answer(again.data.challenge, { otp })).code).toBe('wrong_second_factor');
});

test('an old recovery code signs in once', async () => {
  const first = await signIn('guarded');
  const code = { recovery_code: RECOVERY_CODE };
  expect(await answer(first.data.challenge, code)).toMatchObject(ok);
  const second = await signIn('guarded');
  expect((await answer(second.data.challenge, code)).code).toBe('wrong_second_factor');
});

/** The last emailed withdrawal code. */
const emailedCode = async (name: string): Promise<string> => {
  const { rows } = await sql<{ text: string }>`
    select text from notify.mail where to_address = ${`${name}@mail.test`} order by id desc`.execute(context.db);
  return rows.flatMap(({ text }) => /\b(\d{6})\b/.exec(text)?.[1] ?? [])[0] ?? 'no code';
};
const order = { amount: 50, wallet_type: 'primary' };
const askForCode = (name: string) =>
  ask('GET', 'auth/send-otp?purpose=withdrawal&amount=50&wallet_type=primary', tokenOf(name));

test('a withdrawal requires the app’s code if there is an app, and accepts it from an old sign-in', async () => {
  expect(await askForCode('guarded')).toMatchObject(ok);
  const withdraw = async (body: object) =>
    ask('POST', 'safe/withdrawal', tokenOf('guarded'), { ...order, otp: await emailedCode('guarded'), ...body });
  expect(await withdraw({})).toMatchObject({ status: 422, code: 'second_factor_required' });
  expect(await withdraw({ second_factor: '000000' })).toMatchObject({ status: 422, code: 'wrong_second_factor' });
  expect(await withdraw({ second_factor: nextCode('guarded') })).toMatchObject({ ...ok, data: { state: 'requested' } });
});

test('a withdrawal requires none otherwise; frozen members and those with stopped withdrawals stay so', async () => {
  const { data } = await ask('GET', 'safe/withdrwal-hist', tokenOf('plain'));
  expect(data.items).toMatchObject([{ reference: 'WD-AAAAAA', state: 'requested' }]);
  expect((await askForCode('frozen')).code).toBe('account_frozen');
  expect((await askForCode('stopped')).code).toBe('withdrawals_frozen');
});

test.each(roles)('the sign-in of %s still works, and password and app sign in', async (role) => {
  const expected = { email: `${role}@mail.test`, role };
  expect(await ask('GET', 'operator/me', tokenOf(role))).toMatchObject({ ...ok, data: { operator: expected } });
  const signedIn = await signInOperator(role);
  expect(signedIn).toMatchObject({ ...ok, data: { operator: expected, second_factor: true } });
  expect(await ask('GET', 'operator/me', signedIn.data.access_token)).toMatchObject(ok);
});

test('in live mode operators who now need a passkey sign in with their app, and add one', async () => {
  const live = await createApp({ ...context, config: { ...context.config, mode: 'live' } }, patient);
  await live.fastify.ready();
  const askLive = callsOf(live.fastify);
  for (const role of roles) {
    const login = { email: `${role}@mail.test`, password: OPERATOR_PASSWORD };
    const { challenge } = (await askLive('POST', 'operator/login', undefined, login)).data;
    const signedIn = await askLive('POST', 'operator/otp-verify', undefined, { challenge, otp: nextCode(role) });
    const token = signedIn.data.access_token;
    const missing = role === 'support' ? null : 'passkey';
    expect(await askLive('GET', 'operator/me', token)).toMatchObject({ ...ok, data: { app: true, missing } });
    const confirmation = { password: OPERATOR_PASSWORD, otp: nextCode(role) };
    expect(await askLive('POST', 'operator/passkeys/start', token, confirmation)).toMatchObject(ok);
  }
  await live.fastify.close();
});

test('pending requests are decided by old sign-ins', async () => {
  const approve = (role: Role, path: string) =>
    ask('POST', `operator/${path}/approve`, tokenOf(role), { version: 1, otp: nextCode(role) });
  expect(await approve('finance', 'withdrawals/1')).toMatchObject({ ...ok, data: { state: 'approved' } });
  const [waiting] = (await ask('GET', 'operator/adjustments', tokenOf('admin'))).data.items;
  expect(waiting).toMatchObject({ reference: 'AD-AAAAAA', state: 'proposed' });
  expect((await approve('finance', `adjustments/${waiting.id}`)).status).toBe(403);
  expect(await approve('admin', `adjustments/${waiting.id}`)).toMatchObject({ ...ok, data: { state: 'posted' } });
  expect(await verifyLedger(context.db)).toEqual([]);
});

test.each([
  ['frozen', 'unfreeze'],
  ['stopped', 'lift_withdrawal_stop'],
] as const)('the %s member is released by two', async (name, what) => {
  const { data } = await ask('POST', 'operator/loosenings', tokenOf('finance'), {
    member_id: `${people[name]}`,
    what,
    reason: 'Spoken with.',
    otp: nextCode('finance'),
  });
  const approved = await ask('POST', `operator/loosenings/${data.id}/approve`, tokenOf('admin'), {
    version: 1,
    otp: nextCode('admin'),
  });
  expect(approved).toMatchObject({ ...ok, data: { state: 'posted' } });
  expect(await askForCode(name)).toMatchObject(ok);
  const otp = await emailedCode(name);
  expect(await ask('POST', 'safe/withdrawal', tokenOf(name), { ...order, otp })).toMatchObject({
    ...ok,
    data: { state: 'requested' },
  });
});
