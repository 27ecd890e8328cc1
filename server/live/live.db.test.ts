import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { liveCloses, liveTopics } from '#contract/live/live-rules.ts';
import { symbols } from '#contract/rules.ts';
import { findCaller } from '#server/accounts/index.ts';
import { endAuthSession, endOtherSessions } from '#server/accounts/sign-in/auth-sessions.ts';
import type { MemberCaller } from '#server/caller.ts';
import { findValue } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { markNotificationsRead } from '#server/notify/notifications.ts';
import { createTicket } from '#server/tickets/create-ticket.ts';
import { replyAsOperator } from '#server/tickets/queue/change-ticket.ts';
import { placeTrade } from '#server/trading/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { actorOf, makeOperator } from '#test/worlds/operators.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { purgeEvents } from './event-sql.ts';
import { listen, type TestConnection, testSocket } from './live-world.test-setup.ts';
import { type Live, openLive } from './open-live.ts';

type Person = Awaited<ReturnType<typeof signUp>>;

let live: Live;
let anna: Person;
let bert: Person;
let present: TestConnection[];

const { database, context, clock } = closeAfterAll(await bootRecorded({}, { LIVE_SOCKETS_OF_MEMBER: '3' }));

const START = clock.now();
let people = 0;
const addMember = () => {
  people += 1;
  return signUp(context, { name: 'Mira Lund', email: `mira.${people}@example.com` });
};

beforeEach(async () => {
  live = openLive(context);
  present = [];
  [anna, bert] = [await addMember(), await addMember()];
});
afterEach(() => {
  for (const { connection } of present) connection.disconnect();
  clock.set(START);
});

async function open({ token }: Pick<Person, 'token'>, options: Parameters<typeof listen>[2] = {}, house = live) {
  const came = await listen(house, token, options);
  present.push(came);
  return came;
}

/** A socket that has sent its handshake, which is not answered yet. */
function join({ token }: Pick<Person, 'token'>, since?: string): TestConnection {
  const socket = testSocket();
  const connection = live.connect(socket);
  connection.receive(JSON.stringify({ token, topics: liveTopics, ...(since && { since }) }));
  present.push({ socket, connection });
  return { socket, connection };
}

/** While no poll can read events. */
async function withoutEvents<T>(run: () => Promise<T>): Promise<T> {
  await database.runScript('alter table live.event rename to away');
  try {
    return await run();
  } finally {
    await database.runScript('alter table live.away rename to event');
  }
}

const tell = (memberId: bigint, message: string) =>
  inTransaction(context.db, (tx) => notifyMember(tx, { memberId, kind: 'test', message }));
const messagesOf = ({ socket }: TestConnection) =>
  socket.of('notification').flatMap(({ data }) => data.added.map(({ message }) => message));
const callerOf = async ({ token }: Person) => (await findCaller(context, token)) as MemberCaller;

test('a new socket first gets a handshake, then the session, the prices and its balances', async () => {
  const { socket } = await open(anna);
  expect(socket.sent.map(({ type }) => type)).toEqual(['ready', 'session', 'prices', 'balance']);
  expect(socket.of('balance')[0]?.data).toEqual({ primary_wallet: 0, profit_wallet: 0 });
  expect(socket.of('prices')[0]?.data.pairs).toHaveLength(symbols.length);
});

test('a notification goes to its member alone, with the unread count', async () => {
  const [ofAnna, ofBert] = [await open(anna), await open(bert)];
  await tell(anna.memberId, 'first');
  await tell(anna.memberId, 'second');
  await live.poll();
  expect(messagesOf(ofAnna)).toEqual(['first', 'second']);
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from notify.notification where member_id = ${anna.memberId}`.execute(context.db);
  expect(ofAnna.socket.of('notification').at(-1)?.data.unread).toBe(rows[0]?.unread);
  expect(messagesOf(ofBert)).toEqual([]);
});

test('reading notifications elsewhere sends the new count without a notification', async () => {
  const ofAnna = await open(anna);
  await tell(anna.memberId, 'read me');
  await live.poll();
  const since = ofAnna.socket.position();
  await markNotificationsRead(context, anna.memberId, 1_000_000n);
  await live.poll();
  await markNotificationsRead(context, anna.memberId, 1_000_000n);
  await live.poll();
  const again = await open(anna, { since });
  const counts = ({ socket }: TestConnection) =>
    socket.of('notification').map(({ data }) => [data.added.length, data.unread]);
  expect([counts(ofAnna), counts(again)]).toEqual([
    [
      [1, 1],
      [0, 0],
    ],
    [[0, 0]],
  ]);
});

test('an answered ticket is sent to its member, a note of operators to nobody', async () => {
  const [ofAnna, ofBert] = [await open(anna), await open(bert)];
  const question = { subject: 'A question', category: 'other', message: 'Hello?' } as const;
  const { id } = await createTicket(context, anna.memberId, question);
  await live.poll();
  const support = actorOf(await makeOperator(context, 'support'));
  const write = (message: string, isPrivate: boolean) =>
    replyAsOperator(context, support, { ticketId: BigInt(id), message, private: isPrivate });
  const told = async () => {
    await live.poll();
    return [ofAnna, ofBert].map(({ socket }) => socket.of('ticket').map(({ data }) => data.ids));
  };
  const before = await told();
  await write('Known cheat', true);
  expect(await told()).toEqual(before);
  await write('Good day', false);
  expect(await told()).toEqual([[[id], [id]], []]);
});

test('a movement of money sends the resulting balances, once, and only to its member', async () => {
  const [ofAnna, ofBert] = [await open(anna), await open(bert)];
  await giveFunds(context, anna.memberId, 100_000_000n);
  await live.poll();
  await live.poll();
  expect(ofAnna.socket.of('balance').map(({ data }) => data.primary_wallet)).toEqual([0, 100]);
  expect(ofBert.socket.of('balance')).toHaveLength(1);
});

test('a placed trade is sent with the remaining balance', async () => {
  await giveFunds(context, anna.memberId, 100_000_000n);
  const ofAnna = await open(anna);
  const trade = await placeTrade(context, anna.memberId, { tradeId: 'btc', amount: 25, wallet_type: 'primary' });
  await live.poll();
  expect(ofAnna.socket.of('trade').map(({ data }) => data.trades)).toEqual([[{ id: trade.id, state: 'queued' }]]);
  expect(ofAnna.socket.of('balance').at(-1)?.data.primary_wallet).toBe(75);
});

test('more trades at once than fit in one message are sent without names', async () => {
  const ofAnna = await open(anna);
  const placed = `
    insert into trading.trade (member_id, symbol, wallet, amount, placed_at, requested_at)
    select ${anna.memberId}, 'btc', 'primary', 5000000, now(), now() from generate_series(1, 101)`;
  // No money backs them, so they must not stay.
  await database.runScript(`${placed}; delete from trading.trade where member_id = ${anna.memberId}`);
  await live.poll();
  expect(ofAnna.socket.of('trade').map(({ data }) => data.trades)).toEqual([null]);
});

test('one statement that touches very many members sends each connected member their own events', async () => {
  const [ofAnna, ofBert] = [await open(anna), await open(bert)];
  await sql`
    insert into notify.notification (member_id, kind, message)
    select case n when 150 then ${anna.memberId}::bigint when 151 then ${bert.memberId}::bigint else 1000000 + n end, 'test', 'of ' || n
    from generate_series(1, 300) n`.execute(context.db);
  await live.poll();
  expect([messagesOf(ofAnna), messagesOf(ofBert)]).toEqual([['of 150'], ['of 151']]);
});

test('a socket gets only the topics that it subscribed to', async () => {
  const { socket } = await open(anna, { topics: ['balance'] });
  await tell(anna.memberId, 'not asked for');
  await giveFunds(context, anna.memberId, 5_000_000n);
  await live.poll();
  await live.tick();
  expect(socket.sent.map(({ type }) => type)).toEqual(['ready', 'balance', 'balance']);
});

test('prices are sent every second, the session only when more than its clock changed', async () => {
  const { socket } = await open(anna);
  await live.tick();
  await sql`update market.clock set at = at + interval '1 second'`.execute(context.db);
  await live.tick();
  expect(socket.of('prices')).toHaveLength(3);
  expect(socket.of('session')).toHaveLength(1);
});

test('an event that is rolled back is never sent', async () => {
  const ofAnna = await open(anna);
  const undone = inTransaction(context.db, async (tx) => {
    await notifyMember(tx, { memberId: anna.memberId, kind: 'test', message: 'undone' });
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  await live.poll();
  expect(messagesOf(ofAnna)).toEqual([]);
});

test('a client that reconnects gets exactly what it missed, also from another process', async () => {
  const before = await open(anna);
  await tell(anna.memberId, 'told before');
  await live.poll();
  before.connection.disconnect();
  await tell(anna.memberId, 'missed');
  await tell(bert.memberId, 'of another');
  const elsewhere = openLive(context);
  const after = await open(anna, { since: before.socket.position() }, elsewhere);
  await tell(anna.memberId, 'told after');
  await elsewhere.poll();
  expect([messagesOf(before), messagesOf(after)]).toEqual([['told before'], ['missed', 'told after']]);
  expect(after.socket.of('resync')).toEqual([]);
});

test('a socket that broke between two messages of one poll gets the rest, and nothing twice', async () => {
  await giveFunds(context, anna.memberId, 100_000_000n);
  const whole = await open(anna);
  const start = whole.socket.position();
  await tell(anna.memberId, 'news');
  const trade = await placeTrade(context, anna.memberId, { tradeId: 'btc', amount: 5, wallet_type: 'primary' });
  await live.poll();
  const positions = whole.socket.sent
    .slice(whole.socket.sent.length - 3)
    .flatMap((message) => ('position' in message ? [message.position] : []));

  const seen: [string[], string[]][] = [];
  for (const since of [start, ...positions]) {
    const again = await open(anna, { since }, openLive(context));
    const trades = again.socket.of('trade').flatMap(({ data }) => data.trades ?? []);
    seen.push([messagesOf(again), trades.map(({ id }) => id)]);
  }
  expect(seen).toEqual([
    [['news'], [trade.id]],
    [[], [trade.id]],
    [[], []],
    [[], []],
  ]);
});

test('a resumed socket keeps its cursor until it gets what it missed', async () => {
  const before = await open(anna);
  const since = before.socket.position();
  await tell(anna.memberId, 'missed');
  const after = await open(anna, { since });
  expect(after.socket.of('ready')[0]?.position).toBe(since);
  expect(after.socket.position()).not.toBe(since);
});

test.each([
  ['never existed', () => 'abc'],
  ['is older than the retention of events', (p: string) => move(p, { readAt: -541_000 })],
  ['predates a restart of the database', (p: string) => move(p, { startedAt: -1 })],
  ['is in the future', (p: string) => move(p, { readAt: 60_000 })],
  ['saw future transactions', (p: string) => move(p, { xmax: 1_000_000n })],
])('a cursor that %s is answered with a full resync', async (_, forge) => {
  const before = await open(anna);
  const since = forge(before.socket.position());
  const { socket } = await open(anna, { since });
  expect(socket.of('ready')[0]?.position).toBe(since);
  expect(socket.of('resync')).toHaveLength(1);
  expect(readCursor(socket.of('resync')[0]?.position ?? '')).toBeDefined();
});

function move(text: string, by: { readAt?: number; startedAt?: number; xmax?: bigint }): string {
  const { readAt, startedAt, seen } = readCursor(text) as NonNullable<ReturnType<typeof readCursor>>;
  const { xmax, ...rest } = seen.trade;
  const moved = { ...rest, xmax: xmax + (by.xmax ?? 0n) };
  return writeCursor({
    readAt: new Date(readAt.getTime() + (by.readAt ?? 0)),
    startedAt: new Date(startedAt.getTime() + (by.startedAt ?? 0)),
    seen: { notification: moved, trade: moved, ticket: moved },
  });
}

test('a cursor of another member reveals only the caller’s own events', async () => {
  const ofBert = await open(bert);
  await tell(bert.memberId, 'of Bert');
  await tell(anna.memberId, 'of Anna');
  const ofAnna = await open(anna, { since: ofBert.socket.position() });
  expect(messagesOf(ofAnna)).toEqual(['of Anna']);
});

test('an unknown token closes the socket, and so does an operator’s', async () => {
  const operator = await makeOperator(context, 'support');
  const strangers = [await open({ token: 'a'.repeat(43) }), await open(operator)];
  expect(strangers.map(({ socket }) => socket.closes)).toEqual([[liveCloses.signedOut], [liveCloses.notAllowed]]);
  expect(strangers.flatMap(({ socket }) => socket.sent)).toEqual([]);
});

test('ending a session closes its sockets and no others', async () => {
  const own = await open(anna);
  const other = await open(bert);
  await endAuthSession(context, await callerOf(anna), (await callerOf(anna)).authSessionId, '127.0.0.1');
  await live.poll();
  expect([own.socket.closes, other.socket.closes]).toEqual([[liveCloses.signedOut], []]);
});

test('ending all other sessions leaves the current one’s socket open', async () => {
  const own = await open(anna);
  await endOtherSessions(context, await callerOf(anna), '127.0.0.1');
  await live.poll();
  expect(own.socket.closes).toEqual([]);
});

test('a session that ends while its socket is being accepted does not keep the socket', async () => {
  const [caller, house] = [await callerOf(anna), openLive(context)];
  // Looked up just before, so that the token is still cached here.
  await sql`delete from identity.auth_session where id = ${caller.authSessionId}`.execute(context.db);
  const { socket } = await open(anna, {}, house);
  expect(socket.closes).toEqual([liveCloses.signedOut]);
  expect(socket.sent).toEqual([]);
});

test('an open socket does not count as use: an idle session expires, and its socket is closed', async () => {
  const [unused, used] = [await open(anna), await open(bert)];
  clock.advance(12 * 3600);
  await callerOf(bert);
  clock.advance(12 * 3600 - 1);
  await live.tick();
  expect(unused.socket.closes).toEqual([]);
  clock.advance(1);
  await live.tick();
  expect([unused.socket.closes, used.socket.closes]).toEqual([[liveCloses.signedOut], []]);
});

test('a member has a maximum number of sockets, and a closed one makes room', async () => {
  const guests = [await open(anna), await open(anna), await open(anna)];
  expect((await open(anna)).socket.closes).toEqual([liveCloses.tooManyOfMember]);
  guests[0]?.connection.disconnect();
  expect((await open(anna)).socket.closes).toEqual([]);
});

test('a second message from the client closes the socket', async () => {
  const { socket, connection } = await open(anna);
  connection.receive(JSON.stringify({ token: anna.token, topics: ['balance'] }));
  expect(socket.closes).toEqual([liveCloses.unreadable]);
});

test('a client that left before it was accepted is not accepted', async () => {
  const { socket, connection } = join(anna);
  connection.disconnect();
  await open(bert);
  await live.tick();
  expect([socket.sent, live.countSockets()]).toEqual([[], 1]);
});

test('a client that a poll could not accept is accepted by the next one, with what is so now', async () => {
  const before = await open(anna);
  before.connection.disconnect();
  await live.poll();
  await sql`update market.clock set at = at + interval '1 second'`.execute(context.db);
  const { socket } = await withoutEvents(async () => {
    const joining = join(anna, before.socket.position());
    await expect.poll(() => live.poll().catch(() => 'failed')).toBe('failed');
    return joining;
  });
  await live.poll();
  const [ready, session] = socket.sent;
  expect([ready?.type, session?.type]).toEqual(['ready', 'session']);
  expect(session).not.toEqual(before.socket.of('session')[0]);
});

test('heartbeats are sent while the database fails', async () => {
  const { socket } = await open(anna);
  clock.advance(20);
  await withoutEvents(() => expect(live.tick()).rejects.toThrow());
  expect(socket.pings()).toBe(1);
});

test('events are purged once nobody can resume from before them, and not earlier', async () => {
  await tell(anna.memberId, 'young');
  await sql`
    insert into live.event (kind, members, subjects, created_at)
    values ('ticket', '{1}', '{1}', now() - interval '11 minutes')`.execute(context.db);
  const countOf = async (age: 'old' | 'young') => {
    return findValue(context.db)<number>`
      select count(*)::int as n from live.event
      where (created_at < now() - interval '9 minutes') = ${age === 'old'}`;
  };
  const before = await countOf('young');
  expect(await countOf('old')).toBe(1);
  await purgeEvents(context);
  expect([await countOf('old'), await countOf('young')]).toEqual([0, before]);
});
