import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ticketRules } from '#contract/tickets/ticket-rules.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal } from '#test/worlds/app.ts';
import { makeJpeg, makePdf, makePng, makePngOf } from './attachment-files.test-setup.ts';
import { file, openSupportWorld, type Person, question } from './tickets-world.test-setup.ts';

const world = closeAfterAll(await openSupportWorld());
const mira = await world.addMember();
const other = await world.addMember('Ravi Nair');

const ticketsOf = async (person: Person) => (await world.get(person, 'ticket/tickets')).body.data;
const stateOf = async (person: Person, id: string) => (await world.thread(person, id)).ticket.state;
const lastId = (thread: { messages: { id: string }[] }) => thread.messages.at(-1)?.id;

describe('a new ticket', () => {
  test('is open, has a reference to quote, and starts its thread', async () => {
    const made = await world.post(mira, 'ticket/create', question);
    expect(made).toMatchObject({
      status: 200,
      body: {
        data: {
          reference: expect.stringMatching(/^Q-[A-Z2-9]{6}$/),
          subject: question.subject,
          category: 'deposit',
          state: 'open',
          about: null,
          unread: 0,
          created_at: '2026-03-04T12:00:00.000Z',
        },
      },
    });
    expect(await world.thread(mira, made.body.data.id)).toMatchObject({
      ticket: made.body.data,
      messages: [{ author: 'member', name: 'Mira Lund', message: question.message, attachments: [], seen: false }],
    });
  });

  test('can be opened by a frozen account, whose banner links here', async () => {
    const person = await world.addMember();
    await sql`update identity.member set frozen_at = now() where id = ${person.memberId}`.execute(world.context.db);
    expect((await world.post(person, 'ticket/create', question)).status).toBe(200);
  });

  test.each([
    ['a subject of two lines', { subject: 'a\r\nBcc: x@example.com' }, 'subject'],
    ['no subject', { subject: '  ' }, 'subject'],
    ['a subject that is too long', { subject: 'x'.repeat(121) }, 'subject'],
    ['an unknown category', { category: 'complaint' }, 'category'],
    ['an empty message', { message: ' \n ' }, 'message'],
    ['a message that is too long', { message: 'x'.repeat(5001) }, 'message'],
    ['a message with control characters', { message: 'a\u0000b' }, 'message'],
    ['an about without an id', { about: { kind: 'trade' } }, 'about.id'],
  ])('%s is refused and names the field', async (_name, more, field) => {
    const refused = await world.post(mira, 'ticket/create', { ...question, ...more });
    expect(refused.status).toBe(422);
    expect(refused.body.validation_results[0].field).toBe(field);
  });
});

test('a message comes back as text, character for character, with its line breaks', async () => {
  const subject = '<script>alert(1)</script> =cmd|"/c calc"!A1';
  const message = "<img src=x onerror=alert(1)>\r\n\tjavascript:alert(1) {{7*7}} '; drop table support.ticket; --";
  const { id } = await world.open(mira, { subject, message });
  await world.answer(id, message);
  const thread = await world.thread(mira, id);
  expect(thread.ticket.subject).toBe(subject);
  expect(thread.messages.map((one: { message: string }) => one.message)).toEqual(
    Array(2).fill(message.replace('\r\n', '\n')),
  );
});

test('marks that would turn the direction of what follows are removed', async () => {
  const turned = { subject: 'My \u202edeposit', message: 'Paid \u2066yesterday\u2069.\n\u202eSent' };
  const { id } = await world.open(mira, turned);
  const { ticket, messages } = await world.thread(mira, id);
  expect([ticket.subject, messages[0].message]).toEqual(['My deposit', 'Paid yesterday.\nSent']);
});

describe('states', () => {
  test('answered by support, reopened by a reply, closed, reopened by a reply', async () => {
    const { id } = await world.open(mira);
    await world.answer(id, 'We look into it.');
    expect(await stateOf(mira, id)).toBe('answered');
    expect((await world.reply(mira, id, 'Thank you')).body.data).toMatchObject({ author: 'member', name: 'Mira Lund' });
    expect(await stateOf(mira, id)).toBe('open');
    const closed = (await world.post(mira, 'ticket/close', { ticketId: id })).body.data;
    expect(closed).toMatchObject({ id, state: 'closed' });
    world.clock.advance(60);
    expect((await world.post(mira, 'ticket/close', { ticketId: id })).body.data).toEqual(closed);
    await world.reply(mira, id, 'One more thing');
    expect(await stateOf(mira, id)).toBe('open');
    await world.post(mira, 'ticket/close', { ticketId: id });
    await world.answer(id, 'One more thing from us');
    expect(await stateOf(mira, id)).toBe('answered');
  });

  test('a reply sent twice with one key is one message', async () => {
    const { id } = await world.open(mira);
    const body = { ticketId: id, message: 'Hello?' };
    const first = await world.post(mira, 'ticket/reply-user', body, 'reply-1');
    expect((await world.post(mira, 'ticket/reply-user', body, 'reply-1')).body).toEqual(first.body);
    expect((await world.thread(mira, id)).messages).toHaveLength(2);
  });
});

describe('read marks', () => {
  test('messages of support are unread until the member has seen them, which support is shown', async () => {
    const person = await world.addMember();
    const [first, second] = [await world.open(person), await world.open(person)];
    await world.answer(first.id, 'One');
    await world.answer(first.id, 'Two');
    await world.answer(second.id, 'Three');
    const before = await ticketsOf(person);
    expect(before.unread).toBe(3);
    expect(before.items.map((one: { id: string; unread: number }) => [one.id, one.unread])).toEqual([
      [second.id, 1],
      [first.id, 2],
    ]);

    const thread = await world.thread(person, first.id);
    const mark = (upTo: string) => world.post(person, 'ticket/read', { ticketId: first.id, up_to: upTo });
    expect((await mark(thread.messages[1].id)).body.data).toEqual({ unread: 2 });
    expect((await world.operatorThread(first.id)).messages.map((one: { seen: boolean }) => one.seen)).toEqual([
      true,
      true,
      false,
    ]);
    expect((await mark(lastId(thread) as string)).body.data).toEqual({ unread: 1 });
    expect((await mark(thread.messages[1].id)).body.data).toEqual({ unread: 1 });
  });

  test('a message cannot be read before it is written', async () => {
    const person = await world.addMember();
    const { id } = await world.open(person);
    await world.post(person, 'ticket/read', { ticketId: id, up_to: '999999999999999999' });
    await world.answer(id, 'New');
    expect((await ticketsOf(person)).unread).toBe(1);
    expect((await world.operatorThread(id)).messages.at(-1)).toMatchObject({ message: 'New', seen: false });
  });

  test('the member’s messages are seen once support has opened the ticket', async () => {
    const { id } = await world.open(mira);
    expect((await world.thread(mira, id)).messages[0].seen).toBe(false);
    await world.operatorThread(id);
    await world.reply(mira, id, 'More');
    expect((await world.thread(mira, id)).messages.map((one: { seen: boolean }) => one.seen)).toEqual([true, false]);
  });
});

test('the list is sorted by last change, filtered by state, and its pages miss nothing', async () => {
  const person = await world.addMember();
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    if (count % 2 === 0) world.clock.advance(60);
    ids.push((await world.open(person)).id);
  }
  world.clock.advance(60);
  await world.answer(ids[1] as string, 'Answer');
  const order = [ids[1], ids[4], ids[3], ids[2], ids[0]];
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { data } = (await world.get(person, `ticket/tickets?limit=2${page}`)).body;
    seen.push(...data.items.map((one: { id: string }) => one.id));
    cursor = data.next_cursor;
  } while (cursor !== null);
  expect(seen).toEqual(order);
  const answered = (await world.get(person, 'ticket/tickets?state=answered')).body.data;
  expect(answered.items.map((one: { id: string }) => one.id)).toEqual([ids[1]]);
  expect(answered.unread).toBe(1);
  expect((await world.get(person, 'ticket/tickets?cursor=17')).body.validation_results[0].field).toBe('cursor');
});

describe('attachments', () => {
  const download = (person: { token: string }, id: string) =>
    world.app.http.fastify.inject({
      url: `/api/v1/ticket/attachments/${id}`,
      headers: { authorization: `Bearer ${person.token}` },
    });

  test('three files, stored under plain names, come back byte for byte and only as downloads', async () => {
    const files = [makePng(), makeJpeg(), makePdf()];
    const { id } = await world.open(mira, {
      attachments: [
        file('../transfer "1".png.exe', 'image/png', files[0] as Buffer),
        file('Foto.JPEG', 'image/jpeg', files[1] as Buffer),
        file('Beleg.pdf', 'application/pdf', files[2] as Buffer),
      ],
    });
    const [{ attachments }] = (await world.thread(mira, id)).messages;
    expect(attachments).toMatchObject([
      { name: 'transfer -1-png.png', type: 'image/png', bytes: files[0]?.length },
      { name: 'Foto.jpg', type: 'image/jpeg', bytes: files[1]?.length },
      { name: 'Beleg.pdf', type: 'application/pdf', bytes: files[2]?.length },
    ]);
    for (const [index, one] of attachments.entries()) {
      const reply = await download(mira, one.id);
      expect(reply.statusCode).toBe(200);
      expect(reply.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${one.name}"`,
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      });
      expect(Buffer.compare(reply.rawPayload, files[index] as Buffer)).toBe(0);
    }
  });

  test('a file of 5 MB is accepted, with a message of the maximum length', async () => {
    const biggest = file('a.png', 'image/png', makePngOf(ticketRules.attachmentMaxBytes));
    const { id } = await world.open(mira, {
      message: 'ü'.repeat(ticketRules.messageMaxLength),
      attachments: [biggest],
    });
    const [{ attachments }] = (await world.thread(mira, id)).messages;
    const { rawPayload } = await download(mira, attachments[0].id);
    expect(rawPayload.toString('base64') === biggest.content).toBe(true);
  });

  // Other refusals are covered in core/read-attachment.test.ts.
  const page = '<html><script>alert(1)</script></html>';
  test.each<[string, ReturnType<typeof file>]>([
    ['a page after a PNG', file('a.png', 'image/png', Buffer.concat([makePng(), Buffer.from(page)]))],
    ['no base64', { ...file('a.png', 'image/png', makePng()), content: '<script>' }],
  ])('%s is refused by its position among the files, and nothing is written', async (_name, bad) => {
    await world.open(other);
    const before = await ticketsOf(other);
    const attachments = [file('good.png', 'image/png', makePng()), bad];
    for (const refused of [
      await world.post(other, 'ticket/create', { ...question, attachments }),
      await world.reply(other, before.items[0].id, 'see here', { attachments }),
    ]) {
      expect(refused).toMatchObject(refusal(422, 'attachment_refused'));
      expect(refused.body.validation_results[0].field).toBe('attachments.1');
    }
    expect(await ticketsOf(other)).toEqual(before);
  });

  test.each([
    ['a 4th file', Array(4).fill(file('a.png', 'image/png', makePng())), 'attachments'],
    ['a file of 6 MB', [file('a.png', 'image/png', makePngOf(6 * 1024 * 1024))], 'attachments.0.content'],
    [
      'an SVG declared as one',
      [{ ...file('a.svg', 'image/png', makePng()), type: 'image/svg+xml' }],
      'attachments.0.type',
    ],
    ['an empty file', [{ ...file('a.png', 'image/png', makePng()), content: '' }], 'attachments.0.content'],
  ])('%s is refused and names the field', async (_name, attachments, field) => {
    const refused = await world.post(mira, 'ticket/create', { ...question, attachments });
    expect(refused).toMatchObject(refusal(422, 'validation'));
    expect(refused.body.validation_results[0].field).toBe(field);
  });
});

test('another member’s ticket is answered as if it did not exist', async () => {
  const { id } = await world.open(mira, { attachments: [file('a.png', 'image/png', makePng())] });
  const [message] = (await world.thread(mira, id)).messages;
  const asked = (ticketId: string, attachmentId: string) =>
    Promise.all([
      world.get(other, `ticket/ticket-msg?ticketId=${ticketId}`),
      world.reply(other, ticketId, 'Let me in'),
      world.post(other, 'ticket/read', { ticketId, up_to: message.id }),
      world.post(other, 'ticket/close', { ticketId }),
      world.get(other, `ticket/attachments/${attachmentId}`),
    ]);
  const foreign = await asked(id, message.attachments[0].id);
  const missing = await asked('999999999', '999999999');
  expect(foreign.map(({ status, body }) => [status, body])).toEqual(missing.map(({ status, body }) => [status, body]));
  expect(foreign.map(({ body }) => body.code)).toEqual([...Array(4).fill('ticket_not_found'), 'attachment_not_found']);
  expect((await ticketsOf(other)).items.map((one: { id: string }) => one.id)).not.toContain(id);
  expect((await world.thread(mira, id)).messages).toHaveLength(1);
});

test('the database never changes what was written', async () => {
  await world.open(mira, { attachments: [file('a.png', 'image/png', makePng())] });
  for (const table of ['message', 'attachment', 'attachment_content'])
    for (const statement of [`delete from support.${table}`, `truncate support.${table} cascade`])
      await expect(world.database.runScript(statement)).rejects.toMatchObject({ code: 'TWS01' });
  await expect(world.database.runScript(`update support.message set text = 'x'`)).rejects.toMatchObject({
    code: 'TWS01',
  });
});
