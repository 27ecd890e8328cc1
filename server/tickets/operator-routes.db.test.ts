import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, success } from '#test/worlds/app.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { makePng } from './attachment-files.test-setup.ts';
import { sumOpenTickets } from './index.ts';
import { file, openSupportWorld, type Person } from './tickets-world.test-setup.ts';

const world = closeAfterAll(await openSupportWorld());
const admin = await makeOperator(world.context, 'admin');
const finance = await makeOperator(world.context, 'finance');
const mira = await world.addMember();

const office = (url: string) => world.get(world.support, `operator/${url}`);
const act = (ticketId: string, action: string, body: unknown) =>
  world.post(world.support, `operator/tickets/${ticketId}/${action}`, body);
const png = file('proof.png', 'image/png', makePng());

const auditOf = (subject: string) =>
  world.list(
    sql<{ action: string; actor: string; before: unknown; after: unknown; address: string }>`
      select action, actor_kind || ':' || actor_id as actor, before, after, address from audit.entry
      where subject = ${subject} order by id`,
  );
const noticesOf = (memberId: bigint) =>
  world.list(sql<{ kind: string; message: string }>`
    select kind, message from notify.notification where member_id = ${memberId} order by id`);
const emailsOf = (person: Person) =>
  world.list(sql<{ subject: string; text: string }>`
    select m.subject, m.text from notify.mail m join notify.recipient r on r.address = m.to_address
    where r.member_id = ${person.memberId} order by m.id`);

describe('a reply', () => {
  test('shows its author’s first name, and is notified without its text', async () => {
    const person = await world.addMember();
    const ticket = await world.open(person, { subject: 'My secret question' });
    const sent = await world.answer(ticket.id, 'The secret answer', { attachments: [png] });
    expect(sent).toMatchObject(
      success({
        author: 'support',
        name: 'Op support',
        message: 'The secret answer',
        private: false,
        seen: false,
        attachments: [{ name: 'proof.png', type: 'image/png' }],
      }),
    );
    const thread = await world.thread(person, ticket.id);
    expect(thread.ticket).toMatchObject({ state: 'answered', unread: 1 });
    expect(thread.messages[1]).toMatchObject({ author: 'support', name: 'Op', message: 'The secret answer' });
    const kept = await world.get(person, `ticket/attachments/${thread.messages[1].attachments[0].id}`);
    expect(kept.status).toBe(200);

    const notice = (await noticesOf(person.memberId)).at(-1);
    expect(notice).toEqual({ kind: 'ticket_answered', message: `Support answered your ticket ${ticket.reference}.` });
    const mail = (await emailsOf(person)).at(-1);
    expect(mail?.subject).toBe(`Support answered your ticket ${ticket.reference}`);
    expect(JSON.stringify([notice, mail])).not.toMatch(/secret/i);

    expect(await auditOf(`ticket:${ticket.id}`)).toEqual([
      {
        action: 'ticket.reply',
        actor: `operator:${world.support.operatorId}`,
        before: { state: 'open', assigned_to: null, version: 1 },
        after: { state: 'answered', assigned_to: null, version: 2, message_id: sent.body.data.id, attachments: 1 },
        address: '127.0.0.1',
      },
    ]);
  });

  test('sent twice with one key is one reply and one email', async () => {
    const person = await world.addMember();
    const { id } = await world.open(person);
    const send = () => world.post(world.support, `operator/tickets/${id}/reply`, { message: 'Once' }, `answer-${id}`);
    const first = await send();
    expect((await send()).body).toEqual(first.body);
    expect((await world.thread(person, id)).messages).toHaveLength(2);
    expect((await noticesOf(person.memberId)).filter(({ kind }) => kind === 'ticket_answered')).toHaveLength(1);
  });

  test('that crosses with another message of the member keeps the ticket in the queue', async () => {
    const person = await world.addMember();
    const { id } = await world.open(person);
    const seen = (await world.operatorThread(id)).messages.at(-1).id;
    world.clock.advance(60);
    const { created_at: since } = (await world.reply(person, id, 'Please do not pay it out!')).body.data;
    world.clock.advance(60);
    await world.answer(id, 'We pay it out.', { seen });
    const { ticket, messages } = await world.operatorThread(id);
    expect(ticket).toMatchObject({ state: 'open', waiting_since: since, version: 3 });
    expect((await office('tickets?state=open&limit=100')).body.data.items).toContainEqual(ticket);
    await world.answer(id, 'We do not.', { seen: messages.at(-1).id });
    expect((await world.operatorThread(id)).ticket).toMatchObject({ state: 'answered', waiting_since: null });
  });

  test('is refused if a colleague answered or noted something after the last message seen', async () => {
    const person = await world.addMember();
    const { id } = await world.open(person);
    const last = async () => (await world.operatorThread(id)).messages.at(-1).id;
    const first = await last();
    expect(await world.answer(id, 'We pay it out.', { seen: first })).toMatchObject({ status: 200 });
    expect(await world.answer(id, 'We do not.', { seen: first })).toMatchObject(refusal(409, 'ticket_changed'));
    const second = await last();
    expect(await world.answer(id, 'Wait for finance.', { private: true, seen: first })).toMatchObject({ status: 200 });
    expect(await world.answer(id, 'Paid.', { seen: second })).toMatchObject(refusal(409, 'ticket_changed'));
    expect((await world.thread(person, id)).messages).toHaveLength(2);
    expect(await world.answer(id, 'Paid.', { seen: await last() })).toMatchObject({ status: 200 });
  });

  test('to a closed account is refused: nobody would read it; a note is accepted', async () => {
    const person = await world.addMember();
    const { id } = await world.open(person);
    const { id: done } = await world.open(person);
    const closed = (await world.post(person, 'ticket/close', { ticketId: done })).body.data;
    world.clock.advance(60);
    await world.closeAccount(person);
    expect(await world.answer(id, 'It was credited.')).toMatchObject(refusal(409, 'account_closed'));
    expect(await noticesOf(person.memberId)).toEqual([]);
    expect(await world.answer(id, 'Closed the account', { private: true })).toMatchObject({ status: 200 });
    expect((await world.operatorThread(id)).ticket).toMatchObject({ state: 'closed', member: { closed: true } });
    expect((await world.operatorThread(done)).ticket.updated_at).toBe(closed.updated_at);
  });

  test('with a file that cannot be attached is refused, and nothing is sent', async () => {
    const { id } = await world.open(mira);
    const bad = file('a.png', 'image/png', Buffer.from('<svg/>'));
    expect(await world.answer(id, 'See here', { attachments: [bad] })).toMatchObject(
      refusal(422, 'attachment_refused', 'attachments.0'),
    );
    expect((await world.thread(mira, id)).messages).toHaveLength(1);
  });
});

describe('a private note', () => {
  test('is visible to operators and in no call of the member: no text, count, file, mark, state or time', async () => {
    const person = await world.addMember();
    const { id } = await world.open(person);
    await world.answer(id, 'We look into it.');
    const calls = () =>
      Promise.all(['ticket/tickets', `ticket/ticket-msg?ticketId=${id}`].map((url) => world.get(person, url)));
    const textOf = async () => (await calls()).map(({ text }) => text);
    const before = await textOf();
    const told = [await noticesOf(person.memberId), await emailsOf(person)];

    world.clock.advance(60);
    const note = await world.answer(id, 'Known cheat', { private: true, attachments: [png] });
    expect(note.body.data).toMatchObject({ private: true, seen: false, author: 'support', message: 'Known cheat' });
    expect(await textOf()).toEqual(before);
    expect([await noticesOf(person.memberId), await emailsOf(person)]).toEqual(told);
    const fileId = note.body.data.attachments[0].id;
    expect((await world.get(person, `ticket/attachments/${fileId}`)).body.code).toBe('attachment_not_found');
    expect((await office(`attachments/${fileId}`)).status).toBe(200);

    await world.post(person, 'ticket/read', { ticketId: id, up_to: note.body.data.id });
    const thread = await world.operatorThread(id);
    expect(thread.ticket.state).toBe('answered');
    expect(thread.messages.map((one: { private: boolean; seen: boolean }) => [one.private, one.seen])).toEqual([
      [false, true],
      [false, true],
      [true, false],
    ]);
    expect((await auditOf(`ticket:${id}`)).map(({ action }) => action)).toContain('ticket.note');
  });

  test('neither reopens a closed ticket nor answers an open one', async () => {
    const { id } = await world.open(mira);
    await world.answer(id, 'Note', { private: true });
    expect((await world.thread(mira, id)).ticket.state).toBe('open');
    await world.post(mira, 'ticket/close', { ticketId: id });
    await world.answer(id, 'Note', { private: true });
    expect((await world.thread(mira, id)).ticket.state).toBe('closed');
  });
});

describe('the ticket queue', () => {
  test('shows the member and their unread messages; opening a ticket marks those once', async () => {
    const person = await world.addMember('Ravi Nair');
    const { id } = await world.open(person);
    await world.reply(person, id, 'More');
    const listed = (await office('tickets?state=open&limit=100')).body.data.items.find(
      (one: { id: string }) => one.id === id,
    );
    expect(listed).toMatchObject({
      unread: 2,
      version: 2,
      member: { id: person.memberId.toString(), referral_code: person.referralCode, name: 'Ravi Nair' },
      assigned_to: null,
    });
    const opened = await world.operatorThread(id);
    expect(opened.ticket.unread).toBe(0);
    expect(opened.messages.map((one: { name: string; seen: boolean }) => [one.name, one.seen])).toEqual([
      ['Ravi Nair', true],
      ['Ravi Nair', true],
    ]);
    await world.answer(id, 'We look into it.');
    await world.operatorThread(id);
    const reads = (await auditOf(`ticket:${id}`)).filter(({ action }) => action === 'ticket.read');
    const read = { state: 'open', assigned_to: null, version: 2, up_to: opened.messages[1].id };
    expect(reads.map(({ after }) => after)).toEqual([read]);
  });

  test('lists open tickets by who has waited longest, whoever writes again; others by their last change', async () => {
    const own = await openSupportWorld();
    const person = await own.addMember();
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      own.clock.advance(60);
      ids.push((await own.open(person, { category: count === 3 ? 'trade' : 'other' })).id);
    }
    own.clock.advance(60);
    await own.reply(person, ids[0] as string, 'Still waiting');
    const list = async (query: string) => (await own.get(own.support, `operator/tickets?${query}`)).body.data;
    const idsOf = (data: { items: { id: string }[] }) => data.items.map((one) => one.id);
    expect(idsOf(await list('state=open'))).toEqual(ids);
    expect(idsOf(await list(''))).toEqual([ids[0], ids[3], ids[2], ids[1]]);
    expect(idsOf(await list('category=trade'))).toEqual([ids[3]]);
    for (const [query, order] of [
      ['state=open&', ids],
      ['', [ids[0], ids[3], ids[2], ids[1]]],
    ] as const) {
      const first = await list(`${query}limit=1`);
      const second = await list(`${query}limit=3&cursor=${first.next_cursor}`);
      expect([...idsOf(first), ...idsOf(second)]).toEqual(order);
      expect(second.next_cursor).toBeNull();
    }
    await own.answer(ids[0] as string, 'Answer');
    own.clock.advance(60);
    await own.reply(person, ids[0] as string, 'And then?');
    expect(idsOf(await list('state=open'))).toEqual([ids[1], ids[2], ids[3], ids[0]]);
    const [longest, , , latest] = (await list('state=open')).items;
    expect(longest.waiting_since).toBe(longest.created_at);
    expect(latest.waiting_since).toBe(latest.updated_at);
    expect((await own.get(own.support, 'operator/tickets?cursor=x')).body.validation_results[0].field).toBe('cursor');
    await own.close();
  });

  test('a ticket is claimed, reassigned and released, invisibly to the member', async () => {
    const { id } = await world.open(mira);
    const before = await world.get(mira, `ticket/ticket-msg?ticketId=${id}`);
    world.clock.advance(60);
    const take = await act(id, 'assign', { version: 1, operator_id: String(world.support.operatorId) });
    expect(take.body.data).toMatchObject({
      version: 2,
      assigned_to: { id: String(world.support.operatorId), name: 'Op support' },
    });
    const idsOf = async (assigned: string) =>
      (await office(`tickets?limit=100&assigned=${assigned}`)).body.data.items.map((one: { id: string }) => one.id);
    expect(await idsOf('me')).toEqual([id]);
    expect(await idsOf('nobody')).not.toContain(id);

    const again = await act(id, 'assign', { version: 2, operator_id: String(world.support.operatorId) });
    expect(again.body.data.version).toBe(2);
    await act(id, 'assign', { version: 2, operator_id: String(admin.operatorId) });
    expect(await idsOf('me')).toEqual([]);
    expect((await act(id, 'assign', { version: 3, operator_id: null })).body.data.assigned_to).toBeNull();
    expect(await idsOf('nobody')).toContain(id);
    expect((await world.get(mira, `ticket/ticket-msg?ticketId=${id}`)).text).toBe(before.text);
    expect((await auditOf(`ticket:${id}`)).map(({ action }) => action)).toEqual(Array(3).fill('ticket.assign'));
  });

  test('a ticket cannot be assigned to an operator without access to tickets, or a former one', async () => {
    const { id } = await world.open(mira);
    const gone = await makeOperator(world.context, 'support');
    const readers = async () =>
      (await office('ticket-readers')).body.data.items.map((one: { id: string }) => one.id) as string[];
    expect(await readers()).toContain(String(gone.operatorId));
    await sql`update identity.operator set disabled_at = now() where id = ${gone.operatorId}`.execute(world.context.db);
    expect((await readers()).toSorted()).toEqual(
      [admin, world.support].map((one) => String(one.operatorId)).toSorted(),
    );
    for (const operatorId of [finance, gone].map((one) => String(one.operatorId)).concat('999999999'))
      expect(await act(id, 'assign', { version: 1, operator_id: operatorId })).toMatchObject(refusal(404, 'not_found'));
  });

  test('a ticket of an operator who lost access is unassigned again', async () => {
    const { id } = await world.open(mira);
    const [left, lowered] = [await makeOperator(world.context, 'support'), await makeOperator(world.context, 'admin')];
    const unassigned = async () => {
      const { items } = (await office('tickets?limit=100&assigned=nobody')).body.data;
      return {
        isListed: items.some((one: { id: string }) => one.id === id),
        open: (await sumOpenTickets(world.context.db, true)).unassigned,
        shown: (await world.operatorThread(id)).ticket.assigned_to,
      };
    };
    const before = await unassigned();
    expect(before).toMatchObject({ isListed: true, shown: null });
    for (const [colleague, version, change] of [
      [left, 1, sql`disabled_at = now()`],
      [lowered, 2, sql`role = 'finance'`],
    ] as const) {
      const operatorId = String(colleague.operatorId);
      expect((await act(id, 'assign', { version, operator_id: operatorId })).status).toBe(200);
      expect(await unassigned()).toMatchObject({ isListed: false, open: before.open - 1n, shown: { id: operatorId } });
      await sql`update identity.operator set ${change} where id = ${colleague.operatorId}`.execute(world.context.db);
      expect(await unassigned()).toEqual(before);
    }
  });

  test('closing notifies the member, once; their reply reopens the ticket', async () => {
    const person = await world.addMember();
    const { id, reference } = await world.open(person);
    expect((await act(id, 'close', { version: 1 })).body.data).toMatchObject({ state: 'closed', version: 2 });
    expect((await act(id, 'close', { version: 2 })).body.data.version).toBe(2);
    expect(await noticesOf(person.memberId)).toEqual([
      { kind: 'ticket_closed', message: `Support closed your ticket ${reference}. Reply to reopen it.` },
    ]);
    await world.reply(person, id, 'Not settled');
    expect((await world.thread(person, id)).ticket.state).toBe('open');
    expect((await auditOf(`ticket:${id}`)).map(({ action }) => action)).toEqual(['ticket.close']);
  });

  test('a ticket that changed since it was seen is neither closed nor assigned', async () => {
    const { id } = await world.open(mira);
    await world.reply(mira, id, 'One more thing');
    for (const refused of [
      await act(id, 'close', { version: 1 }),
      await act(id, 'assign', { version: 1, operator_id: null }),
    ])
      expect(refused).toMatchObject(refusal(409, 'ticket_changed'));
    await world.answer(id, 'A note', { private: true });
    expect((await act(id, 'close', { version: 2 })).body.code).toBe('ticket_changed');
    expect((await world.thread(mira, id)).ticket.state).toBe('open');
  });

  test('an unknown ticket or file is not found', async () => {
    const missing = await Promise.all([
      office('tickets/999999999'),
      act('999999999', 'reply', { message: 'x' }),
      act('999999999', 'close', { version: 1 }),
      act('999999999', 'assign', { version: 1, operator_id: null }),
      office('attachments/999999999'),
    ]);
    expect(missing.map(({ body }) => body.code)).toEqual([
      ...Array(4).fill('ticket_not_found'),
      'attachment_not_found',
    ]);
  });

  test('a download of a member’s file is in the audit log', async () => {
    const { id } = await world.open(mira, { attachments: [png] });
    const [{ attachments }] = (await world.operatorThread(id)).messages;
    const download = await office(`attachments/${attachments[0].id}`);
    expect(download.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="proof.png"',
    });
    expect((await auditOf(`ticket:${id}`)).at(-1)).toMatchObject({
      action: 'ticket.download',
      after: { attachment_id: attachments[0].id },
    });
  });
});

describe('canned replies', () => {
  const save = (title: string, text: string) =>
    world.app.ask('PUT', 'operator/canned-replies', { token: world.support.token, body: { title, text } });
  const remove = (id: string) =>
    world.app.ask('DELETE', `operator/canned-replies/${id}`, { token: world.support.token });
  const list = async () =>
    (await office('canned-replies')).body.data.items.map((one: { title: string; text: string }) => [
      one.title,
      one.text,
    ]);

  test('are created, changed under their title, listed by it and deleted, all of it audited', async () => {
    const first = (await save('Waiting for the network', 'It is confirmed soon.')).body.data;
    await save('a greeting', 'Hello {name},\nthank you.');
    expect((await save('Waiting for the network', 'It takes an hour.')).body.data.id).toBe(first.id);
    expect(await list()).toEqual([
      ['a greeting', 'Hello {name},\nthank you.'],
      ['Waiting for the network', 'It takes an hour.'],
    ]);
    expect((await remove(first.id)).body.data).toBeNull();
    expect(await remove(first.id)).toMatchObject(refusal(404, 'not_found'));
    expect(await list()).toHaveLength(1);
    const title = 'Waiting for the network';
    expect(await auditOf(`canned_reply:${first.id}`)).toMatchObject([
      { action: 'canned_reply.save', before: null, after: { title, text: 'It is confirmed soon.' } },
      {
        action: 'canned_reply.save',
        before: { title, text: 'It is confirmed soon.' },
        after: { text: 'It takes an hour.' },
      },
      { action: 'canned_reply.delete', before: { title, text: 'It takes an hour.' }, after: null },
    ]);
  });

  test.each([
    ['no title', { title: '', text: 'x' }, 'title'],
    ['no text', { title: 'x', text: ' ' }, 'text'],
  ])('%s is refused', async (_name, body, field) => {
    const refused = await world.app.ask('PUT', 'operator/canned-replies', { token: world.support.token, body });
    expect(refused.body.validation_results[0].field).toBe(field);
  });
});
