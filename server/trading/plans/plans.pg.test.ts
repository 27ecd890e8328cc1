import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { setOwnLimits } from '#server/accounts/limits/set-own-limits.ts';
import type { Db } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { setAssetActive } from '#server/market/index.ts';
import { type RecordedCandle, still } from '#test/recorded/recorded-market.ts';
import { freeze } from '#test/worlds/members.ts';
import { actorOf, makeOperator } from '#test/worlds/operators.ts';
import { holdPlan, openWorldOfTest } from '#test/worlds/trading-world.ts';
import { haltTrading } from '../halts/halt-trading.ts';
import { closeTrade, createPlan, followMarket, listPlans } from '../index.ts';
import { pausePlan, redeemPlan, resumePlan, setPlanStops } from './change-plan.ts';
import type { NewPlanInput } from './create-plan.ts';
import { getPlan, listRedemptions } from './list-plans.ts';

/** Four days of btc from 3 March on: on each, a price before the session, one in it, and one at its end. */
function sessions(...prices: readonly (readonly [before: string, inside: string, end: string])[]) {
  return (at: Date): RecordedCandle => {
    const [before, inside, end] = prices[Math.min(at.getUTCDate() - 3, prices.length - 1)] as (typeof prices)[number];
    const time = at.toISOString().slice(11, 16);
    return still(time < '14:00' ? before : time < '17:00' ? inside : end);
  };
}

async function openWorld(candle: (at: Date) => RecordedCandle = () => still('100')) {
  const world = await openWorldOfTest({
    from: '2026-03-03T00:00:00Z',
    minutes: 4 * 24 * 60,
    candle: (_, at) => candle(at),
    start: '2026-03-03T12:20:00Z',
    speed: 3600,
  });
  return { ...world, create: async (input?: Partial<NewPlanInput>) => BigInt((await world.createPlan(input)).id) };
}

test('a compounding plan keeps its gain and its loss, trades with all of it, and is redeemed to the primary wallet', async () => {
  const world = await openWorld(sessions(['100', '105', '110'], ['100', '95', '90']));
  const id = await world.create();
  expect(await world.balances()).toMatchObject({ primary: 900_000_000n, investment: 100_000_000n });
  await world.play('03T12:31:00');
  expect(await world.plan(id)).toMatchObject({ state: 'active', principal: 100, trades: 0 });
  expect((await world.trades())[0]).toMatchObject({
    state: 'open',
    wallet_type: 'investment',
    plan_id: id.toString(),
    amount: 100,
    opened_at: '2026-03-03T12:30:00.000Z',
  });
  expect(await world.balances()).toMatchObject({ investment: 0n, trade_escrow: 99_600_000n });
  await world.play('03T17:31:00');
  // 99.6 × 109.945 ÷ 100.05 = 109.450494; 9.450494 over, 0.945049 of it the fee: 108.505445 stay in the plan.
  expect(await world.plan(id)).toMatchObject({
    principal: 108.505445,
    value: 108.505445,
    result_total: 8.505445,
    trades: 1,
    trade_id: null,
    last_decision: { action: 'enter', reason: 'session_opens' },
    sessions: [{ day: '2026-03-03', trades: 1, result: 8.505445, value: 108.505445, words: null }],
  });
  expect(await world.balances()).toMatchObject({ primary: 900_000_000n, profit: 0n, investment: 108_505_445n });
  await world.play('04T17:31:00');
  // 108.505445, fee 0.434021: 108.071424 × 89.955 ÷ 100.05 = 97.167065.
  expect(await world.plan(id)).toMatchObject({
    principal: 97.167065,
    sessions: [{ day: '2026-03-03' }, { day: '2026-03-04', trades: 1, result: -11.33838, value: 97.167065 }],
  });
  const redeemed = await redeemPlan(world.context, world.memberId, id);
  expect(redeemed).toMatchObject({ state: 'redeemed', redeemed: 97.167065, principal: 0 });
  expect(await world.balances()).toMatchObject({ primary: 997_167_065n, investment: 0n });
  expect((await listRedemptions(world.context.db, { memberId: world.memberId, limit: 10 })).items).toEqual([
    expect.objectContaining({ id: id.toString(), amount: 100, redeemed: 97.167065, result: -2.832935, sessions: 2 }),
  ]);
  await world.play('05T17:31:00');
  expect(await world.trades()).toHaveLength(2);
  expect(await verifyLedger(world.context.db)).toEqual([]);
});

test('what compounding plans came to in a session is added up by itself as well', async () => {
  const world = await openWorld(sessions(['100', '105', '110']));
  await world.create();
  await world.create({ compounding: false, amount: 50 });
  await world.place({ amount: 20 });
  await world.play('03T17:31:00', () => followMarket(world.context, { chunkSize: 1 }));
  const { rows } = await sql`
    select trades, volume, result, compounding_trades, compounding_volume, compounding_result
    from trading.daily_result where member_id = ${world.memberId}`.execute(world.context.db);
  // The gain of 100 dollars above, and of 50 and 20, each rounded down by itself.
  expect(rows).toEqual([
    {
      trades: 3,
      volume: 170_000_000n,
      result: 8_505_445n + 4_252_723n + 1_701_089n,
      compounding_trades: 1,
      compounding_volume: 100_000_000n,
      compounding_result: 8_505_445n,
    },
  ]);
});

test('without compounding the gain goes to the profit wallet and a loss reduces the plan', async () => {
  const world = await openWorld(sessions(['100', '105', '110'], ['100', '95', '90']));
  const id = await world.create({ compounding: false });
  await world.play('03T17:31:00');
  expect(await world.plan(id)).toMatchObject({ principal: 100, result_total: 8.505445 });
  expect(await world.balances()).toMatchObject({ primary: 900_000_000n, profit: 8_505_445n, investment: 100_000_000n });
  await world.play('04T17:31:00');
  expect(await world.balances()).toMatchObject({ profit: 8_505_445n, investment: 89_550_404n });
  expect((await listRedemptions(world.context.db, { memberId: world.memberId, limit: 10 })).items).toEqual([]);
});

test.each(['12:30:00', '12:45:00'])(
  'a plan made inside a session, at %s, trades from the next one on',
  async (time) => {
    const world = await openWorld();
    // Before the engine has processed the opening.
    await world.play(`03T${time}`, async () => {});
    const id = await world.create();
    await world.play('03T17:31:00');
    expect(await world.trades()).toEqual([]);
    expect(await world.plan(id)).toMatchObject({ sessions: [], principal: 100 });
    await world.play('04T12:31:00');
    expect(await world.trades()).toHaveLength(1);
  },
);

test('nothing about a plan can be changed from the opening to the end of the settlement', async () => {
  const world = await openWorld();
  const id = await world.create();
  const stops = { stop_loss: 2, take_profit: null, trailing_stop: null };
  const changes = [
    () => pausePlan(world.context, world.memberId, id),
    () => resumePlan(world.context, world.memberId, id),
    () => redeemPlan(world.context, world.memberId, id),
    () => setPlanStops(world.context, world.memberId, id, stops),
  ];
  await world.play('03T12:25:00');
  // The time of the opening has come, and the engine has not processed it.
  await world.play('03T12:30:00', async () => {});
  for (const change of changes) await expect(change()).rejects.toMatchObject({ code: 'plan_in_session' });
  await world.play('03T12:31:00');
  for (const change of changes) await expect(change()).rejects.toMatchObject({ code: 'plan_in_session' });
  await world.play('03T17:31:00');
  expect(await setPlanStops(world.context, world.memberId, id, stops)).toMatchObject({ stops });
  // Each alone: what is left out stays.
  await setPlanStops(world.context, world.memberId, id, { take_profit: 40, trailing_stop: 9 });
  expect(await setPlanStops(world.context, world.memberId, id, { trailing_stop: null })).toMatchObject({
    stops: { stop_loss: 2, take_profit: 40, trailing_stop: null },
  });
  await world.play('04T12:31:00');
  expect((await world.trades())[0]).toMatchObject({ stops: { stop_loss: 2, stop_loss_price: 98.049 } });
});

test('a paused plan keeps its money, says so for each session, and trades again when resumed', async () => {
  const world = await openWorld();
  const id = await world.create();
  expect(await pausePlan(world.context, world.memberId, id)).toMatchObject({ state: 'paused', state_reason: 'member' });
  await expect(pausePlan(world.context, world.memberId, id)).rejects.toMatchObject({ code: 'plan_not_active' });
  await world.play('03T17:31:00');
  expect(await world.plan(id)).toMatchObject({
    principal: 100,
    sessions: [{ day: '2026-03-03', trades: 0, result: null, value: 100, words: 'No entry: the plan is paused.' }],
  });
  expect(await resumePlan(world.context, world.memberId, id)).toMatchObject({ state: 'active', state_reason: null });
  await expect(resumePlan(world.context, world.memberId, id)).rejects.toMatchObject({ code: 'plan_not_paused' });
  await world.play('04T12:31:00');
  expect(await world.trades()).toHaveLength(1);
  const { events } = await getPlan(world.context.db, world.memberId, id);
  expect(events.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['created', null],
    ['paused', 'member'],
    ['resumed', null],
  ]);
});

test('a plan that fell under the minimum of its wallet is paused with that reason and can only be redeemed', async () => {
  const world = await openWorld(sessions(['100', '70', '50']));
  const id = await world.create({ amount: 5 });
  await world.play('04T12:31:00');
  expect(await world.plan(id)).toMatchObject({ state: 'paused', state_reason: 'minimum', principal: 2.487511 });
  await world.play('04T17:31:00');
  await expect(resumePlan(world.context, world.memberId, id)).rejects.toMatchObject({ code: 'plan_under_minimum' });
  expect(await redeemPlan(world.context, world.memberId, id)).toMatchObject({ redeemed: 2.487511 });
});

test('a plan whose asset is switched off is paused, and cannot be resumed before it is back', async () => {
  const world = await openWorld();
  const id = await world.create();
  await inTransaction(world.context.db, (tx) => setAssetActive(tx, 'btc', false));
  await world.play('03T17:31:00');
  expect(await world.plan(id)).toMatchObject({
    state: 'paused',
    state_reason: 'asset_off',
    sessions: [{ words: 'No entry: the asset is switched off.' }],
  });
  world.clock.advance(2);
  await expect(resumePlan(world.context, world.memberId, id)).rejects.toMatchObject({ code: 'trade_not_selected' });
});

test('plans of a frozen member skip and stay active', async () => {
  const world = await openWorld();
  const id = await world.create();
  await freeze(world.context, world.memberId);
  await world.play('03T17:31:00');
  expect(await world.plan(id)).toMatchObject({ state: 'active', sessions: [{ trades: 0, result: null, value: 100 }] });
  expect(await world.trades()).toEqual([]);
});

test.each<[string, (world: Awaited<ReturnType<typeof openWorld>>) => Promise<unknown>]>([
  ['account_frozen', ({ context, memberId }) => freeze(context, memberId)],
  ['own_pause', ({ context, memberId }) => setOwnLimits(context, { memberId }, { pauseDays: 1, address: '127.0.0.1' })],
  [
    'trading_halted',
    async ({ context }) => haltTrading(context, actorOf(await makeOperator(context, 'admin')), 'An exchange is down.'),
  ],
])('a plan is neither resumed nor made while it would be refused as %s', async (code, bar) => {
  const world = await openWorld();
  const id = await world.create();
  await pausePlan(world.context, world.memberId, id);
  await bar(world);
  await expect(resumePlan(world.context, world.memberId, id)).rejects.toMatchObject({ code });
  await expect(createPlan(world.context, world.memberId, holdPlan)).rejects.toMatchObject({ code });
});

test('momentum enters only above its average, says why it does not, and leaves when the price falls back', async () => {
  // 15-minute closes stand at 100, rise to 104 at 13:30 and fall under the average at 15:00.
  const world = await openWorld((at) => {
    const time = at.toISOString().slice(11, 16);
    return still(time < '13:30' ? '100' : time < '15:00' ? '104' : '99');
  });
  const id = await world.create({ strategy: 'momentum', params: { period: 5 } });
  await world.play('03T13:20:00');
  expect((await world.plan(id)).last_decision).toMatchObject({
    action: 'wait',
    reason: 'not_above_average',
    words: 'No entry: price 100.0000 is at its 5-period average 100.0000.',
  });
  await world.play('03T17:31:00');
  const [trade, ...more] = await world.trades();
  expect(more).toEqual([]);
  // The candle of 13:30 closes at 13:45, that of 15:00 at 15:15; each is filled by the tick of the boundary.
  expect(trade).toMatchObject({
    opened_at: '2026-03-03T13:45:00.000Z',
    closed_at: expect.stringMatching(/^2026-03-03T1[45]:/),
    close_reason: 'strategy',
  });
  // About buying while it had nothing, about selling while it had something, and never both at once.
  const { decisions } = await getPlan(world.context.db, world.memberId, id);
  const told = decisions.map(({ at, reason }) => [at.slice(11, 16), reason]).reverse();
  expect(told.slice(0, 8)).toEqual([
    ...['12:30', '12:45', '13:00', '13:15', '13:30'].map((at) => [at, 'not_above_average']),
    ['13:45', 'above_average'],
    ['14:00', 'still_above_average'],
    ['14:15', 'still_above_average'],
  ]);
  expect(new Set(told.map(([at]) => at)).size).toBe(told.length);
});

test('after its stop was reached, or its member closed the trade, a plan rests until the next session', async () => {
  const world = await openWorld((at) => {
    const minute = at.getUTCHours() * 60 + at.getUTCMinutes();
    // Rises all the time but for a dip at 14:20: above its average at nearly every boundary.
    return still((minute === 860 ? 90 : 100 + minute / 100).toFixed(2));
  });
  const stopped = await world.create({ strategy: 'momentum', params: { period: 5 }, stop_loss: 5 });
  const trailed = await world.create({ strategy: 'momentum', params: { period: 5 }, trailing_stop: 5 });
  const closed = await world.create({ strategy: 'momentum', params: { period: 5 } });
  await world.play('03T12:40:00');
  const own = (await world.trades()).find((trade) => trade.plan_id === closed.toString());
  await closeTrade(world.context, world.memberId, BigInt(own?.id ?? 0));
  await world.play('03T17:31:00');
  const trades = await world.trades();
  expect(trades.filter((trade) => trade.plan_id === stopped.toString()).map((trade) => trade.close_reason)).toEqual([
    'stop_loss',
  ]);
  expect(trades.filter((trade) => trade.plan_id === trailed.toString()).map((trade) => trade.close_reason)).toEqual([
    'trailing_stop',
  ]);
  expect(trades.filter((trade) => trade.plan_id === closed.toString()).map((trade) => trade.close_reason)).toEqual([
    'close_now',
  ]);
  const boughtAt = async () =>
    (await getPlan(world.context.db, world.memberId, stopped)).decisions
      .filter(({ action }) => action === 'enter')
      .map(({ at }) => at.slice(8, 16));
  // It was above its average at most of the boundaries while it rested, and bought at none of them.
  expect(await boughtAt()).toEqual(['03T12:30']);
  for (const id of [stopped, trailed]) await redeemPlan(world.context, world.memberId, id);
  await world.play('04T12:46:00');
  expect((await world.trades()).filter((trade) => trade.state === 'open')).toHaveLength(1);
  expect(await boughtAt()).toEqual(['03T12:30']);
});

test('a plan is created once per key, from a wallet that has it, and belongs to its member alone', async () => {
  const world = await openWorld();
  const once = { callerId: world.memberId, call: 'POST /trading/plans', key: 'k1', bodyHash: 'h' };
  const first = await createPlan(world.context, world.memberId, holdPlan, once);
  expect(await createPlan(world.context, world.memberId, holdPlan, once)).toEqual(first);
  const refused = (change: Partial<NewPlanInput>) =>
    expect(createPlan(world.context, world.memberId, { ...holdPlan, ...change })).rejects;
  await refused({ tradeId: null }).toMatchObject({ code: 'trade_not_selected' });
  await refused({ amount: 4.99 }).toMatchObject({ code: 'trade_under_primary_minimum' });
  await refused({ amount: 0.99, wallet_type: 'profit' }).toMatchObject({ code: 'trade_under_profit_minimum' });
  await refused({ amount: 901 }).toMatchObject({ code: 'insufficient_funds' });
  expect((await listPlans(world.context.db, { memberId: world.memberId, limit: 10 })).items).toHaveLength(1);
  const stranger = await world.member('Bob');
  const id = BigInt(first.id);
  await expect(getPlan(world.context.db, stranger.memberId, id)).rejects.toMatchObject({ code: 'plan_not_found' });
  await expect(redeemPlan(world.context, stranger.memberId, id)).rejects.toMatchObject({ code: 'plan_not_found' });
  await redeemPlan(world.context, world.memberId, id);
  await expect(redeemPlan(world.context, world.memberId, id)).rejects.toMatchObject({ code: 'plan_redeemed' });
});

test('the plans of a member come in pages, by state', async () => {
  const world = await openWorld();
  const ids = [await world.create(), await world.create(), await world.create()].map(String);
  await pausePlan(world.context, world.memberId, BigInt(ids[1] as string));
  const list = (query: object) => listPlans(world.context.db, { memberId: world.memberId, limit: 2, ...query });
  const first = await list({});
  expect(first.items.map((plan) => plan.id)).toEqual([ids[2], ids[1]]);
  expect((await list({ cursor: first.next_cursor })).items.map((plan) => plan.id)).toEqual([ids[0]]);
  expect((await list({ state: 'paused' })).items.map((plan) => plan.id)).toEqual([ids[1]]);
  await expect(list({ cursor: 'x' })).rejects.toMatchObject({ code: 'validation' });
});

test('of redeemed plans only compounding ones are in their history', async () => {
  const world = await openWorld();
  const [kept] = [await world.create(), await world.create({ compounding: false })];
  for (const { id } of (await listPlans(world.context.db, { memberId: world.memberId, limit: 9 })).items)
    await redeemPlan(world.context, world.memberId, BigInt(id));
  const { items } = await listRedemptions(world.context.db, { memberId: world.memberId, limit: 9 });
  expect(items.map(({ id }) => id)).toEqual([String(kept)]);
});

test('no plan is made once the recording has ended, when it would never trade', async () => {
  const world = await openWorldOfTest({
    from: '2026-03-03T12:00:00Z',
    minutes: 30,
    candle: () => still('100'),
    start: '2026-03-03T12:20:00Z',
  });
  await world.play('03T12:31:00');
  await expect(world.createPlan()).rejects.toMatchObject({ code: 'replay_ended' });
});

test.each([
  ['a plan', async (db: Db, memberId: bigint, id: bigint) => (await getPlan(db, memberId, id)).plan],
  ['a list of plans', async (db: Db, memberId: bigint) => (await listPlans(db, { memberId, limit: 10 })).items[0]],
])('%s is shown as of one moment, also when a trade settles meanwhile', async (_, show) => {
  const world = await openWorld();
  const id = await world.create();
  await world.play('03T12:31:00');
  let hasSettled = false;
  const db = world.context.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!hasSettled) {
        hasSettled = true;
        await world.play('03T17:31:00');
      }
      return result;
    },
  });
  expect(await show(db, world.memberId, id)).toMatchObject({
    principal: 100,
    trade_id: expect.any(String),
    trade_state: 'open',
  });
  expect(await world.plan(id)).toMatchObject({ trade_id: null, trade_state: null });
});
