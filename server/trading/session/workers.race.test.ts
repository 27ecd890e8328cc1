import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getBalances, verifyLedger } from '#server/ledger/index.ts';
import { bootTest } from '#test/boot.ts';
import { giveFunds, signUp } from '#test/members.ts';
import { playUntil, recordMarket, still } from '#test/recorded-market.ts';
import { followMarket, listTrades, placeTrade } from '../index.ts';
import { joinFollower, lockFollower } from './session-sql.ts';

const recording = recordMarket({
  from: '2026-03-04T12:00:00Z',
  minutes: 400,
  candle: (symbol, at) => still(String(100 + (at.getUTCHours() - 12) * (symbol === 'btc' ? 1 : -1))),
  symbols: ['btc', 'eth'],
});
let world: Awaited<ReturnType<typeof bootTest>>;
const worlds: (typeof world)[] = [];

async function openWorld(): Promise<void> {
  world = await bootTest({
    MARKET_FEED: 'replay',
    REPLAY_DATA: recording.folder,
    MARKET_START: '2026-03-04T12:20:00Z',
    MARKET_SPEED: '3600',
  });
  worlds.push(world);
}
beforeEach(openWorld);
afterAll(async () => {
  for (const { database } of worlds) await database.close();
  recording.remove();
});

/** Members in two blocks, with trades of both coins, some with a stop that is crossed on the way. */
async function queueTrades(): Promise<bigint[]> {
  const members: bigint[] = [];
  for (let n = 0; n < 6; n += 1) {
    if (n === 3)
      await sql`select setval(pg_get_serial_sequence('identity.member', 'id'), 5000)`.execute(world.context.db);
    const { memberId } = await signUp(world.context);
    await giveFunds(world.context, memberId, 1_000_000_000n);
    members.push(memberId);
  }
  for (let n = 0; n < 60; n += 1) {
    const tradeId = n % 2 === 0 ? 'btc' : 'eth';
    const stops = n % 5 === 0 ? { stop_loss: 2, take_profit: 2 } : {};
    await placeTrade(world.context, members[n % 6] as bigint, {
      tradeId,
      amount: 10 + n,
      wallet_type: 'primary',
      ...stops,
    });
  }
  return members;
}

/** What members have and were told, and what the session came to. */
async function readOutcome(members: readonly bigint[]) {
  const { db } = world.context;
  const { rows: sessions } = await sql`
    select state, traded_members, manifest_hash from trading.session where day = '2026-03-04'`.execute(db);
  const { rows: messages } = await sql`
    select member_id, message from notify.notification where kind = 'session_settled' order by member_id`.execute(db);
  const { rows: results } = await sql`select * from trading.daily_result order by member_id`.execute(db);
  const { rows: lifetime } = await sql`select * from trading.lifetime_result order by member_id`.execute(db);
  const balances = await Promise.all(members.map((memberId) => getBalances(db, memberId)));
  return { sessions, messages, results, lifetime, balances };
}

async function playSession(follow: () => Promise<unknown>) {
  const members = await queueTrades();
  await playUntil(world.context, '2026-03-04T12:31:00Z', follow);
  await playUntil(world.context, '2026-03-04T17:30:00Z', follow);
  for (const memberId of members) {
    const { items } = await listTrades(world.context.db, { memberId, limit: 100 });
    expect(items.map(({ state }) => state)).toEqual(Array(10).fill('settled'));
  }
  expect(await verifyLedger(world.context.db)).toEqual([]);
  return readOutcome(members);
}

test('four workers, each with its lanes, on chunks of different sizes come to what one alone comes to', async () => {
  const alone = await playSession(() => followMarket(world.context));
  expect(alone.messages).toHaveLength(6);
  expect(alone.sessions).toMatchObject([{ state: 'settled', traded_members: 6n }]);
  for (const sizes of [
    [2, 2, 2, 2],
    [1, 3, 4, 7],
  ]) {
    await openWorld();
    const together = await playSession(() =>
      Promise.all(sizes.map((size) => followMarket(world.context, { chunkSize: size }))),
    );
    expect(together).toEqual(alone);
  }
}, 180_000);

/** A transaction that stays open after its work until it is released. */
function hold(work: (tx: Tx) => Promise<boolean>) {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun: (has: boolean) => void = () => {};
  const hasTurn = new Promise<boolean>((resolve) => {
    begun = resolve;
  });
  const ended = inTransaction(world.context.db, async (tx) => {
    begun(await work(tx));
    await isReleased;
  });
  return {
    hasTurn,
    end: () => {
      release();
      return ended;
    },
  };
}

const waiting = async () => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    world.context.db,
  );
  return rows[0]?.n;
};

test('lanes work at once; whoever goes on waits for all of them, and they for whoever does', async () => {
  await followMarket(world.context);
  const scheduled = { day: '2026-03-04', state: 'scheduled' } as const;
  const lanes = [1, 2, 3].map(() => hold((tx) => joinFollower(tx, scheduled)));
  expect(await Promise.all(lanes.map((lane) => lane.hasTurn))).toEqual([true, true, true]);

  const next = hold((tx) => lockFollower(tx, scheduled));
  await expect.poll(waiting).toBe(1);
  await Promise.all(lanes.map((lane) => lane.end()));
  expect(await next.hasTurn).toBe(true);

  const late = hold((tx) => joinFollower(tx, scheduled));
  await expect.poll(waiting).toBe(1);
  await sql`
    update trading.session
    set state = 'open', opened_at = opens_at, fee_plan_id = 1, trade_fee_bps = 40, performance_fee_bps = 1000`.execute(
    world.context.db,
  );
  await next.end();
  // The session went on meanwhile: what the lane wanted to do belongs to one that is scheduled.
  expect(await late.hasTurn).toBe(false);
  await late.end();
});

test('what belongs to an instant is not done once the market was followed past it', async () => {
  await followMarket(world.context);
  const followedUntil = new Date('2026-03-04T12:25:00Z');
  await sql`update trading.follower set followed_until = ${followedUntil}`.execute(world.context.db);
  const join = (at: Date) =>
    inTransaction(world.context.db, (tx) => joinFollower(tx, { day: '2026-03-04', state: 'scheduled' }, at));
  expect(await join(followedUntil)).toBe(false);
  expect(await join(new Date(followedUntil.getTime() + 1))).toBe(true);
});
