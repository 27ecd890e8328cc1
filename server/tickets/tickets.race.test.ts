import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ticketRules } from '#contract/tickets/ticket-rules.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import type { Answer } from '#test/worlds/app.ts';
import { openSupportWorld, question } from './tickets-world.test-setup.ts';

const world = closeAfterAll(await openSupportWorld());

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

test('20 concurrent requests with one key open one ticket, and each that succeeds returns it', async () => {
  const person = await world.addMember();
  const answers = await times(20, () => world.post(person, 'ticket/create', question, 'the-key'));
  for (const { status, body } of answers)
    expect(status === 200 || body.code === 'idempotency_running', JSON.stringify(body)).toBe(true);
  const made = answers.filter(({ status }) => status === 200);
  expect(made.length).toBeGreaterThan(0);
  expect(new Set(made.map(({ text }) => text)).size).toBe(1);
  expect((await world.get(person, 'ticket/tickets')).body.data.items).toHaveLength(1);
});

test('of 30 concurrent tickets 20 are opened', async () => {
  const person = await world.addMember();
  const answers = await times(30, () => world.post(person, 'ticket/create', question));
  expect(statusesOf(answers).filter((status) => status === 200)).toHaveLength(ticketRules.ticketsADay);
  expect(answers.filter(({ body }) => body.code === 'too_many_tickets')).toHaveLength(10);
});

test('concurrent replies of both sides are all kept, each one change of the ticket, in one order', async () => {
  const person = await world.addMember();
  const { id } = await world.open(person);
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, (_, index) => world.reply(person, id, `member ${index}`)),
    ...Array.from({ length: 8 }, (_, index) => world.answer(id, `support ${index}`)),
    ...Array.from({ length: 4 }, (_, index) => world.answer(id, `note ${index}`, { private: true })),
  ]);
  expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
  const { ticket, messages } = await world.operatorThread(id);
  expect(messages).toHaveLength(21);
  expect(ticket.version).toBe(21);
  const ids = messages.map((one: { id: string }) => Number(one.id));
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  const last = messages.findLast((one: { private: boolean }) => !one.private);
  expect(ticket.state).toBe(last.author === 'member' ? 'open' : 'answered');
});

test('a reply against a close by an operator: the message is kept, and nothing unread is closed', async () => {
  const person = await world.addMember();
  for (let round = 0; round < 15; round += 1) {
    const { id } = await world.open(person);
    const [reply, close] = await Promise.all([
      world.reply(person, id, 'Wait'),
      world.post(world.support, `operator/tickets/${id}/close`, { version: 1 }),
    ]);
    expect(reply.status).toBe(200);
    expect(close.status === 200 || close.body.code === 'ticket_changed').toBe(true);
    const { ticket, messages } = await world.thread(person, id);
    expect(messages).toHaveLength(2);
    expect(ticket.state).toBe('open');
  }
});

test('a reply against a close by the member: the last one wins, and the message is kept', async () => {
  const person = await world.addMember();
  for (let round = 0; round < 10; round += 1) {
    const { id } = await world.open(person);
    const answers = await Promise.all([
      world.reply(person, id, 'One more'),
      world.post(person, 'ticket/close', { ticketId: id }),
    ]);
    expect(statusesOf(answers)).toEqual([200, 200]);
    const { ticket, messages } = await world.thread(person, id);
    expect(messages).toHaveLength(2);
    expect(['open', 'closed']).toContain(ticket.state);
  }
});

test('of two operators who close a ticket in the same version one succeeds, and the other is refused', async () => {
  const person = await world.addMember();
  const { id } = await world.open(person);
  const answers = await times(2, () => world.post(world.support, `operator/tickets/${id}/close`, { version: 1 }));
  expect(statusesOf(answers).sort()).toEqual([200, 409]);
});

test('of canned replies saved at once under one title, each replaces the one before, and one is left', async () => {
  const save = (text: string) =>
    world.app.ask('PUT', 'operator/canned-replies', {
      token: world.support.token,
      body: { title: 'A greeting', text },
    });
  const answers = await times(8, (index) => save(`Hello ${index}`));
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  const { rows } = await sql<{ before: string | null; after: string }>`
    select before ->> 'text' as before, after ->> 'text' as after from audit.entry
    where action = 'canned_reply.save' order by id`.execute(world.context.db);
  expect(rows.map(({ before }) => before)).toEqual([null, ...rows.slice(0, -1).map(({ after }) => after)]);
});
