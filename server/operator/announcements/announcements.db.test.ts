import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openMember } from '#server/accounts/index.ts';
import { inTransaction } from '#server/db/tx.ts';
import { forgetMember, mountNotify } from '#server/notify/index.ts';
import { testApp } from '#test/app.ts';
import { closeAfterAll } from '#test/close-after-all.ts';
import { openConsoleWorld, refusal } from '#test/console-world.ts';

const world = closeAfterAll(await openConsoleWorld());
const app = closeAfterAll(await testApp(world.context, mountNotify));
const [anna, bert] = [await world.addMember({ name: 'Anna' }), await world.addMember({ name: 'Bert' })];

const HOUR = 3600;
const at = 'operator/announcements';
const inHours = (hours: number) => new Date(world.clock.now().getTime() + hours * HOUR * 1000).toISOString();
const draft = (more: object = {}) => ({
  title: 'Maintenance on Sunday',
  text: 'Two hours without trading.\nMoney is not touched.',
  to: inHours(10),
  ...more,
});
const write = (more: object = {}, who = world.support) => world.send(who, 'POST', at, draft(more));
const end = (id: string, who = world.support) => world.send(who, 'POST', `${at}/${id}/end`);
const shown = async (who: { token: string }) =>
  (await app.ask('GET', 'announcements', { token: who.token })).body.data.items;
const dismiss = (id: string, who: { token: string } = anna) =>
  app.ask('POST', `announcements/${id}/dismiss`, { token: who.token });

let id: string;

test('nothing is announced at first', async () => {
  expect(await shown(anna)).toEqual([]);
  expect((await world.get(world.support, at)).body.data).toEqual({ items: [], next_cursor: null });
});

test('what support writes every member is shown at once, as it was written', async () => {
  const written = await write({ text: '<script>alert(1)</script>\r\n & more' });
  const text = '<script>alert(1)</script>\n & more';
  expect(written).toMatchObject({
    status: 200,
    body: {
      data: {
        title: 'Maintenance on Sunday',
        text,
        state: 'in_force',
        from: inHours(0),
        to: inHours(10),
        written_by: { id: world.support.operatorId.toString(), name: 'Op support' },
        ended_by: null,
        ended_at: null,
      },
    },
  });
  ({ id } = written.body.data);
  const item = { id, title: 'Maintenance on Sunday', text, from: inHours(0), to: inHours(10), dismissed: false };
  expect([await shown(anna), await shown(bert)]).toEqual([[item], [item]]);
});

test('who put it away has it put away on every device, and nobody else has', async () => {
  for (let time = 0; time < 2; time += 1) expect(await dismiss(id)).toMatchObject({ status: 200 });
  expect(await shown(anna)).toMatchObject([{ id, dismissed: true }]);
  expect(await shown(bert)).toMatchObject([{ id, dismissed: false }]);
});

test('an operator who opened the account reads it and puts nothing away', async () => {
  const caller = { kind: 'operator', role: 'support', authSessionId: 1n, hasSecondFactor: true } as const;
  const { accessToken: token } = await openMember(
    world.context,
    { ...caller, operatorId: world.support.operatorId },
    { memberId: bert.memberId, reason: 'To see what they see', userAgent: 'test', address: '127.0.0.1' },
  );
  expect(await shown({ token })).toMatchObject([{ id }]);
  expect(await dismiss(id, { token })).toMatchObject(refusal(403, 'read_only'));
});

test('it is shown from its beginning to before its end, by the real clock', async () => {
  const later = (await write({ title: 'Later', from: inHours(2), to: inHours(3) })).body.data;
  expect(later.state).toBe('waiting');
  expect(await dismiss(later.id)).toMatchObject(refusal(404, 'announcement_not_found'));
  const titles = async () => (await shown(bert)).map(({ title }: { title: string }) => title);
  world.clock.advance(2 * HOUR - 1);
  expect(await titles()).toEqual(['Maintenance on Sunday']);
  world.clock.advance(1);
  expect(await titles()).toEqual(['Later', 'Maintenance on Sunday']);
  world.clock.advance(HOUR);
  expect(await titles()).toEqual(['Maintenance on Sunday']);
  expect(await dismiss(later.id)).toMatchObject(refusal(404, 'announcement_not_found'));
  expect(await end(later.id)).toMatchObject(refusal(409, 'announcement_over'));
});

test('what should have begun already begins when it is written', async () => {
  expect((await write({ from: inHours(-5), title: 'Now' })).body.data).toMatchObject({
    state: 'in_force',
    from: inHours(0),
  });
});

test('it is ended before its time once, by support or an admin, and then nobody is shown it', async () => {
  const { body } = await write({ title: 'A mistake' });
  expect(await end(body.data.id, world.finance)).toMatchObject(refusal(403, 'not_allowed'));
  expect(await end(body.data.id, world.admin)).toMatchObject({
    status: 200,
    body: {
      data: {
        state: 'ended',
        ended_by: { id: world.admin.operatorId.toString() },
        ended_at: inHours(0),
        to: inHours(10),
      },
    },
  });
  expect((await shown(bert)).map(({ title }: { title: string }) => title)).not.toContain('A mistake');
  expect(await end(body.data.id)).toMatchObject(refusal(409, 'announcement_over'));
  expect(await end('999999')).toMatchObject(refusal(404, 'announcement_not_found'));
  const entries = await world.select<object>(sql`
    select action, actor_id, before ->> 'state' as before, after ->> 'title' as title from audit.entry
    where subject = ${`announcement:${body.data.id}`} order by id`);
  expect(entries).toEqual([
    { action: 'announcement.write', actor_id: world.support.operatorId, before: null, title: 'A mistake' },
    { action: 'announcement.end', actor_id: world.admin.operatorId, before: 'in_force', title: null },
  ]);
});

test('they are listed newest first, page by page, and finance has no calls on them', async () => {
  const first = (await world.get(world.admin, `${at}?limit=2`)).body.data;
  expect(first.items).toMatchObject([{ title: 'A mistake' }, { title: 'Now' }]);
  const next = (await world.get(world.admin, `${at}?limit=2&cursor=${first.next_cursor}`)).body.data;
  expect(next).toMatchObject({
    items: [
      { title: 'Later', state: 'over' },
      { title: 'Maintenance on Sunday', state: 'in_force' },
    ],
    next_cursor: null,
  });
  expect(await world.get(world.finance, at)).toMatchObject(refusal(403, 'not_allowed'));
  expect(await write({}, world.finance)).toMatchObject(refusal(403, 'not_allowed'));
  expect(await world.get(world.admin, `${at}?cursor=x`)).toMatchObject(refusal(422, 'validation'));
});

test.each([
  [{ title: ' ' }, 'title', 'validation'],
  [{ title: 'x'.repeat(81) }, 'title', 'validation'],
  [{ title: 'two\nlines' }, 'title', 'validation'],
  [{ text: '' }, 'text', 'validation'],
  [{ text: 'x'.repeat(1001) }, 'text', 'validation'],
  [{ text: 'a\u0000b' }, 'text', 'validation'],
  [{ to: '2026-03-04' }, 'to', 'validation'],
  [{ to: undefined }, 'to', 'validation'],
  [{ from: '2099-01-02T00:00:00Z', to: '2099-01-01T00:00:00Z' }, 'to', 'period_turned'],
  [{ from: '1999-01-01T00:00:00Z', to: '1999-01-02T00:00:00Z' }, 'to', 'period_over'],
])('%j is refused and names the field', async (more, field, code) => {
  expect(await write(more)).toMatchObject({ status: 422, body: { code, validation_results: [{ field }] } });
});

test('what was announced is never changed or taken away, whatever the program says', async () => {
  const refused = (statement: ReturnType<typeof sql>) => expect(statement.execute(world.context.db)).rejects;
  await refused(sql`update notify.announcement set text = 'other'`).toThrow('not changed');
  await refused(sql`update notify.announcement set ended_by = null, ended_at = null`).toThrow('not changed');
  await refused(sql`delete from notify.announcement`).toThrow('not changed');
});

test('a closed account leaves no trace of what was put away', async () => {
  await inTransaction(world.context.db, (tx) => forgetMember(tx, anna.memberId, { subject: 'Closed', text: 'Bye.\n' }));
  expect(
    await world.select(sql`select 1 from notify.announcement_dismissal where member_id = ${anna.memberId}`),
  ).toEqual([]);
});
