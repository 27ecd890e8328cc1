import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { allEndpoints } from '#contract/index.ts';
import { supportAccessReaders } from '#contract/operator/support-access.ts';
import { mountIdentity, mountOperators } from '#server/accounts/index.ts';
import { accountParts, createApp } from '#server/app.ts';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { mountConsole } from '#server/operator/index.ts';
import { createTicket, mountSupport, replyAsOperator } from '#server/tickets/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { changedTables, fingerprint } from '#test/database/database-fingerprint.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { patient, testApp } from '#test/worlds/app.ts';
import { signUp, TEST_PASSWORD } from '#test/worlds/members.ts';
import { actorOf, makeOperator, type TestOperator, wrongCode } from '#test/worlds/operators.ts';

const { database, context, clock } = closeAfterAll(await bootWithoutMarket('2026-03-04T12:00:00Z'));
const app = closeAfterAll(
  await testApp(
    context,
    (http) => mountIdentity(http, context, accountParts(context)),
    mountOperators,
    mountConsole,
    mountSupport,
  ),
);
const ida = await makeOperator(context, 'support');
const mira = await signUp(context);

const REASON = 'Ticket Q-7M2QX4';
const send = (token: string, id: bigint | string, body: unknown) =>
  app.ask('POST', `operator/members/${id}/open`, { token, body });
const ask = async (operator: TestOperator, id: bigint, reason: unknown = REASON) =>
  send(operator.token, id, { reason, otp: await operator.code() });
const open = async (memberId = mira.memberId, operator = ida): Promise<string> => {
  const reply = await ask(operator, memberId);
  expect(reply.status).toBe(200);
  return reply.body.data.access_token;
};
const code = (reply: { status: number; body: { code?: string } }) => [reply.status, reply.body?.code];

describe('impersonation', () => {
  test('is a sign-in of the member for half an hour, by a URL with its token, and me names the operator', async () => {
    const reply = await ask(ida, mira.memberId);
    const { access_token: token, address, expires_at: expiresAt } = reply.body.data;
    expect(address).toBe(`/?accessToken=${token}`);
    expect(expiresAt).toBe(new Date(clock.now().getTime() + 30 * 60_000).toISOString());
    const me = await app.ask('GET', 'auth/me', { token });
    expect(me.body.data).toMatchObject({
      user: { referral_code: mira.referralCode },
      opened_by: { name: 'Op support', until: expiresAt },
    });
    expect((await app.ask('GET', 'auth/me', { token: mira.token })).body.data.opened_by).toBeNull();
  });

  test('ends after half an hour, however much it is used', async () => {
    const token = await open();
    clock.advance(29 * 60);
    expect((await app.ask('GET', 'auth/me', { token })).status).toBe(200);
    clock.advance(61);
    expect((await app.ask('GET', 'auth/me', { token })).status).toBe(401);
  });

  test('is notified to the member, with who and why, and listed with its start and end', async () => {
    const ned = await signUp(context, { name: 'Ned' });
    const token = await open(ned.memberId);
    const startedAt = clock.now().toISOString();
    const list = () => app.ask('GET', 'profile/openings', { token: ned.token });
    expect((await list()).body.data).toEqual([
      {
        id: expect.any(String),
        name: 'Op support',
        reason: REASON,
        opened_at: startedAt,
        ended_at: null,
        expires_at: new Date(clock.now().getTime() + 30 * 60_000).toISOString(),
      },
    ]);
    clock.advance(300);
    expect((await app.ask('POST', 'auth/logout', { token })).status).toBe(200);
    expect((await list()).body.data).toMatchObject([{ ended_at: clock.now().toISOString() }]);
    const rows = await listRows(database.db)<{ message: string }>`
      select message from notify.notification where member_id = ${ned.memberId} and kind = 'account_opened'`;
    expect(rows).toEqual([
      {
        message: `Op support from support viewed your account: ${REASON}. Support access is read-only.`,
      },
    ]);
  });

  test('is invisible to others, is not among the member’s devices, and ends none of theirs', async () => {
    const ned = await signUp(context, { name: 'Ned' });
    const token = await open(ned.memberId);
    expect((await app.ask('GET', 'auth/sessions', { token: ned.token })).body.data).toHaveLength(1);
    expect((await app.ask('GET', 'auth/sessions', { token })).body.data).toHaveLength(1);
    expect((await app.ask('GET', 'profile/openings', { token: mira.token })).body.data).not.toContainEqual(
      expect.objectContaining({ opened_at: clock.now().toISOString() }),
    );
    await app.ask('POST', 'auth/logout', { token });
    expect((await app.ask('GET', 'auth/me', { token: ned.token })).status).toBe(200);
  });

  test('is in the audit log, started and ended by the operator', async () => {
    const ned = await signUp(context, { name: 'Ned' });
    const token = await open(ned.memberId);
    await app.ask('POST', 'auth/logout', { token });
    const { rows } = await sql<{ action: string; actor: string; reason: string }>`
      select action, actor_kind || ':' || actor_id as actor, after ->> 'reason' as reason from audit.entry
      where subject = ${`member:${ned.memberId}`} and action like 'member.%open%' order by id`.execute(database.db);
    const actor = `operator:${ida.operatorId}`;
    expect(rows).toEqual([
      { action: 'member.open', actor, reason: REASON },
      { action: 'member.end_opening', actor, reason: null },
    ]);
  });

  test('ends with the operator’s sign-in, whatever ends that', async () => {
    const other = await makeOperator(context, 'admin');
    const ned = await signUp(context, { name: 'Ned' });
    const token = await open(ned.memberId, other);
    await sql`delete from identity.auth_session where operator_id = ${other.operatorId}`.execute(database.db);
    clock.advance(2);
    expect((await app.ask('GET', 'auth/me', { token })).status).toBe(401);
    const [opening] = (await app.ask('GET', 'profile/openings', { token: ned.token })).body.data;
    expect(opening.ended_at).not.toBeNull();
  });

  test('never outlives the operator’s sign-in', async () => {
    const late = await makeOperator(context, 'admin');
    clock.advance(8 * 3600 - 60);
    const reply = await ask(late, mira.memberId);
    expect(reply.body.data.expires_at).toBe(new Date(clock.now().getTime() + 60_000).toISOString());
    clock.advance(-8 * 3600 + 60);
  });

  test('ends with a new password of the member', async () => {
    const ned = await signUp(context, { name: 'Ned' });
    const token = await open(ned.memberId);
    const body = { current_password: TEST_PASSWORD, password: 'another harbour at dawn' };
    expect((await app.ask('PUT', 'auth/password', { token: ned.token, body })).status).toBe(200);
    expect((await app.ask('GET', 'auth/me', { token })).status).toBe(401);
  });
});

describe('impersonation is refused', () => {
  test('for an unknown member, the company, and without a reason', async () => {
    const { rows } = await sql<{ id: bigint }>`select id from identity.member where is_company`.execute(database.db);
    expect(code(await ask(ida, 999_999n))).toEqual([404, 'not_found']);
    expect(code(await ask(ida, rows[0]?.id as bigint))).toEqual([404, 'not_found']);
    expect(code(await ask(ida, mira.memberId, '  '))).toEqual([422, 'validation']);
  });

  test('without a fresh code: missing, wrong, used', async () => {
    expect(code(await send(ida.token, mira.memberId, { reason: REASON }))).toEqual([422, 'validation']);
    const otp = await ida.code();
    const wrong = wrongCode(otp);
    expect(code(await send(ida.token, mira.memberId, { reason: REASON, otp: wrong }))).toEqual([
      422,
      'wrong_second_factor',
    ]);
    expect(code(await send(ida.token, mira.memberId, { reason: REASON, otp }))).toEqual([200, undefined]);
    expect(code(await send(ida.token, mira.memberId, { reason: REASON, otp }))).toEqual([422, 'wrong_second_factor']);
  });

  test('after twenty in a UTC day per operator, without using up the code, until the next day', async () => {
    const busy = await makeOperator(context, 'support');
    for (let time = 0; time < 20; time += 1) await open(mira.memberId, busy);
    const otp = await busy.code();
    const refused = await send(busy.token, mira.memberId, { reason: REASON, otp });
    expect(code(refused)).toEqual([429, 'too_many_openings']);
    const midnight = Date.parse('2026-03-05T00:00:00Z');
    const left = (midnight - clock.now().getTime()) / 1000;
    expect(Number(refused.headers['retry-after'])).toBe(Math.ceil(left));
    await open(mira.memberId, await makeOperator(context, 'support'));
    // At the start of the next day, by a sign-in that lasts until then.
    const until = sql`update identity.auth_session set expires_at = ${new Date(midnight + 3_600_000)}
      where operator_id = ${busy.operatorId}`;
    await until.execute(database.db);
    clock.advance(left);
    await open(mira.memberId, busy);
    clock.advance(-left);
  });
});

describe('every call', () => {
  const member = allEndpoints.filter(({ row }) => row.access === 'member');
  const isReading = (row: (typeof member)[number]['row']) =>
    row.opened === 'allowed' || supportAccessReaders(row) !== undefined;
  const path = (given: string, id: string) => given.replace(/:kind/, 'referral').replace(/:\w+/g, id);

  test('writing is refused before any other check, and reading leaves no trace', async () => {
    const whole = await createApp(context, patient);
    await whole.fastify.ready();
    const ned = await signUp(context, { name: 'Ned' });
    const ticket = await createTicket(context, ned.memberId, {
      subject: 'Where is it?',
      category: 'other',
      message: 'I cannot find it.',
      attachments: [],
    });
    const colleague = actorOf(ida);
    const reply = { ticketId: BigInt(ticket.id), message: 'Here.', private: false, attachments: [] };
    await replyAsOperator(context, colleague, reply, undefined);
    const unread = { memberId: ned.memberId, kind: 'test', message: 'Not read yet.' };
    await inTransaction(database.db, (tx) => notifyMember(tx, unread));
    const token = await open(ned.memberId);
    const headers = { authorization: `Bearer ${token}` };
    const queries: Record<string, string> = {
      '/ticket/ticket-msg': `?ticketId=${ticket.id}`,
      '/safe/network-fee': '?network=TRC20',
    };
    const send = async ({ method, path: given }: (typeof member)[number]['row']) => {
      const query = queries[given] ?? '';
      const reply = await whole.fastify.inject({ method, url: `/api/v1${path(given, ticket.id)}${query}`, headers });
      return { statusCode: reply.statusCode, body: reply.body };
    };
    const before = await fingerprint(database.db);
    const refused: string[] = [];
    const read: string[] = [];
    for (const { name, row } of member) {
      if (row.opened === 'allowed') continue;
      const { statusCode, body } = await send(row);
      if (statusCode === 403 && JSON.parse(body).code === 'read_only') refused.push(name);
      // An empty account has no trade or income of this number; nothing is refused for its form.
      else if ([200, 404, 409].includes(statusCode)) read.push(name);
    }
    expect(refused).toEqual(member.filter(({ row }) => !isReading(row)).map(({ name }) => name));
    expect(read).toEqual(
      member.filter(({ row }) => isReading(row) && row.opened !== 'allowed').map(({ name }) => name),
    );
    expect(changedTables(before, await fingerprint(database.db))).toEqual([]);
    await whole.fastify.close();
  });

  test('only its start and its end are allowed without being reads', () => {
    const allowed = member.filter(({ row }) => row.opened === 'allowed').map(({ name }) => name);
    expect(allowed).toEqual(['identity.adoptSignIn', 'identity.logout']);
  });
});
