import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openMember } from '#server/accounts/index.ts';
import { inTransaction } from '#server/db/tx.ts';
import { forgetMember, mountNotify } from '#server/notify/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, success, testApp } from '#test/worlds/app.ts';
import { openConsoleWorld } from '#test/worlds/console-world.ts';
import { makeOperator, type TestOperator, wrongCode } from '#test/worlds/operators.ts';
import { writeAnnouncement } from './announcements.ts';

const world = closeAfterAll(await openConsoleWorld());
const app = closeAfterAll(await testApp(world.context, mountNotify));
const [anna, bert] = [await world.addMember({ name: 'Anna' }), await world.addMember({ name: 'Bert' })];

const HOUR = 3600;
const at = 'operator/announcements';
const inHours = (hours: number) => new Date(world.clock.now().getTime() + hours * HOUR * 1000).toISOString();
const draft = <More extends object>(more: More = {} as More) => ({
  title: 'Maintenance on Sunday',
  text: 'Two hours without trading.\nMoney is not touched.',
  to: inHours(10),
  ...more,
});
const write = async (more: object = {}, who: TestOperator = world.admin) =>
  world.send(who, 'POST', at, draft({ otp: await who.code(), ...more }));
const written = async (more: object = {}) => (await write(more)).body.data.announcement;
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

test('an admin’s announcement is shown to every member at once, as written', async () => {
  const made = await write({ text: '<script>alert(1)</script>\r\n & more' });
  const text = '<script>alert(1)</script>\n & more';
  expect(made).toMatchObject(
    success({
      proposal: null,
      announcement: {
        title: 'Maintenance on Sunday',
        text,
        state: 'in_force',
        from: inHours(0),
        to: inHours(10),
        written_by: { id: world.admin.operatorId.toString(), name: 'Op admin' },
        ended_by: null,
        ended_at: null,
      },
    }),
  );
  ({ id } = made.body.data.announcement);
  const item = { id, title: 'Maintenance on Sunday', text, from: inHours(0), to: inHours(10), dismissed: false };
  expect([await shown(anna), await shown(bert)]).toEqual([[item], [item]]);
});

test('a member dismisses it on every device, for nobody else', async () => {
  for (let time = 0; time < 2; time += 1) expect(await dismiss(id)).toMatchObject({ status: 200 });
  expect(await shown(anna)).toMatchObject([{ id, dismissed: true }]);
  expect(await shown(bert)).toMatchObject([{ id, dismissed: false }]);
});

test('an operator who impersonates the member reads it and cannot dismiss it', async () => {
  const caller = { kind: 'operator', role: 'support', authSessionId: 1n, hasSecondFactor: true } as const;
  const { accessToken: token } = await openMember(
    world.context,
    { ...caller, operatorId: world.support.operatorId },
    { memberId: bert.memberId, reason: 'To see what they see', userAgent: 'test', address: '127.0.0.1' },
  );
  expect(await shown({ token })).toMatchObject([{ id }]);
  expect(await dismiss(id, { token })).toMatchObject(refusal(403, 'read_only'));
});

test('it is shown from its start until its end, by the real clock', async () => {
  const later = await written({ title: 'Later', from: inHours(2), to: inHours(3) });
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

test('a start in the past becomes the time of writing', async () => {
  expect(await written({ from: inHours(-5), title: 'Now' })).toMatchObject({
    state: 'in_force',
    from: inHours(0),
  });
});

test('it is ended early once, by support or an admin, and then shown to nobody', async () => {
  const mistake = await written({ title: 'A mistake' });
  expect(await end(mistake.id, world.finance)).toMatchObject(refusal(403, 'not_allowed'));
  expect(await end(mistake.id)).toMatchObject(
    success({
      state: 'ended',
      ended_by: { id: world.support.operatorId.toString() },
      ended_at: inHours(0),
      to: inHours(10),
    }),
  );
  expect((await shown(bert)).map(({ title }: { title: string }) => title)).not.toContain('A mistake');
  expect(await end(mistake.id, world.admin)).toMatchObject(refusal(409, 'announcement_over'));
  expect(await end('999999')).toMatchObject(refusal(404, 'announcement_not_found'));
  const entries = await world.select<object>(sql`
    select action, actor_id, before ->> 'state' as before, after ->> 'title' as title from audit.entry
    where subject = ${`announcement:${mistake.id}`} order by id`);
  expect(entries).toEqual([
    { action: 'announcement.write', actor_id: world.admin.operatorId, before: null, title: 'A mistake' },
    { action: 'announcement.end', actor_id: world.support.operatorId, before: 'in_force', title: null },
  ]);
});

test('they are listed newest first, page by page, and finance has no access', async () => {
  const first = (await world.get(world.admin, `${at}?limit=2`)).body.data;
  expect(first.items).toMatchObject([{ title: 'A mistake' }, { title: 'Now' }]);
  const one = (await world.get(world.admin, `${at}?limit=2&id=${id}`)).body.data;
  expect(one).toMatchObject({ items: [{ id, title: 'Maintenance on Sunday' }], next_cursor: null });
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

test('publishing requires a fresh code', async () => {
  const count = async () => (await world.get(world.admin, `${at}?limit=100`)).body.data.items.length;
  const before = await count();
  for (const who of [world.admin, world.support]) {
    expect(await write({ otp: undefined }, who)).toMatchObject(refusal(422, 'validation'));
    const wrong = wrongCode(await who.code());
    expect(await write({ otp: wrong }, who)).toMatchObject(refusal(422, 'wrong_second_factor'));
  }
  expect(await count()).toBe(before);
});

describe('an announcement by support', () => {
  const proposals = `${at}/proposals`;
  const proposed = async (more: object = {}, who: TestOperator = world.support) =>
    (await write(more, who)).body.data.proposal;
  const approve = async (proposalId: string, who: TestOperator = world.admin, version = 1) =>
    world.send(who, 'POST', `${proposals}/${proposalId}/approve`, { version, otp: await who.code() });
  const reject = (proposalId: string, who = world.admin) =>
    world.send(who, 'POST', `${proposals}/${proposalId}/reject`, { version: 1, reason: 'It promises a return.' });
  const withdraw = (proposalId: string, who = world.support) =>
    world.send(who, 'POST', `${proposals}/${proposalId}/withdraw`, { version: 1 });
  const titles = async () => (await shown(bert)).map(({ title }: { title: string }) => title);

  test('is shown to members once an admin approves it, from then on, as proposed', async () => {
    const made = await write({ title: 'By support' }, world.support);
    expect(made).toMatchObject(
      success({ announcement: null, proposal: { title: 'By support', state: 'proposed', from: null } }),
    );
    const { proposal } = made.body.data;
    expect(await titles()).not.toContain('By support');
    expect((await world.get(world.admin, 'operator/overview')).body.data.queues.proposals.announcements).toBe(1);
    for (const who of [world.support, world.finance]) {
      expect(await approve(proposal.id, who)).toMatchObject(refusal(403, 'not_allowed'));
      expect(await reject(proposal.id, who)).toMatchObject(refusal(403, 'not_allowed'));
    }
    expect(await approve(proposal.id, world.admin, 2)).toMatchObject(refusal(409, 'proposal_changed'));
    world.clock.advance(60);
    const approved = await approve(proposal.id);
    expect(approved).toMatchObject({ status: 200, body: { data: { state: 'posted', version: 2 } } });
    expect((await shown(bert)).find(({ title }: { title: string }) => title === 'By support')).toEqual({
      id: approved.body.data.announcement_id,
      title: 'By support',
      text: 'Two hours without trading.\nMoney is not touched.',
      from: inHours(0),
      to: proposal.to,
      dismissed: false,
    });
    const [listed] = (await world.get(world.support, at)).body.data.items;
    expect(listed).toMatchObject({ title: 'By support', written_by: { name: 'Op support' } });
    expect(await approve(proposal.id, world.admin, 2)).toMatchObject(refusal(409, 'proposal_decided'));
    const entries = await world.select<object>(sql`
      select action, actor_id from audit.entry
      where subject in (${`announcement_proposal:${proposal.id}`}, ${`announcement:${listed.id}`}) order by id`);
    expect(entries).toEqual([
      { action: 'announcement.propose', actor_id: world.support.operatorId },
      { action: 'announcement.write', actor_id: world.admin.operatorId },
      { action: 'announcement.approve', actor_id: world.admin.operatorId },
    ]);
  });

  test('is rejected with a reason, or withdrawn by its author, and then never shown to a member', async () => {
    const [first, second] = [await proposed({ title: 'No 1' }), await proposed({ title: 'No 2' })];
    expect((await world.get(world.support, `${proposals}?state=proposed`)).body.data.items).toMatchObject([
      { id: first.id, proposed_by: { name: 'Op support' }, proposer_counts: true },
      { id: second.id },
    ]);
    expect(await reject(first.id)).toMatchObject({
      body: { data: { state: 'rejected', note: 'It promises a return.', announcement_id: null } },
    });
    expect(await withdraw(second.id, await makeOperator(world.context, 'support'))).toMatchObject(
      refusal(403, 'not_allowed'),
    );
    expect(await withdraw(second.id)).toMatchObject({ body: { data: { state: 'withdrawn' } } });
    for (const { id: proposalId } of [first, second]) {
      expect(await approve(proposalId, world.admin, 2)).toMatchObject(refusal(409, 'proposal_decided'));
    }
    expect(await world.get(world.finance, proposals)).toMatchObject(refusal(403, 'not_allowed'));
    expect(await titles()).not.toContain('No 1');
  });

  test('is not published after its period, nor if its author was demoted or disabled since', async () => {
    const late = await proposed({ title: 'Late', to: inHours(1) });
    const other = await makeOperator(world.context, 'support');
    const orphan = await proposed({ title: 'Orphan' }, other);
    await sql`update identity.operator set disabled_at = now() where id = ${other.operatorId}`.execute(
      world.context.db,
    );
    expect(await approve(orphan.id)).toMatchObject(refusal(409, 'proposer_not_entitled'));
    world.clock.advance(HOUR);
    expect(await approve(late.id)).toMatchObject(refusal(409, 'announcement_over'));
    for (const one of [late, orphan]) expect(await reject(one.id)).toMatchObject({ status: 200 });
    expect(await titles()).not.toContain('Orphan');
  });
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
  [{ to: '1999-01-02T00:00:00Z' }, 'to', 'period_over'],
])('%j is refused and names the field', async (more, field, code) => {
  expect(await write(more)).toMatchObject(refusal(422, code, field));
});

test.each(['support', 'admin'] as const)(
  'a period that ends while the code of %s is checked is refused',
  async (role) => {
    const { operatorId, code } = world[role];
    const [start, otp] = [world.clock.now(), await code()];
    let asked = 0;
    const now = () => {
      asked += 1;
      return new Date(start.getTime() + (asked === 1 ? 0 : 1000));
    };
    const short = { ...draft({ to: new Date(start.getTime() + 500).toISOString() }), otp };
    const actor = { operatorId, address: '192.0.2.7' };
    await expect(writeAnnouncement({ ...world.context, now }, actor, short)).rejects.toMatchObject({
      code: 'period_over',
    });
  },
);

test('an announcement cannot be changed or deleted, not even by the program', async () => {
  const refused = (statement: ReturnType<typeof sql>) => expect(statement.execute(world.context.db)).rejects;
  await refused(sql`update notify.announcement set text = 'other'`).toThrow('not changed');
  await refused(sql`update notify.announcement set ended_by = null, ended_at = null`).toThrow('not changed');
  await refused(sql`delete from notify.announcement`).toThrow('not changed');
});

test('a closed account leaves no trace of its dismissals', async () => {
  await inTransaction(world.context.db, (tx) => forgetMember(tx, anna.memberId, { subject: 'Closed', text: 'Bye.\n' }));
  expect(
    await world.select(sql`select 1 from notify.announcement_dismissal where member_id = ${anna.memberId}`),
  ).toEqual([]);
});

test('one that has not started is ended as well, and never shown', async () => {
  const early = await written({ title: 'Not yet', from: inHours(1), to: inHours(3) });
  expect(await end(early.id)).toMatchObject({ status: 200, body: { data: { state: 'ended' } } });
  world.clock.advance(2 * HOUR);
  expect((await shown(bert)).map(({ title }: { title: string }) => title)).not.toContain('Not yet');
});
