import { describe, expect, test } from 'vitest';
import { ensureCompany, ensureFirstAdmin, mountOperators } from '#server/accounts/index.ts';
import { execute, listValues } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { mountOutbox, queueEmail, sendDueEmails } from '#server/notify/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { refusal, success, testApp } from '#test/worlds/app.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { mountAccounts } from '#test/worlds/members.ts';
import { makeOperator } from '#test/worlds/operators.ts';

const env = { ADMIN_EMAIL: 'admin@mail.test', ADMIN_PASSWORD: 'gale force nine', SIGN_IN_LIMIT: '100000' };
const clock = testClock();
const database = closeAfterAll(await openTestDatabase());
const context = testContext(database, clock, env);
await ensureCompany(context);
await ensureFirstAdmin(context);
const open = async (more: Record<string, string> = {}) =>
  closeAfterAll(
    await testApp(testContext(database, clock, { ...env, ...more }), mountAccounts, mountOperators, mountOutbox),
  );
const app = await open();

const login = (password = env.ADMIN_PASSWORD, email = env.ADMIN_EMAIL) =>
  app.ask('POST', 'operator/login', { body: { email, password } });
const adminToken = async (): Promise<string> => (await makeOperator(context, 'admin')).token;
const actions = () =>
  listValues(database.db)<string>`select action from audit.entry where actor_kind = 'operator' order by id`;

describe('POST operator/login', () => {
  test('returns a token and the operator', async () => {
    expect(await login()).toMatchObject(
      success({
        access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        operator: { id: '1', name: 'Administrator', email: 'admin@mail.test', role: 'admin' },
        second_factor: false,
      }),
    );
    expect(await actions()).toContain('operator.sign_in');
  });

  test('refuses unknown and wrong credentials with identical bytes', async () => {
    const [wrong, unknown] = [await login('another word 9'), await login('another word 9', 'nobody@mail.test')];
    expect(wrong).toMatchObject(refusal(422, 'wrong_operator_login'));
    expect(unknown.text).toBe(wrong.text);
  });

  test.each([
    [{ password: 'x' }, 'email'],
    [{ email: 'a@mail.test' }, 'password'],
    [{ email: 'a@mail.test', password: '' }, 'password'],
    [{ email: 'a@mail.test', password: 'x', role: 'admin' }, 'role'],
  ])('%j names %s', async (body, field) => {
    expect(await app.ask('POST', 'operator/login', { body })).toMatchObject(refusal(422, 'validation', field));
  });
});

describe('GET operator/outbox', () => {
  test('shows emails as they were written, newest first, page by page, and audits who read them', async () => {
    await inTransaction(database.db, async (tx) => {
      for (const text of ['one\n', 'two\n', 'three\n']) {
        await queueEmail(tx, { to: { name: 'Anna', address: 'anna@mail.test' }, subject: 'Numbers', text });
      }
    });
    const token = await adminToken();
    const first = await app.ask('GET', 'operator/outbox?limit=2', { token });
    expect(first.body.data.items).toMatchObject([
      { to: 'anna@mail.test', subject: 'Numbers', text: 'three\n', state: 'waiting' },
      { text: 'two\n' },
    ]);
    await sendDueEmails(context, undefined);
    const next = await app.ask('GET', `operator/outbox?cursor=${first.body.data.next_cursor}`, { token });
    expect(next.body.data).toMatchObject({
      items: [{ text: 'one\n', state: 'logged', fault: null }],
      next_cursor: null,
    });
    const [, second] = first.body.data.items;
    await execute(database.db)`
      update notify.mail set state = 'failed', last_fault = '550 No such mailbox' where id = ${second.id}`;
    const one = await app.ask('GET', `operator/outbox?id=${second.id}`, { token });
    expect(one.body.data).toMatchObject({
      items: [{ text: 'two\n', fault: '550 No such mailbox' }],
      next_cursor: null,
    });
    expect((await actions()).filter((action) => action === 'operator.read_outbox')).toHaveLength(3);
  });

  test('does not exist with a mail server', async () => {
    const other = await open({ SMTP_URL: 'smtp://127.0.0.1:2525' });
    const reply = await other.ask('GET', 'operator/outbox', { token: await adminToken() });
    expect(reply).toMatchObject(refusal(404, 'not_found'));
  });

  test.each(['limit=0', 'cursor=x', 'cursor=99999999999999999999'])('refuses %s', async (query) => {
    expect(await app.ask('GET', `operator/outbox?${query}`, { token: await adminToken() })).toMatchObject(
      refusal(422, 'validation', query.split('=')[0]),
    );
  });
});
