import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { openWorldOfTest, type TradingWorld } from '#test/worlds/trading-world.ts';
import { followMarket, placeTrade } from '../index.ts';
import { depthSince, listLimits, updateLimits } from './limit-sql.ts';
import { prepareLimits } from './prepare-limits.ts';

const micros = (dollars: number | null) => (dollars === null ? null : BigInt(dollars) * 1_000_000n);

/** Dollars; what was placed before is not counted as checked. */
async function setLimits(
  { context, clock }: Pick<TradingWorld, 'context' | 'clock'>,
  limits: { readonly trade?: number; readonly member?: number; readonly all?: number },
  symbol = 'btc',
) {
  await inTransaction(context.db, (tx) =>
    updateLimits(tx, symbol, {
      tradeMicros: micros(limits.trade ?? null),
      memberMicros: micros(limits.member ?? null),
      allMicros: micros(limits.all ?? null),
    }),
  );
  // Conditions are looked up once a second.
  clock.advance(1);
}
/** As if the limits had been there for long: what is taken is kept and not counted each time. */
const age = ({ context }: Pick<TradingWorld, 'context'>) =>
  sql`update trading.asset_limit set set_at = set_at - interval '1 minute'`.execute(context.db);
const over = (possible: number) => ({
  code: 'over_asset_limit',
  status: 409,
  field: 'amount',
  data: { still_possible: possible },
});

test('elsewhere than in live mode there are none, and nothing is counted', async () => {
  const world = await openWorldOfTest();
  await world.place({ amount: 900 });
  const rows = await listRows(world.context.db)<object>`
    select count(*)::int as assets, count(trade_micros)::int as trade, count(taken_micros)::int as taken from trading.asset_limit`;
  expect(rows).toEqual([{ assets: 16, trade: 0, taken: 0 }]);
});

test('live mode begins with them by liquidity, also in a database of a rehearsal; what operators set stays', async () => {
  const world = await openWorldOfTest();
  await setLimits(world, {}, 'eth');
  const live: Context = { ...world.context, config: { ...world.context.config, mode: 'live' } };
  await prepareLimits(live);
  await prepareLimits(live);
  const { rows } = await sql<object>`
    select symbol, version, trade_micros / 1000000 as trade, member_micros / 1000000 as member, all_micros / 1000000 as all
    from trading.asset_limit where symbol in ('btc', 'eth', 'doge') order by symbol`.execute(world.context.db);
  expect(rows).toEqual([
    { symbol: 'btc', version: 1, trade: 50_000n, member: 250_000n, all: 5_000_000n },
    { symbol: 'doge', version: 1, trade: 10_000n, member: 50_000n, all: 500_000n },
    { symbol: 'eth', version: 2, trade: null, member: null, all: null },
  ]);
});

test.each([false, true])('placing keeps to each limit and says what is still possible (aged: %s)', async (aged) => {
  const world = await openWorldOfTest();
  const bob = (await world.member('Bob', 1000)).memberId;
  await setLimits(world, { trade: 60, member: 100, all: 130 });
  if (aged) await age(world);
  await expect(world.place({ amount: 60.01 })).rejects.toMatchObject(over(60));
  const first = await world.place({ amount: 60 });
  await expect(world.place({ amount: 41 })).rejects.toMatchObject(over(40));
  await world.place({ amount: 40 });
  await expect(world.place({ amount: 5 })).rejects.toMatchObject(over(0));
  await expect(world.place({ amount: 31 }, bob)).rejects.toMatchObject(over(30));
  await world.place({ amount: 29.5 }, bob);
  // Under its minimum nothing can be placed at all; the figure is still what the limits leave.
  await expect(world.place({ amount: 5 }, bob)).rejects.toMatchObject(over(0.5));
  // Another asset has limits of its own: none.
  await world.place({ amount: 500, tradeId: 'eth' }, bob);
  expect((await world.trades()).map(({ amount }) => amount)).toEqual([40, 60]);
  expect(first.state).toBe('queued');
  expect(await verifyLedger(world.context.db)).toEqual([]);
});

test('who has too little hears of that first', async () => {
  const world = await openWorldOfTest();
  await setLimits(world, { trade: 60 });
  await expect(world.place({ amount: 5000 })).rejects.toMatchObject({ code: 'insufficient_funds' });
  await expect(world.place({ amount: 999 })).rejects.toMatchObject(over(60));
});

test('a refused key stays free, and the stored answer is given again when there is no room any more', async () => {
  const world = await openWorldOfTest();
  const { context, memberId } = world;
  await setLimits(world, { all: 60 });
  const once = { callerId: memberId, call: 'POST /trading/do-trade', key: 'k', bodyHash: 'b' };
  const place = (amount: number, key = 'k') =>
    placeTrade(context, memberId, { tradeId: 'btc', amount, wallet_type: 'primary' }, { ...once, key });
  await expect(place(61)).rejects.toMatchObject(over(60));
  const placed = await place(60);
  expect(await place(60)).toEqual(placed);
  await expect(place(60, 'other')).rejects.toMatchObject(over(0));
});

test('what was cancelled or settled leaves its room, open trades do not', async () => {
  const world = await openWorldOfTest();
  await setLimits(world, { all: 100 });
  await age(world);
  await world.place({ amount: 100 });
  await world.play('12:31:00');
  expect((await world.trades())[0]?.state).toBe('open');
  await expect(world.place({ amount: 5 })).rejects.toMatchObject(over(0));
  await world.play('17:31:00');
  await world.place({ amount: 100 });
  await expect(world.place({ amount: 5 })).rejects.toMatchObject(over(0));
});

test('limits that were lowered cancel what does not fit at the opening, the oldest stay, and the whole amount comes back', async () => {
  const world = await openWorldOfTest();
  for (const amount of [50, 40, 20, 15, 10]) await world.place({ amount });
  await setLimits(world, { trade: 45, all: 70 });
  await world.play('12:31:00');
  expect((await world.trades()).map(({ amount, state, cancel_reason }) => [amount, state, cancel_reason])).toEqual([
    [10, 'open', null],
    [15, 'cancelled', 'over_asset_limit'],
    [20, 'open', null],
    [40, 'open', null],
    [50, 'cancelled', 'over_asset_limit'],
  ]);
  expect(await world.balances()).toMatchObject({ primary: 930_000_000n });
  await setLimits(world, { all: 10 });
  await world.play('12:35:00');
  expect((await world.trades()).filter(({ state }) => state === 'open')).toHaveLength(3);
  await world.play('17:31:00');
  expect(await verifyLedger(world.context.db)).toEqual([]);
});

test('what slips in while processes do not know new limits yet is cancelled before it opens', async () => {
  const world = await openWorldOfTest();
  const stale = { ...world.context };
  await world.place({ amount: 5 });
  await inTransaction(world.context.db, (tx) =>
    updateLimits(tx, 'btc', { tradeMicros: null, memberMicros: null, allMicros: 10_000_000n }),
  );
  await placeTrade(stale, world.memberId, { tradeId: 'btc', amount: 100, wallet_type: 'primary' });
  await world.play('12:31:00');
  expect((await world.trades()).map(({ amount, cancel_reason }) => [amount, cancel_reason])).toEqual([
    [100, 'over_asset_limit'],
    [5, null],
  ]);
});

test('with an exchange half of the fresh depth of its order book limits all members', async () => {
  const world = await openWorldOfTest();
  const { context, clock, memberId } = world;
  const exchange: Context = { ...context, config: { ...context.config, venue: 'ccxt' } };
  const place = (amount: number) => placeTrade(exchange, memberId, { tradeId: 'btc', amount, wallet_type: 'primary' });
  const measure = (dollars: number, minutesAgo = 0) =>
    sql`
      insert into trading.depth
      values ('btc', ${micros(dollars)}, 0, ${new Date(clock.now().getTime() - minutesAgo * 60_000)})
      on conflict (symbol) do update set buy_micros = excluded.buy_micros, measured_at = excluded.measured_at`.execute(
      context.db,
    );
  // Not measured, or too long ago: no limit is made up.
  await place(100);
  await measure(300, 6);
  await place(100);
  await measure(500);
  const [shown] = (await listLimits(context.db, depthSince(exchange))).filter(({ symbol }) => symbol === 'btc');
  expect(shown).toMatchObject({ roomMicros: micros(250), halfDepthMicros: micros(250) });
  await age(world);
  await expect(place(51)).rejects.toMatchObject(over(50));
  await place(50);
  await measure(1000);
  await place(200);
  // The lower of both counts.
  await setLimits(world, { all: 470 });
  await expect(place(21)).rejects.toMatchObject(over(20));
  await place(20);
});

test('a plan without room skips the session, says so, and trades in the next one', async () => {
  const world = await openWorldOfTest({ minutes: 3 * 1440 });
  const bob = (await world.member('Bob', 1000)).memberId;
  const { id } = await world.createPlan();
  await setLimits(world, { all: 150 });
  await world.place({ amount: 51 }, bob);
  await world.play('12:46:00');
  expect(await world.trades()).toEqual([]);
  expect(await world.plan(id)).toMatchObject({ state: 'active', state_reason: 'over_asset_limit' });
  const rows = await listRows(world.context.db)<object>`
    select kind, message from notify.notification where member_id = ${world.memberId} and kind like 'plan%'`;
  expect(rows).toEqual([
    {
      kind: 'plan_skipped',
      message: 'Your BTC/USDT plan skips this session: its amount is over the limits of the asset.',
    },
  ]);
  await world.play('17:31:00');
  expect((await world.plan(id)).sessions).toMatchObject([
    {
      trades: 0,
      words: 'No entry: the plan’s amount is over the limits of the asset, so it rests until the next session.',
    },
  ]);
  await world.play('05T12:46:00');
  expect(await world.trades()).toMatchObject([{ state: 'open', amount: 100 }]);
  expect(await world.plan(id)).toMatchObject({ state: 'active', state_reason: null });
});

test('of two plans of one member that fit one by one only the first fits', async () => {
  const world = await openWorldOfTest();
  const first = await world.createPlan();
  const second = await world.createPlan();
  await setLimits(world, { member: 150 });
  await world.play('12:31:00');
  expect(await world.trades()).toMatchObject([{ state: 'open', plan_id: first.id }]);
  expect(await world.plan(second.id)).toMatchObject({ state_reason: 'over_asset_limit' });
});

test('a plan whose trade is cancelled by lowered limits rests for the session', async () => {
  const world = await openWorldOfTest({ minutes: 3 * 1440 });
  const { context } = world;
  const { id } = await world.createPlan();
  // The exchange is away: what the plan placed at the opening waits.
  const away: Context = { ...context, config: { ...context.config, venue: 'ccxt' } };
  await world.play('12:31:00', () => followMarket(away));
  expect(await world.trades()).toMatchObject([{ state: 'queued' }]);
  await setLimits(world, { all: 50 });
  await world.play('12:32:00', () => followMarket(away));
  expect(await world.trades()).toMatchObject([{ state: 'cancelled', cancel_reason: 'over_asset_limit' }]);
  expect(await world.plan(id)).toMatchObject({ state: 'active', state_reason: 'over_asset_limit', principal: 100 });
  await world.play('13:31:00');
  expect(await world.trades()).toHaveLength(1);
});
