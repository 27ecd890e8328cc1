import { expect, test } from 'vitest';
import { backtestOrder } from '#contract/trading/backtest.ts';
import type { Context } from '#server/context.ts';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { post, verifyLedger } from '#server/ledger/index.ts';
import { type RecordedCandle, still } from '#test/recorded/recorded-market.ts';
import { openWorldOfTest } from '#test/worlds/trading-world.ts';
import { runBacktest } from '../backtest/run-backtest.ts';
import { followMarket } from '../index.ts';

const at = (text: string) => new Date(`2026-03-${text}Z`);
const order = {
  strategy: 'momentum',
  params: { period: 5 },
  wallet_type: 'primary',
  amount: 100,
  compounding: true,
} as const;

/** Stands still but for a rise at 16:45 of 3 March, so that momentum enters at 17:00, and one at 13:30 of the day after. */
const rising = (time: Date) => still(time < at('03T16:45:00') ? '100' : time < at('04T13:30:00') ? '104' : '108');

async function openWorld(candle: (time: Date) => RecordedCandle) {
  const world = await openWorldOfTest({
    from: '2026-03-03T00:00:00Z',
    minutes: 3 * 24 * 60,
    candle: (_, time) => candle(time),
    start: '2026-03-03T12:20:00Z',
    speed: 3600,
  });
  const { id } = await world.createPlan(order);
  return { ...world, ownPlan: () => world.plan(id) };
}

const whatBecame = async ({ trades }: Awaited<ReturnType<typeof openWorld>>) =>
  (await trades()).map(({ state, cancel_reason, opened_at }) => [
    state,
    cancel_reason,
    opened_at?.slice(8, 16) ?? null,
  ]);

test('what a plan has queued when the exchange is away until the close is given back to it, and does not open the next day', async () => {
  const world = await openWorld(rising);
  // Nobody has heard of the exchange yet: it counts as down, and nothing opens.
  const away: Context = { ...world.context, config: { ...world.context.config, venue: 'ccxt' } };
  await world.play('03T16:59:50');
  await world.play('03T17:29:00', () => followMarket(away));
  expect(await whatBecame(world)).toEqual([['queued', null, null]]);
  expect(await world.balances()).toMatchObject({ investment: 0n });
  await world.play('03T17:31:00', () => followMarket(away));
  expect(await whatBecame(world)).toEqual([['cancelled', 'session_closed', null]]);
  expect(await world.ownPlan()).toMatchObject({ state: 'active', principal: 100, trade_id: null });
  expect(await world.balances()).toMatchObject({
    primary: 900_000_000n,
    investment: 100_000_000n,
    trade_escrow: 0n,
  });
  await world.play('04T13:29:00');
  expect(await whatBecame(world)).toEqual([['cancelled', 'session_closed', null]]);
  // It goes on by what its strategy decides then.
  await world.play('04T13:46:00');
  expect(await whatBecame(world)).toEqual([
    ['open', null, '04T13:45'],
    ['cancelled', 'session_closed', null],
  ]);
  await world.play('04T17:31:00');
  expect(await verifyLedger(world.context.db)).toEqual([]);
});

test('a plan of an asset without a price until the close trades in two sessions as a backtest of them does', async () => {
  const world = await openWorld((time) =>
    time >= at('03T17:00:00') && time < at('03T17:45:00') ? null : rising(time),
  );
  await world.play('04T18:00:00');
  const own = (await world.trades()).filter((trade) => trade.state === 'settled');
  const { trades, trades_total } = await runBacktest(
    world.context,
    world.memberId,
    backtestOrder.parse({ ...order, symbols: ['btc'], from: '2026-03-03', to: '2026-03-04' }),
  );
  expect(own.map(({ opened_at, result }) => [opened_at, result])).toEqual(
    trades.map(({ opened_at, result }) => [opened_at, result]),
  );
  expect(trades_total).toBe(1);
});

test('what a member queued in a session without a price still waits for the next one', async () => {
  const world = await openWorld((time) =>
    time >= at('03T16:00:00') && time < at('03T17:45:00') ? null : still('100'),
  );
  await world.play('03T16:10:00');
  await world.place({ amount: 10 });
  await world.play('04T12:31:00');
  expect(await whatBecame(world)).toEqual([['open', null, '04T12:30']]);
});

test('what a plan decided a session ago and is queued still, as before this rule, is given back when the next one opens', async () => {
  const world = await openWorld(() => still('100'));
  const { db } = world.context;
  await world.play('03T18:00:00');
  const plan = await world.ownPlan();
  await inTransaction(db, async (tx) => {
    const rows = await listRows(tx)<{ id: bigint }>`
      insert into trading.trade (member_id, symbol, wallet, plan_id, compounding, amount, placed_at, requested_at)
      values (${world.memberId}, 'btc', 'investment', ${BigInt(plan.id)}, true, 100000000, now(), ${at('03T17:00:00')}) returning id`;
    const { memberId } = world;
    await post(tx, [
      {
        key: `trade/${rows[0]?.id}/place`,
        from: { memberId, class: 'investment' },
        to: { memberId, class: 'trade_escrow' },
        amountMicros: 100_000_000n,
        reason: 'trade_place',
        reference: `trade ${rows[0]?.id}`,
        marketAt: at('03T17:00:00'),
      },
    ]);
  });
  await world.play('04T12:31:00');
  expect(await whatBecame(world)).toEqual([['cancelled', 'session_closed', null]]);
  expect(await world.balances()).toMatchObject({ investment: 100_000_000n, trade_escrow: 0n });
});
