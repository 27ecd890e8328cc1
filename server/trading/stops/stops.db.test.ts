import { expect, test } from 'vitest';
import { verifyLedger } from '#server/ledger/index.ts';
import { advanceMarket } from '#server/market/index.ts';
import { codeOf } from '#test/kit/at-once.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { instantOf } from '#test/worlds/trading-world.ts';
import { closeTrade, followMarket, setTradeStops } from '../index.ts';
import { openStopsWorld } from './stops-world.test-setup.ts';

test('a stop-loss is triggered by a mark at its level and filled at the first tick after', async () => {
  // Opened at 100.05: 2 % under it is 98.049. 98.05 does not trigger it, 98.04 does; the tick after is 98.5.
  const world = await openStopsWorld({ '13:00': ['98.05', '98.06', '98.04', '98.06'], '13:01': still('98.5') });
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

test('trailing stops of different percentages and beginnings are each measured from their own high', async () => {
  const world = await openStopsWorld({
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

test('a queued trade takes stops; one that is over, closing, foreign or unknown does not', async () => {
  const world = await openStopsWorld({});
  const id = await world.place();
  const stops = { stop_loss: 3, take_profit: null, trailing_stop: null };
  expect(await setTradeStops(world.context, world.memberId, id, stops)).toMatchObject({
    state: 'queued',
    stops: { stop_loss: 3, stop_loss_price: null },
  });
  await world.play('12:40:00');
  expect(await world.trade(id)).toMatchObject({ stops: { stop_loss_price: 97.0485 } });
  await closeTrade(world.context, world.memberId, id);
  expect(await codeOf(setTradeStops(world.context, world.memberId, id, stops))).toBe('trade_not_open');
  await world.play('12:41:00');
  expect(await codeOf(setTradeStops(world.context, world.memberId, id, stops))).toBe('trade_not_open');
  const stranger = await world.member('Bob');
  expect(await codeOf(setTradeStops(world.context, stranger.memberId, id, stops))).toBe('trade_not_found');
  expect(await codeOf(setTradeStops(world.context, world.memberId, 999n, stops))).toBe('trade_not_found');
});

test('nobody sets stops of a queued trade at prices they have seen', async () => {
  const world = await openStopsWorld({ '12:41': ['100', '110', '100', '100'] });
  await world.play('12:40:00');
  const id = await world.place();
  const stops = { take_profit: 5 };
  // It opens at 12:40:15, and 110 at 12:41:30 is over: both have come and are not followed yet.
  await advanceMarket(world.context, { elapsedMs: 0, skipTo: new Date(instantOf('12:42:00')) });
  expect(await codeOf(setTradeStops(world.context, world.memberId, id, stops))).toBe('trade_not_open');
  await followMarket(world.context);
  expect(await setTradeStops(world.context, world.memberId, id, stops)).toMatchObject({ state: 'open' });
  await world.play('12:45:00');
  expect(await world.trade(id)).toMatchObject({ state: 'open', closing: false, opened_at: '2026-03-04T12:40:15.000Z' });
});
