import { afterEach, expect, test } from 'vitest';
import { setOwnLimits } from '#server/accounts/limits/set-own-limits.ts';
import { getBalances, verifyLedger } from '#server/ledger/index.ts';
import { bootTest } from '#test/boot.ts';
import { giveFunds, signUp } from '#test/members.ts';
import { playUntil, recordMarket, still } from '#test/recorded-market.ts';
import { closeTrade, createPlan, followMarket, getPlan, listTrades, placeTrade, resumePlan } from '../index.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** btc stands at 100 and falls to 80 at 13:00 of each day; from midnight on it is at 100 again. */
async function openWorld() {
  const made = recordMarket({
    from: '2026-03-03T12:00:00Z',
    minutes: 2 * 24 * 60,
    symbols: ['btc'],
    candle: (_symbol, at) => still(at.getUTCHours() < 13 ? '100' : '80'),
  });
  const world = await bootTest({
    MARKET_FEED: 'replay',
    REPLAY_DATA: made.folder,
    MARKET_START: '2026-03-03T12:20:00Z',
    MARKET_SPEED: '3600',
  });
  cleanUps.push(() => world.database.close(), made.remove);
  const { context, clock } = world;
  const { memberId } = await signUp(context);
  await giveFunds(context, memberId, 1_000_000_000n);
  return {
    context,
    memberId,
    place: () => placeTrade(context, memberId, { tradeId: 'btc', amount: 100, wallet_type: 'primary' }),
    plan: async () =>
      BigInt(
        (
          await createPlan(context, memberId, {
            tradeId: 'btc',
            strategy: 'session_hold',
            wallet_type: 'primary',
            amount: 50,
            compounding: true,
          })
        ).id,
      ),
    limit: async (limits: { lossDayMicros?: bigint; pauseDays?: number }) => {
      await setOwnLimits(context, { memberId }, { ...limits, address: '127.0.0.1' });
      // What is looked up for placing is kept for a second of real time.
      clock.advance(2);
    },
    play: (time: string) => playUntil(context, `2026-03-${time}Z`, () => followMarket(context)),
    trades: async () => (await listTrades(context.db, { memberId, limit: 25 })).items,
    balances: () => getBalances(context.db, memberId),
  };
}

test('on a pause of their own nobody places a trade, makes a plan or resumes one', async () => {
  const world = await openWorld();
  await world.limit({ pauseDays: 2 });
  await expect(world.place()).rejects.toMatchObject({ code: 'own_pause' });
  await expect(world.plan()).rejects.toMatchObject({ code: 'own_pause' });
  expect(await world.trades()).toEqual([]);
});

test('a pause gives back what waits to open, pauses plans at the opening, and leaves open trades alone', async () => {
  const world = await openWorld();
  await world.place();
  await world.play('03T12:31:00');
  await world.place();
  const planId = await world.plan();
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
  expect((await getPlan(world.context.db, world.memberId, planId)).plan).toMatchObject({
    state: 'paused',
    state_reason: 'own_limit',
    principal: 50,
  });
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
