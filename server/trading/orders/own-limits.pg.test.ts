import { expect, test } from 'vitest';
import { setOwnLimits } from '#server/accounts/limits/set-own-limits.ts';
import { listValues } from '#server/db/rows.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { openWorldOfTest } from '#test/worlds/trading-world.ts';
import { closeTrade, followMarket } from '../index.ts';
import { pausePlan, resumePlan } from '../plans/change-plan.ts';

/** btc stands at 100 and falls to 80 at 13:00 of each day; from midnight on it is at 100 again. */
async function openWorld() {
  const world = await openWorldOfTest({
    from: '2026-03-03T12:00:00Z',
    minutes: 2 * 24 * 60,
    candle: (_, at) => still(at.getUTCHours() < 13 ? '100' : '80'),
    start: '2026-03-03T12:20:00Z',
    speed: 3600,
  });
  const limit = async (limits: { lossDayMicros?: bigint; pauseDays?: number }) => {
    await setOwnLimits(world.context, { memberId: world.memberId }, { ...limits, address: '127.0.0.1' });
    // What is looked up for placing is kept for a second of real time.
    world.clock.advance(2);
  };
  return { ...world, limit };
}

test('on a pause of their own nobody places a trade, makes a plan or resumes one', async () => {
  const world = await openWorld();
  await world.limit({ pauseDays: 2 });
  await expect(world.place()).rejects.toMatchObject({ code: 'own_pause' });
  await expect(world.createPlan()).rejects.toMatchObject({ code: 'own_pause' });
  expect(await world.trades()).toEqual([]);
});

test('a plan is refused from the moment of the pause on, also where trading was allowed just before', async () => {
  const world = await openWorld();
  const pausedPlan = BigInt((await world.createPlan({ amount: 50 })).id);
  await pausePlan(world.context, world.memberId, pausedPlan);
  await setOwnLimits(world.context, { memberId: world.memberId }, { pauseDays: 2, address: '127.0.0.1' });
  await expect(world.createPlan()).rejects.toMatchObject({ code: 'own_pause' });
  await expect(resumePlan(world.context, world.memberId, pausedPlan)).rejects.toMatchObject({ code: 'own_pause' });
  expect(await world.balances()).toMatchObject({ primary: 950_000_000n, investment: 50_000_000n });
});

test('a pause gives back what waits to open, pauses plans at the opening, and leaves open trades alone', async () => {
  const world = await openWorld();
  await world.place();
  await world.play('03T12:31:00');
  await world.place();
  const planId = BigInt((await world.createPlan({ amount: 50 })).id);
  await world.limit({ pauseDays: 2 });
  await world.play('03T12:40:00');
  expect((await world.trades()).map(({ state, cancel_reason }) => [state, cancel_reason])).toEqual([
    ['cancelled', 'own_limit'],
    ['open', null],
  ]);
  expect(await world.balances()).toMatchObject({ primary: 850_000_000n, trade_escrow: 99_600_000n });
  const [open] = (await world.trades()).filter((trade) => trade.state === 'open');
  expect(await closeTrade(world.context, world.memberId, BigInt(open?.id ?? 0))).toMatchObject({ closing: true });
  await world.play('04T12:31:00');
  expect(await world.plan(planId)).toMatchObject({
    state: 'paused',
    state_reason: 'own_limit',
    principal: 50,
  });
  const told = await listValues(world.context.db)<string>`
    select message from notify.notification where kind in ('trade_cancelled', 'plan_paused') order by id`;
  expect(told).toEqual([
    '1 trade in BTC/USDT cancelled: your daily loss limit or a pause stops trading. $100.00 was returned.',
    'Your BTC/USDT plan is paused: your daily loss limit or a pause stops trading.',
  ]);
  await world.play('04T17:31:00');
  await expect(resumePlan(world.context, world.memberId, planId)).rejects.toMatchObject({ code: 'own_pause' });
  expect(await verifyLedger(world.context.db)).toEqual([]);
});

test('once the loss of a market day is reached no trade is placed and none opens, until the next day', async () => {
  const world = await openWorld();
  await world.limit({ lossDayMicros: 10_000_000n });
  const { id } = await world.place();
  await world.play('03T13:05:00');
  // A loss that is not realised does not count yet.
  await world.place();
  await closeTrade(world.context, world.memberId, BigInt(id));
  await world.play('03T13:06:00');
  expect((await world.trades()).find((trade) => trade.id === id)).toMatchObject({ state: 'settled' });
  await expect(world.place()).rejects.toMatchObject({ code: 'own_loss_limit' });
  await world.play('03T17:31:00');
  expect((await world.place()).state).toBe('queued');
  await world.play('04T12:31:00');
  expect((await world.trades())[0]).toMatchObject({ state: 'open' });
});

test('a loss limit is reached by a loss of exactly its amount', async () => {
  const world = await openWorld();
  const { id } = await world.place();
  await world.play('03T13:05:00');
  await closeTrade(world.context, world.memberId, BigInt(id));
  await world.play('03T13:06:00');
  const lossMicros = BigInt(Math.round(-1_000_000 * ((await world.trade(id))?.result ?? 0)));
  expect(lossMicros).toBeGreaterThan(0n);
  await world.limit({ lossDayMicros: lossMicros + 1n });
  await world.place();
  await world.limit({ lossDayMicros: lossMicros });
  await expect(world.place()).rejects.toMatchObject({ code: 'own_loss_limit' });
});

test('a loss that is reached before a queued trade would open cancels it, also where both are followed at once', async () => {
  const world = await openWorld();
  await world.limit({ lossDayMicros: 10_000_000n });
  const { id } = await world.place();
  await world.play('03T13:05:00');
  await closeTrade(world.context, world.memberId, BigInt(id));
  const lag = async () => {};
  await world.play('03T13:06:00', lag);
  const later = await world.place();
  await world.play('03T13:10:00', lag);
  await followMarket(world.context);
  expect(await world.trade(id)).toMatchObject({ state: 'settled' });
  expect(await world.trade(later.id)).toMatchObject({ state: 'cancelled', cancel_reason: 'own_limit' });
});
