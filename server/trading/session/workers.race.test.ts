import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { openWorldOfTest, type TradingWorld } from '#test/worlds/trading-world.ts';
import { followMarket } from '../index.ts';
import { readSnapshot } from './follow-market.ts';
import { joinFollower, lockFollower } from './session-sql.ts';
import { closeAndSettle } from './settle-due-trades.ts';

const openWorld = () =>
  openWorldOfTest({
    candle: (symbol, at) => still(String(100 + (at.getUTCHours() - 12) * (symbol === 'btc' ? 1 : -1))),
    speed: 3600,
  });

/** Members in two blocks, with trades of both coins, some with a stop that is triggered on the way. */
async function queueTrades(world: TradingWorld): Promise<bigint[]> {
  const members = [world.memberId];
  for (let n = 1; n < 6; n += 1) {
    if (n === 3)
      await sql`select setval(pg_get_serial_sequence('identity.member', 'id'), 5000)`.execute(world.context.db);
    members.push((await world.member()).memberId);
  }
  for (let n = 0; n < 60; n += 1) {
    const stops = n % 5 === 0 ? { stop_loss: 2, take_profit: 2 } : {};
    await world.place({ tradeId: n % 2 === 0 ? 'btc' : 'eth', amount: 10 + n, ...stops }, members[n % 6]);
  }
  return members;
}

/** What members have and were told, and what the session came to. */
async function readOutcome(world: TradingWorld, members: readonly bigint[]) {
  const { db } = world.context;
  const { rows: sessions } = await sql`
    select state, traded_members, manifest_hash from trading.session where day = '2026-03-04'`.execute(db);
  const { rows: messages } = await sql`
    select member_id, message from notify.notification where kind = 'session_settled' order by member_id`.execute(db);
  const { rows: results } = await sql`select * from trading.daily_result order by member_id`.execute(db);
  const { rows: lifetime } = await sql`select * from trading.lifetime_result order by member_id`.execute(db);
  const balances = await Promise.all(members.map((memberId) => world.balances(memberId)));
  return { sessions, messages, results, lifetime, balances };
}

async function runSession(follow: (world: TradingWorld) => Promise<unknown>) {
  const world = await openWorld();
  const members = await queueTrades(world);
  await world.play('12:31:00', () => follow(world));
  await world.play('17:30:00', () => follow(world));
  for (const memberId of members)
    expect((await world.trades(memberId)).map(({ state }) => state)).toEqual(Array(10).fill('settled'));
  expect(await verifyLedger(world.context.db)).toEqual([]);
  return readOutcome(world, members);
}

test('four servers, each with its workers, on chunks of different sizes come to what one alone comes to', async () => {
  const alone = await runSession(({ context }) => followMarket(context));
  expect(alone.messages).toHaveLength(6);
  expect(alone.sessions).toMatchObject([{ state: 'settled', traded_members: 6n }]);
  for (const sizes of [
    [2, 2, 2, 2],
    [1, 3, 4, 7],
  ]) {
    const together = await runSession(({ context }) =>
      Promise.all(sizes.map((chunkSize) => followMarket(context, { chunkSize }))),
    );
    expect(together).toEqual(alone);
  }
}, 180_000);

/** A transaction that stays open after its work until it is released. */
function hold({ context }: TradingWorld, work: (tx: Tx) => Promise<boolean>) {
  const released = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<boolean>();
  const ended = inTransaction(context.db, async (tx) => {
    begun.resolve(await work(tx));
    await released.promise;
  });
  const end = () => {
    released.resolve();
    return ended;
  };
  return { hasTurn: begun.promise, end };
}

test('workers run at once; whoever goes on waits for all of them, and they for whoever does', async () => {
  const world = await openWorld();
  const waiting = () => countLockWaits(world.context.db);
  await followMarket(world.context);
  const scheduled = { day: '2026-03-04', state: 'scheduled' } as const;
  const workers = [1, 2, 3].map(() => hold(world, (tx) => joinFollower(tx, scheduled)));
  expect(await Promise.all(workers.map((worker) => worker.hasTurn))).toEqual([true, true, true]);

  const next = hold(world, (tx) => lockFollower(tx, scheduled));
  await expect.poll(waiting).toBe(1);
  await Promise.all(workers.map((worker) => worker.end()));
  expect(await next.hasTurn).toBe(true);

  const late = hold(world, (tx) => joinFollower(tx, scheduled));
  await expect.poll(waiting).toBe(1);
  await sql`
    update trading.session
    set state = 'open', opened_at = opens_at, fee_plan_id = 1, trade_fee_bps = 40, performance_fee_bps = 1000`.execute(
    world.context.db,
  );
  await next.end();
  // The session went on meanwhile: what the worker wanted to do belongs to one that is scheduled.
  expect(await late.hasTurn).toBe(false);
  await late.end();
});

test('what belongs to an instant is not done once the market was followed past it', async () => {
  const world = await openWorld();
  await followMarket(world.context);
  const followedUntil = new Date('2026-03-04T12:25:00Z');
  await sql`update trading.follower set followed_until = ${followedUntil}`.execute(world.context.db);
  const join = (at: Date) =>
    inTransaction(world.context.db, (tx) => joinFollower(tx, { day: '2026-03-04', state: 'scheduled' }, at));
  expect(await join(followedUntil)).toBe(false);
  expect(await join(new Date(followedUntil.getTime() + 1))).toBe(true);
});

test('a worker that hung while a session settled does not settle the trades of the next one', async () => {
  const world = await openWorldOfTest({ minutes: 2000, speed: 3600 });
  const { context } = world;
  await world.place();
  await world.play('17:29:00');
  const { session, ...late } = await readSnapshot(context);
  await world.play('05T12:20:00');
  const { id } = await world.place();
  await world.play('05T12:31:00');
  await closeAndSettle(context, { ...late, session: { ...session, state: 'settling' } });
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
});

test('a row that a hanging session holds delays its own session, not the calls of other members', async () => {
  const world = await openWorld();
  const { db } = world.context;
  const held = await world.member();
  await world.place({ amount: 10 });
  await world.place({ amount: 10 }, held.memberId);
  await world.play('12:31:00', () => followMarket(world.context));
  const follow = () => followMarket(world.context);
  await inTransaction(db, async (tx) => {
    await sql`select from ledger.account where member_id = ${held.memberId} for update`.execute(tx);
    const settling = world.play('17:30:00', follow).catch((error: unknown) => error);
    await expect.poll(() => countLockWaits(db)).toBeGreaterThan(0);
    await world.place({ amount: 10 });
    expect(await settling).toMatchObject({ code: '55P03' });
  });
  await follow();
  for (const memberId of [world.memberId, held.memberId])
    expect((await world.trades(memberId)).at(-1)).toMatchObject({ state: 'settled' });
  expect(await verifyLedger(db)).toEqual([]);
}, 60_000);
