import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ensureCompany, registerMember } from '#server/accounts/index.ts';
import { sealAudit } from '#server/audit/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { testContext } from '#test/worlds/builders.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { mountConsole } from '../index.ts';

const database = closeAfterAll(await openTestDatabase());
const context = testContext(database);
await ensureCompany(context);
const support = await makeOperator(context, 'support');
const { memberId } = await registerMember(context, {
  referralCode: 'TRADEWIND',
  mobileNumber: '+919876543210',
  name: '=Anna',
  email: 'anna@mail.test',
  password: 'tulip harbour 7',
});
// Old entries, two of them in the same microsecond.
await sql`
  insert into audit.entry (actor_kind, actor_id, action, subject, before, after, address, created_at) values
    ('operator', ${support.operatorId}, 'member.freeze', 'member:17', '{"frozen": false}', '{"frozen": true, "why": "two accounts"}', '192.0.2.7', '2020-01-01T10:00:00.000001Z'),
    ('member', ${memberId}, 'member.change_email', 'member:17', null, '{"email": "b.berg@mail.test"}', null, '2020-01-01T11:00:00Z'),
    ('system', null, 'fee_plan.create', 'fee_plan:1', null, '{"why": "=1+1"}', null, '2020-01-02T00:00:00Z'),
    ('system', null, 'fee_plan.create', 'fee_plan:2', null, null, null, '2020-01-02T00:00:00Z')`.execute(database.db);
const app = closeAfterAll(await testApp(context, mountConsole));

const get = (query: string) => app.ask('GET', `operator/audit?${query}`, { token: support.token });
const old = 'to=2021-01-01T00:00:00Z';
const subjects = async (query: string): Promise<string[]> =>
  (await get(`${old}&${query}`)).body.data.items.map((item: { action: string; subject: string }) => item.subject);

describe('the audit log', () => {
  test('shows who did what, before and after, from where, and which seal covers it', async () => {
    const reply = await get(`${old}&action=member.freeze`);
    expect(reply.body.data).toEqual({
      items: [
        {
          id: expect.stringMatching(/^\d+$/),
          at: '2020-01-01T10:00:00.000Z',
          actor: { kind: 'operator', id: support.operatorId.toString(), name: 'Op support' },
          action: 'member.freeze',
          subject: 'member:17',
          before: { frozen: false },
          after: { frozen: true, why: 'two accounts' },
          address: '192.0.2.7',
          seal: null,
        },
      ],
      next_cursor: null,
    });
    await sealAudit(context);
    expect((await get(`${old}&action=member.freeze`)).body.data.items[0].seal).toBe('1');
  });

  test.each([
    ['', ['fee_plan:2', 'fee_plan:1', 'member:17', 'member:17']],
    ['actor=system', ['fee_plan:2', 'fee_plan:1']],
    ['actor=operator', ['member:17']],
    ['action=member.', ['member:17', 'member:17']],
    ['action=fee_plan.', ['fee_plan:2', 'fee_plan:1']],
    ['action=feexplan.', []],
    ['action=member.change_email', ['member:17']],
    ['subject=fee_plan:1', ['fee_plan:1']],
    ['subject=fee_plan', []],
    ['from=2020-01-02T00:00:00Z', ['fee_plan:2', 'fee_plan:1']],
    ['from=2020-01-01T10:00:00.001Z', ['fee_plan:2', 'fee_plan:1', 'member:17']],
    ['text=BERG', ['member:17']],
    ['text=b.berg@mail.test', ['member:17']],
    ['text=two acc', ['member:17']],
    ['text=accounts member 17', ['member:17']],
    ['text=192.0.2.7', ['member:17']],
    ['text=counts', []],
    ['text=%26%7C!:*', []],
    ["text='", []],
  ])('filtered by %j returns %j', async (query, expected) => {
    expect(await subjects(query)).toEqual(expected);
  });

  test('is found by actor and id together', async () => {
    expect(await subjects(`actor=member&actor_id=${memberId}`)).toEqual(['member:17']);
    expect(await subjects('actor=member&actor_id=999')).toEqual([]);
  });

  test('is found by its id alone, however many are newer', async () => {
    const oldest = (await get(old)).body.data.items.at(-1);
    expect((await get(`id=${oldest.id}`)).body.data).toEqual({ items: [oldest], next_cursor: null });
  });

  test('is paged without a gap, even between two of the same time', async () => {
    const pages: string[] = [];
    let cursor = '';
    for (let page = 0; page < 4; page += 1) {
      const { data } = (await get(`${old}&limit=1${cursor}`)).body;
      pages.push(...data.items.map((item: { subject: string }) => item.subject));
      cursor = `&cursor=${data.next_cursor}`;
    }
    expect(pages).toEqual(['fee_plan:2', 'fee_plan:1', 'member:17', 'member:17']);
    expect(cursor).toBe('&cursor=null');
  });

  test('accepts a bound far from any entry', async () => {
    expect((await get('to=0000-01-01T00:00:00Z')).body.data.items).toEqual([]);
    expect((await get('from=0000-01-01T00:00:00Z')).body.data.items).toEqual((await get('')).body.data.items);
  });

  test.each([
    ['actor_id=1', 'actor'],
    ['actor=system&actor_id=1', 'actor'],
    ['actor=robot', 'actor'],
    ['action=Member', 'action'],
    ['from=yesterday', 'from'],
    ['cursor=17', 'cursor'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['nothing=1', 'nothing'],
  ])('refuses %s', async (query, field) => {
    expect(await get(query)).toMatchObject(refusal(422, 'validation', field));
  });

  test('refuses a period that ends before it starts, in both forms', async () => {
    for (const format of ['json', 'csv']) {
      const reply = await get(`from=2020-01-02T00:00:00Z&to=2020-01-01T00:00:00Z&format=${format}`);
      expect(reply).toMatchObject(refusal(422, 'period_turned'));
    }
  });

  test('has nothing in a period that ends as it begins', async () => {
    const reply = await get('from=2020-01-02T00:00:00Z&to=2020-01-02T00:00:00Z');
    expect([reply.status, reply.body.data.items]).toEqual([200, []]);
  });
});

describe('its file', () => {
  test('has every entry requested, nothing a spreadsheet would execute, and is itself in the log', async () => {
    const reply = await get(`${old}&format=csv`);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringContaining('audit-log-2026-03-04-12-00.csv'),
    });
    const lines = reply.text.split('\r\n');
    expect(lines[0]).toBe('Entry,Time,Actor,Actor ID,Name,Action,Subject,Before,After,Address,Seal');
    expect(lines).toHaveLength(6);
    expect(lines[2]).toContain(',fee_plan.create,fee_plan:1,,"{""why"":""=1+1""}",');
    expect(lines[3]).toContain(",'=Anna,member.change_email,");
    const { items } = (await get('action=audit.export')).body.data;
    expect(items).toMatchObject([
      { actor: { id: support.operatorId.toString() }, subject: 'audit', after: { to: '2021-01-01T00:00:00Z' } },
    ]);
  });

  test('is as long as the log', async () => {
    await sql`
      insert into audit.entry (actor_kind, action, subject, created_at)
      select 'system', 'test.made', 'row:' || n, '2019-01-01T00:00:00Z' from generate_series(1, 1201) n`.execute(
      database.db,
    );
    const { text } = await get('action=test.made&format=csv');
    const rows = text.trimEnd().split('\r\n').slice(1);
    expect(new Set(rows.map((row) => /row:\d+/.exec(row)?.[0])).size).toBe(1201);
    expect(rows).toHaveLength(1201);
  });
});
