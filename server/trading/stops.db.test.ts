import { afterEach, expect, test } from 'vitest';
import { verifyLedger } from '#server/ledger/index.ts';
import { bootTest } from '#test/boot.ts';
import { giveFunds, signUp } from '#test/members.ts';
import { playUntil, type RecordedCandle, recordMarket, still } from '#test/recorded-market.ts';
import { closeTrade, followMarket, listTrades, type NewTradeInput, placeTrade, setTradeStops } from './index.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

const day = (time: string) => new Date(`2026-03-04T${time}Z`);

/** Prices of btc by the minute, each until the next one named; eth stands still at 50. */
type Prices = Readonly<Record<string, RecordedCandle>>;

async function openWorld(prices: Prices, speed = '600') {
  const minutes = Object.keys(prices).sort();
  const made = recordMarket({
    from: '2026-03-04T12:00:00Z',
    minutes: 6 * 60,
    symbols: ['btc', 'eth'],
    candle: (symbol, at) => {
      if (symbol === 'eth') return still('50');
      const time = at.toISOString().slice(11, 16);
      const named = minutes.findLast((minute) => minute <= time);
      if (named === undefined) return still('100');
      const candle = prices[named] as RecordedCandle;
      return named === time ? candle : still(candle?.[3] as string);
    },
  });
  const { context, database } = await bootTest({
    MARKET_FEED: 'replay',
    REPLAY_DATA: made.folder,
    MARKET_START: '2026-03-04T12:20:00Z',
    MARKET_SPEED: speed,
  });
  cleanUps.push(() => database.close(), made.remove);
  const { memberId } = await signUp(context);
  await giveFunds(context, memberId, 10_000_000_000n);
  return {
    context,
    memberId,
    place: async (input: Partial<NewTradeInput> = {}) =>
      BigInt(
        (await placeTrade(context, memberId, { tradeId: 'btc', amount: 100, wallet_type: 'primary', ...input })).id,
      ),
    play: (time: string) => playUntil(context, day(time), () => followMarket(context)),
    trade: async (id: bigint) =>
      (await listTrades(context.db, { memberId, limit: 100 })).items.find((trade) => trade.id === id.toString()),
  };
}

test('a stop-loss is crossed by a mark at its level and filled at the first tick after', async () => {
  // Opened at 100.05: 2 % under it is 98.049. 98.05 does not cross it, 98.04 does; the tick after is 98.5.
  const world = await openWorld({ '13:00': ['98.05', '98.06', '98.04', '98.06'], '13:01': still('98.5') });
  const id = await world.place({ stop_loss: 2 });
  await world.play('12:59:59');
  expect(await world.trade(id)).toMatchObject({
    state: 'open',
    stops: { stop_loss: 2, stop_loss_price: 98.049, take_profit: null, trailing_stop: null },
  });
  await world.play('13:00:20');
  expect(await world.trade(id)).toMatchObject({ state: 'open', closing: true, closing_cause: 'stop_loss' });
  await world.play('13:02:00');
  expect(await world.trade(id)).toMatchObject({
    state: 'settled',
    close_reason: 'stop_loss',
    closed_at: '2026-03-04T13:00:30.000Z',
    close_price: 98.01097, // 98.06 less half the spread: the high came after the low.
  });
  expect(await verifyLedger(world.context.db)).toEqual([]);
});

test('a take-profit is crossed by a mark at its level and filled at the first tick after', async () => {
  const world = await openWorld({ '13:00': ['103', '103.06', '102.9', '103'] });
  const id = await world.place({ take_profit: 3 });
  await world.play('13:05:00');
  // 100.05 × 1.03 = 103.0515. Low, then high at 13:00:30, filled at the close of 13:00:45.
  expect(await world.trade(id)).toMatchObject({
    state: 'settled',
    close_reason: 'take_profit',
    closed_at: '2026-03-04T13:00:45.000Z',
    close_price: 102.9485,
    stops: { take_profit_price: 103.0515 },
  });
});

test('a trailing stop follows the highest mark since the trade opened, and no higher one from before', async () => {
  const world = await openWorld({
    '12:35': still('110'),
    '12:40': still('100'),
    '13:00': still('104'),
    '13:30': still('102.97'),
    '14:00': still('102.96'),
    '14:01': still('103'),
  });
  await world.play('12:45:00');
  const id = await world.place({ trailing_stop: 1 });
  await world.play('13:10:00');
  expect(await world.trade(id)).toMatchObject({
    state: 'open',
    stops: { trailing_stop: 1, trailing_stop_price: 102.96 },
  });
  await world.play('13:59:00');
  expect(await world.trade(id)).toMatchObject({ state: 'open', closing: false });
  await world.play('14:05:00');
  expect(await world.trade(id)).toMatchObject({
    state: 'settled',
    close_reason: 'trailing_stop',
    closed_at: '2026-03-04T14:00:15.000Z',
    close_price: 102.90852,
  });
});

test('trailing stops of different percentages and beginnings are each measured from their own high', async () => {
  const world = await openWorld({
    '13:00': still('120'),
    '13:30': still('110'),
    '14:00': still('115'),
    '14:30': still('112.7'),
    '15:00': still('107.9'),
  });
  const wide = await world.place({ trailing_stop: 10 });
  const narrow = await world.place({ trailing_stop: 9 });
  await world.play('13:45:00');
  expect(await world.trade(narrow)).toMatchObject({ state: 'open' });
  const late = await world.place({ trailing_stop: 2 });
  const lateWide = await world.place({ trailing_stop: 6.2 });
  await world.play('14:45:00');
  expect(await world.trade(late)).toMatchObject({
    close_reason: 'trailing_stop',
    closed_at: '2026-03-04T14:30:15.000Z',
  });
  expect(await world.trade(narrow)).toMatchObject({ state: 'open' });
  await world.play('15:10:00');
  // 120 − 10 % = 108, 120 − 9 % = 109.2, 115 − 6.2 % = 107.87.
  expect(await world.trade(narrow)).toMatchObject({ close_reason: 'trailing_stop' });
  expect(await world.trade(wide)).toMatchObject({ close_reason: 'trailing_stop' });
  expect(await world.trade(lateWide)).toMatchObject({ state: 'open' });
});

test('of several stops crossed by one tick the stop-loss is the reason', async () => {
  const world = await openWorld({ '13:00': still('66') });
  const id = await world.place({ stop_loss: 5, trailing_stop: 5 });
  await world.play('13:05:00');
  expect(await world.trade(id)).toMatchObject({ close_reason: 'stop_loss', closed_at: '2026-03-04T13:00:15.000Z' });
});

test('stops changed while open count from the next tick on, and removing them keeps the trade', async () => {
  const world = await openWorld({ '13:00': still('95'), '15:00': still('94'), '15:30': still('101') });
  const id = await world.place({ stop_loss: 1 });
  const other = await world.place({ stop_loss: 1 });
  await world.play('12:50:00');
  await setTradeStops(world.context, world.memberId, id, { stop_loss: null, take_profit: null, trailing_stop: null });
  await world.play('13:10:00');
  expect(await world.trade(other)).toMatchObject({ close_reason: 'stop_loss' });
  // The mark is 95 already: a stop at 95.0475 is crossed by the next tick, not by the one that is known.
  const changed = await setTradeStops(world.context, world.memberId, id, {
    stop_loss: 5,
    take_profit: 10,
    trailing_stop: 0.5,
  });
  expect(changed).toMatchObject({
    closing: false,
    stops: { stop_loss: 5, stop_loss_price: 95.0475, take_profit_price: 110.055, trailing_stop_price: 94.525 },
  });
  await world.play('13:10:15');
  expect(await world.trade(id)).toMatchObject({ closing: true, closing_cause: 'stop_loss' });
  await world.play('13:10:30');
  expect(await world.trade(id)).toMatchObject({ state: 'settled', closed_at: '2026-03-04T13:10:30.000Z' });
});

test('a trailing stop set later counts from the mark of that moment, not from highs before it', async () => {
  const world = await openWorld({ '13:00': still('120'), '13:30': still('100'), '14:00': still('99.1') });
  const id = await world.place();
  await world.play('13:40:00');
  await setTradeStops(world.context, world.memberId, id, { stop_loss: null, take_profit: null, trailing_stop: 1 });
  await world.play('14:30:00');
  expect(await world.trade(id)).toMatchObject({ state: 'open', stops: { trailing_stop_price: 99 } });
});

test('a queued trade takes stops; one that is over, closing, foreign or unknown does not', async () => {
  const world = await openWorld({});
  const id = await world.place();
  const stops = { stop_loss: 3, take_profit: null, trailing_stop: null };
  expect(await setTradeStops(world.context, world.memberId, id, stops)).toMatchObject({
    state: 'queued',
    stops: { stop_loss: 3, stop_loss_price: null },
  });
  await world.play('12:40:00');
  expect(await world.trade(id)).toMatchObject({ stops: { stop_loss_price: 97.0485 } });
  await closeTrade(world.context, world.memberId, id);
  await expect(setTradeStops(world.context, world.memberId, id, stops)).rejects.toMatchObject({
    code: 'trade_not_open',
  });
  await world.play('12:41:00');
  await expect(setTradeStops(world.context, world.memberId, id, stops)).rejects.toMatchObject({
    code: 'trade_not_open',
  });
  const stranger = await signUp(world.context, { name: 'Ann' });
  await expect(setTradeStops(world.context, stranger.memberId, id, stops)).rejects.toMatchObject({
    code: 'trade_not_found',
  });
  await expect(setTradeStops(world.context, world.memberId, 999n, stops)).rejects.toMatchObject({
    code: 'trade_not_found',
  });
});

test('it does not matter how often the market is followed: one look in two minutes or one in two hours, the same fills', async () => {
  const prices: Prices = {
    '13:00': ['103', '104', '96', '99'],
    '13:20': ['99', '106', '98', '105.5'],
    '14:10': ['105', '105', '103.9', '104.2'],
    '15:00': still('90'),
  };
  const run = async (speed: string) => {
    const world = await openWorld(prices, speed);
    const ids = [
      await world.place({ stop_loss: 3.5 }),
      await world.place({ take_profit: 5 }),
      await world.place({ trailing_stop: 2 }),
      await world.place({ trailing_stop: 8, take_profit: 5.9 }),
      await world.place(),
    ];
    await world.play('17:30:00');
    return Promise.all(ids.map((id) => world.trade(id)));
  };
  expect(await run('60')).toEqual(await run('3600'));
}, 90_000);
