import { expect, test } from 'vitest';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testContext } from '#test/worlds/builders.ts';
import { listEmails, type Notice, notifyMember, notifyMembers, queueEmail, setRecipient } from './index.ts';
import { findNotificationPage, markNotificationsRead } from './notifications.ts';

const database = closeAfterAll(await openTestDatabase());

let lastMember = 0n;
const newMember = () => {
  lastMember += 1n;
  return lastMember;
};
const tellAll = (...notices: Notice[]) => inTransaction(database.db, (tx) => notifyMembers(tx, notices));
const tell = (memberId: bigint, ...messages: string[]) =>
  tellAll(...messages.map((message) => ({ memberId, kind: 'test', message })));
const reach = (memberId: bigint, name: string, address: string) =>
  inTransaction(database.db, (tx) => setRecipient(tx, { memberId, name, address }));
const messagesOf = async (memberId: bigint, limit = 100, cursor?: string) => {
  const page = await findNotificationPage(database.db, memberId, { limit, cursor });
  return { ...page, items: page.items.map((item) => item.message) };
};

test('pages follow each other without gap or repeat while new ones arrive', async () => {
  const anna = newMember();
  await tell(anna, '1', '2', '3', '4', '5');
  const first = await messagesOf(anna, 2);
  await tell(anna, '6');
  const second = await messagesOf(anna, 2, first.nextCursor ?? undefined);
  const third = await messagesOf(anna, 2, second.nextCursor ?? undefined);
  expect([first.items, second.items, third.items]).toEqual([['5', '4'], ['3', '2'], ['1']]);
  expect(third.nextCursor).toBeNull();
});

test('reading up to one leaves later ones, and those of others, unread', async () => {
  const context = testContext(database);
  const [anna, bert] = [newMember(), newMember()];
  await tell(anna, 'first', 'second');
  await tell(bert, 'of Bert');
  const { items } = await findNotificationPage(database.db, anna, { limit: 1 });
  await tell(anna, 'third');
  expect(await markNotificationsRead(context, anna, items[0]?.id ?? 0n)).toBe(1);
  expect(await markNotificationsRead(context, anna, items[0]?.id ?? 0n)).toBe(1);
  const page = await findNotificationPage(database.db, anna, { limit: 10 });
  expect(page.items.map((item) => item.read_at?.toISOString() ?? null)).toEqual([
    null,
    '2026-03-04T12:00:00.000Z',
    '2026-03-04T12:00:00.000Z',
  ]);
  expect((await findNotificationPage(database.db, bert, { limit: 1 })).unread).toBe(1);
});

test('ten thousand members are notified in one call, each with their own message', async () => {
  const memberIds = Array.from({ length: 10_000 }, () => newMember());
  await tellAll(...memberIds.map((memberId) => ({ memberId, kind: 'test', message: `for ${memberId}` })));
  const last = memberIds.at(-1) ?? 0n;
  expect((await messagesOf(last)).items).toEqual([`for ${last}`]);
});

test('notifying nobody does nothing', () => tellAll());

test('an email goes to the member’s address at that time; without an address there is none', async () => {
  const [anna, bert] = [newMember(), newMember()];
  const mail = { subject: 'Your deposit arrived', text: 'It is there.\n' };
  const both = [bert, anna].map((memberId) => ({ memberId, kind: 'test', message: 'both', mail }));
  await reach(anna, 'Anna', 'old@mail.example');
  await tellAll(...both);
  await reach(anna, 'Anna Berg', 'new@mail.example');
  await tellAll(...both);
  const { items } = await listEmails(database.db, { limit: 10 });
  expect(items.map(({ to_name, to_address, subject, state }) => [to_name, to_address, subject, state])).toEqual([
    ['Anna Berg', 'new@mail.example', 'Your deposit arrived', 'waiting'],
    ['Anna', 'old@mail.example', 'Your deposit arrived', 'waiting'],
  ]);
  expect((await messagesOf(bert)).items).toEqual(['both', 'both']);
});

test('notification and email are rolled back with their event', async () => {
  const anna = newMember();
  const before = (await listEmails(database.db, { limit: 100 })).items.length;
  const failing = inTransaction(database.db, async (tx) => {
    await setRecipient(tx, { memberId: anna, name: 'Anna', address: 'anna@mail.example' });
    await notifyMember(tx, { memberId: anna, kind: 'test', message: 'no', mail: { subject: 'no', text: 'no' } });
    await queueEmail(tx, { to: { name: 'Anna', address: 'anna@mail.example' }, subject: 'no', text: 'no' });
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await messagesOf(anna)).toEqual({ items: [], nextCursor: null, unread: 0 });
  expect((await listEmails(database.db, { limit: 100 })).items).toHaveLength(before);
});

test('outside a transaction both are a programming error', async () => {
  const tx = database.db as Tx;
  const mail = { to: { name: 'Anna', address: 'anna@mail.example' }, subject: 's', text: 't' };
  await expect(notifyMembers(tx, [{ memberId: 1n, kind: 'k', message: 'm' }])).rejects.toThrow(
    'belongs into the transaction',
  );
  await expect(queueEmail(tx, mail)).rejects.toThrow('belongs into the transaction');
});

test.each([
  ['name', { name: 'Anna\r\nBcc: all@mail.example' }],
  ['address', { address: 'a@mail.example\nBcc: b@mail.example' }],
  ['subject', { subject: 's\r\nBcc: b@mail.example' }],
])('a line break in the %s of an email is refused by the database', async (field, odd) => {
  const { name, address, subject } = { name: 'Anna', address: 'a@mail.example', subject: 's', ...odd };
  const queued = inTransaction(database.db, (tx) => queueEmail(tx, { to: { name, address }, subject, text: 'text' }));
  await expect(queued).rejects.toMatchObject({ constraint: `mail_${field}_is_one_line` });
});

test('a member cannot be given an address of two lines', async () => {
  await expect(reach(1n, 'A', 'a@b.example\n')).rejects.toMatchObject({ constraint: 'recipient_address_is_one_line' });
});
