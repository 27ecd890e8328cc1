import { expect, test } from 'vitest';
import { getHouseBalances, verifyLedger } from '#server/ledger/index.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { freeze } from '#test/worlds/members.ts';
import { openWorldOfTest, type TradingMarket } from '#test/worlds/trading-world.ts';
import { followMarket, getSession, listTrades } from '../index.ts';

const day = (time: string) => new Date(`2026-03-04T${time}Z`);

async function openWorld(recording: TradingMarket = {}) {
  const world = await openWorldOfTest({ minutes: 26 * 60, ...recording });
  return {
    ...world,
    place: (tradeId: string, amount: number) => world.place({ tradeId, amount }),
    state: async () => (await getSession(world.context)).state,
  };
}

test('a stale asset waits in settling and settles at the average of its first fresh full minute', async () => {
  const world = await openWorld({
    candle: (symbol, at) => {
      if (symbol === 'btc') return still('100');
      if (at < day('17:20:00')) return still('50');
      // Prices come back at 17:41: 52 in that minute; 53, 53, 55, 55 a quarter each in the next, 60 from then on.
      if (at < day('17:41:00')) return null;
      return at < day('17:42:00') ? still('52') : at < day('17:43:00') ? ['53', '55', '53', '55'] : still('60');
    },
  });
  await world.place('btc', 100);
  await world.place('eth', 100);
  await world.play(day('17:30:00'));
  expect((await world.trades()).map((trade) => [trade.symbol, trade.state])).toEqual([
    ['eth', 'settling'],
    ['btc', 'settled'],
  ]);
  expect(await world.state()).toBe('settling');
  expect((await listTrades(world.context.db, { memberId: world.memberId, limit: 5, state: 'open' })).items).toEqual([]);
  expect(
    (await listTrades(world.context.db, { memberId: world.memberId, limit: 5, state: 'settling' })).items,
  ).toHaveLength(1);

  await world.play(day('17:35:00'));
  expect(await world.place('btc', 10)).toMatchObject({ state: 'queued' });
  await world.play(day('17:41:59'));
  expect(await world.state()).toBe('settling');
  await world.play(day('17:50:00'));
  const trades = await world.trades();
  expect(trades.map((trade) => [trade.symbol, trade.state])).toEqual([
    ['btc', 'queued'],
    ['eth', 'settled'],
    ['btc', 'settled'],
  ]);
  // The first whole minute after the tick of 17:41:00 is that minute itself: 52 × 0.9995.
  expect(trades[1]).toMatchObject({
    close_reason: 'late_price',
    closed_at: '2026-03-04T17:42:00.000Z',
    close_price: 51.974,
  });
  expect(await world.state()).toBe('closed');
  expect((await getHouseBalances(world.context.db)).venue).toBe(0n);
});

test('the next session does not open before the last one is settled, and then fills at ticks not known before', async () => {
  const nextDay = (time: string) => new Date(`2026-03-05T${time}Z`);
  const world = await openWorld({
    candle: (symbol, at) => {
      if (symbol === 'btc') return still(at < nextDay('12:50:00') ? '100' : '200');
      return at >= day('17:20:00') && at < nextDay('12:40:00') ? null : still('50');
    },
  });
  await world.place('eth', 100);
  await world.play(day('18:00:00'));
  await world.place('btc', 100);
  await world.play(nextDay('12:35:00'));
  expect(await world.state()).toBe('settling');
  expect((await world.trades())[0]).toMatchObject({ symbol: 'btc', state: 'queued' });
  await world.play(nextDay('12:45:00'));
  const [waiting, eth] = await world.trades();
  expect(eth).toMatchObject({ state: 'settled', close_reason: 'late_price', closed_at: '2026-03-05T12:41:00.000Z' });
  expect(waiting).toMatchObject({ state: 'queued' });
  await world.play(nextDay('12:46:00'));
  expect((await world.trades())[0]).toMatchObject({
    state: 'open',
    opened_at: '2026-03-05T12:45:15.000Z',
    open_price: 100.05,
  });
});

test('trades of a frozen member are cancelled before they open; what is open goes on to the close', async () => {
  const world = await openWorld();
  await world.place('btc', 100);
  await world.play(day('12:31:00'));
  await world.place('btc', 50);
  await freeze(world.context, world.memberId);
  await world.play(day('12:32:00'));
  expect((await world.trades()).map(({ state, cancel_reason }) => [state, cancel_reason])).toEqual([
    ['cancelled', 'frozen'],
    ['open', null],
  ]);
  await world.play(day('17:30:00'));
  expect((await world.trades())[1]).toMatchObject({ state: 'settled', result: -0.499551 });
});

test('an asset without a price in the whole session: what waited for it is given back; later requests wait on', async () => {
  const world = await openWorld({
    candle: (symbol, at) => (symbol === 'eth' && at >= day('12:25:00') && at < day('17:40:00') ? null : still('50')),
  });
  await world.place('eth', 100);
  await world.play(day('13:00:00'));
  await world.place('eth', 50);
  await world.play(day('17:30:00'));
  expect((await world.trades()).map(({ state, cancel_reason }) => [state, cancel_reason])).toEqual([
    ['queued', null],
    ['cancelled', 'venue_down'],
  ]);
  expect(await world.balances()).toMatchObject({ primary: 950_000_000n, trade_escrow: 50_000_000n });
  await world.play(new Date('2026-03-05T12:31:00Z'));
  expect((await world.trades())[0]).toMatchObject({ state: 'open', opened_at: '2026-03-05T12:30:00.000Z' });
});

test('a recording that ends in a session closes it there, gives back what is queued, and takes no more trades', async () => {
  const world = await openWorld({ minutes: 120, candle: (_, at) => still(at < day('13:30:00') ? '100' : '101') });
  await world.place('btc', 100);
  await world.play(day('13:59:50'));
  await world.place('btc', 50);
  await world.play(day('14:00:00'));
  expect(
    (await world.trades()).map(({ state, close_reason, cancel_reason }) => [state, close_reason, cancel_reason]),
  ).toEqual([
    ['cancelled', null, 'venue_down'],
    ['settled', 'session_close', null],
  ]);
  expect((await world.trades())[1]).toMatchObject({ closed_at: '2026-03-04T14:00:00.000Z', close_price: 100.9495 });
  expect(await world.state()).toBe('ended');
  world.clock.advance(1);
  await expect(world.place('btc', 50)).rejects.toMatchObject({ code: 'replay_ended' });
  expect(await followMarket(world.context)).toEqual({});
  expect(await verifyLedger(world.context.db)).toEqual([]);
});

test('at the end of a recording an asset that was stale is settled at its last price', async () => {
  const world = await openWorld({
    minutes: 120,
    candle: (symbol, at) => (symbol === 'eth' && at >= day('13:30:00') ? null : still('50')),
  });
  await world.place('eth', 100);
  await world.play(day('14:00:00'));
  expect((await world.trades())[0]).toMatchObject({
    state: 'settled',
    close_reason: 'late_price',
    close_price: 49.975,
  });
});
