import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { advanceMarket, getMarketTime } from '#server/market/index.ts';
import { killAtEveryQuery } from '#test/database/kill-at-every-query.ts';
import { atOnce } from '#test/kit/at-once.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { actorOf, makeOperator } from '#test/worlds/operators.ts';
import { DAY, openWorldOfTest } from '#test/worlds/trading-world.ts';
import { followMarket } from '../index.ts';
import { haltTrading, liftHalt } from './halt-trading.ts';

const openWorld = () =>
  openWorldOfTest({
    candle: (symbol, at) => still(String(100 + (at.getUTCHours() - 12) * (symbol === 'btc' ? 1 : -1))),
    speed: 3600,
  });

type Follow = (context: Context) => Promise<unknown>;

/** A session halted over its opening and again from 14:00 to 15:00; `follow` is what runs after each step of the market. */
async function playHalted(follow: Follow, atEnd: Follow = follow): Promise<Context> {
  const world = await openWorld();
  const { context, memberId: ann } = world;
  const operator = await makeOperator(context, 'admin');
  const actor = actorOf(operator);
  const bob = (await world.member('Bob')).memberId;
  const play = (time: string) => world.play(time, () => follow(context));
  const place = (memberId: bigint, tradeId: string, amount: number) => world.place({ tradeId, amount }, memberId);
  const lift = async (version: number) =>
    liftHalt(context, actor, { version, note: 'over', otp: await operator.code() });
  // What is kept for a second is looked up again.
  const aSecond = () => world.clock.advance(1);

  await place(ann, 'btc', 10);
  await world.createPlan({ tradeId: 'eth', amount: 50, compounding: false }, bob);
  await play('12:25:00');
  await haltTrading(context, actor, 'first');
  // It slips through: the conditions were read just before.
  await place(ann, 'btc', 11);
  await play('12:45:00');
  await lift(1);
  aSecond();
  await place(ann, 'btc', 20);
  await play('13:00:00');
  for (const amount of [30, 31, 32]) await place(bob, amount === 31 ? 'btc' : 'eth', amount);
  await play('14:00:00');
  await place(ann, 'eth', 40);
  await haltTrading(context, actor, 'second');
  await play('15:00:00');
  await lift(2);
  aSecond();
  await place(ann, 'eth', 50);
  await play('17:30:00');
  await atEnd(context);
  return context;
}

/** What became of it all, without what differs from run to run. */
async function readBooks({ db }: Context) {
  const read = async (query: ReturnType<typeof sql>) => (await query.execute(db)).rows;
  return {
    accounts: await read(sql`select id, balance from ledger.account order by id`),
    transfers: await read(sql`select key, from_account, to_account, amount, reason, market_at from ledger.transfer
      where reason not in ('venue_fund', 'venue_return') order by key collate "C"`),
    trades: await read(
      sql`select id, state, opened_at, open_price::text, cancelled_at, cancel_reason, closed_at, result from trading.trade order by id`,
    ),
    decisions: await read(sql`select at, symbol, side, action, reason from trading.decision order by at, side`),
    plans: await read(sql`select id, state from trading.plan order by id`),
    manifest: await read(sql`select day::text, state, manifest_hash from trading.session order by day`),
  };
}

let killed = 0;
const killEverywhere: Follow = async (whole) => {
  killed += await killAtEveryQuery(whole, (dying) => followMarket(dying, { chunkSize: 4 }));
};

test('halted sessions give the same books followed step by step, killed at every query, or all at once at the end', async () => {
  const stepByStep = await playHalted(followMarket);
  const undisturbed = await readBooks(stepByStep);
  const became = undisturbed.trades as { opened_at: Date | null; cancelled_at: Date | null; state: string }[];
  const time = (at: Date | null) => at?.toISOString().slice(11, 19);
  expect(became.map((trade) => [trade.state, time(trade.opened_at ?? trade.cancelled_at)].join(' '))).toEqual([
    'cancelled 12:25:00',
    'cancelled 12:25:00',
    // Placed at 12:45:00, at whose tick the halt stood: the next one opens it.
    'settled 12:45:15',
    'settled 13:00:15',
    'settled 13:00:15',
    'settled 13:00:15',
    'cancelled 14:00:00',
    'settled 15:00:15',
  ]);
  // The plan rests over the opening, which was halted, and its strategy buys at no other time.
  expect(undisturbed.decisions).toMatchObject([{ side: 'entry', action: 'wait', reason: 'halted' }]);
  expect(undisturbed.plans).toMatchObject([{ state: 'active' }]);
  expect(await verifyLedger(stepByStep.db)).toEqual([]);

  expect(await readBooks(await playHalted(killEverywhere))).toEqual(undisturbed);
  expect(killed).toBeGreaterThan(80);
  let hasBegun = false;
  const onlyFirst: Follow = async (context) => {
    if (hasBegun) return;
    hasBegun = true;
    await followMarket(context);
  };
  const late = await playHalted(onlyFirst, followMarket);
  expect(await readBooks(late)).toEqual(undisturbed);
}, 120_000);

test('trades placed while somebody halts and two workers follow: none opens after the moment of the halt', async () => {
  const world = await openWorld();
  const { context, clock, play } = world;
  const operator = await makeOperator(context, 'admin');
  const actor = actorOf(operator);
  const members = await Promise.all(Array.from({ length: 4 }, async () => (await world.member()).memberId));
  await play('12:31:00');
  let placed = 0;
  for (let round = 1; round <= 4; round += 1) {
    const work = [
      ...members.flatMap((memberId) => [1, 2].map(() => () => world.place({ amount: 10 }, memberId))),
      // Three steps of market time, and who follows them.
      async () => {
        for (let step = 0; step < 3; step += 1) {
          await advanceMarket(context, { elapsedMs: 50 });
          await Promise.all([followMarket(context), followMarket(context)]);
        }
      },
      ...[1, 2].map(() => () => haltTrading(context, actor, `round ${round}`)),
    ];
    const { refused } = await atOnce<() => Promise<unknown>>(work);
    // A trade that comes after the halt is refused, nothing else is.
    expect(refused.filter((code) => code !== 'trading_halted')).toEqual([]);
    placed += 2 * members.length - refused.length;
    await advanceMarket(context, { elapsedMs: 50 });
    await followMarket(context);
    const { rows: after } = await sql`
      select t.id from trading.trade t join trading.halt h on t.opened_at > h.starts_at and t.opened_at <= coalesce(h.ends_at, 'infinity')
      union all
      select id from trading.trade where state = 'queued'`.execute(context.db);
    expect(after).toEqual([]);
    await liftHalt(context, actor, { version: round, note: 'over', otp: await operator.code() });
    clock.advance(1);
  }
  await play('17:30:00');
  expect((await Promise.all(members.map((memberId) => world.trades(memberId)))).flat()).toHaveLength(placed);
  for (const memberId of members) {
    const items = await world.trades(memberId);
    const results = items.reduce((sum, { result }) => sum + BigInt(Math.round((result ?? 0) * 1e6)), 0n);
    const { primary, profit, trade_escrow } = await world.balances(memberId);
    expect([primary + profit, trade_escrow]).toEqual([1_000_000_000n + results, 0n]);
  }
  expect(await verifyLedger(context.db)).toEqual([]);
  expect(await getMarketTime(context.db)).toEqual(new Date(`${DAY}T17:30:00Z`));
}, 120_000);
