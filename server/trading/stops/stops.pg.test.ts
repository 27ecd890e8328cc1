import { expect, test } from 'vitest';
import { still } from '#test/recorded/recorded-market.ts';
import { setTradeStops } from '../index.ts';
import { openStopsWorld } from './stops-world.test-setup.ts';

test('a take-profit is triggered by a mark at its level and filled at the first tick after', async () => {
  const world = await openStopsWorld({ '13:00': ['103', '103.06', '102.9', '103'] });
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
  const world = await openStopsWorld({
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

test('stops changed while open count from the next tick on, and removing them keeps the trade', async () => {
  const world = await openStopsWorld({ '13:00': still('95'), '15:00': still('94'), '15:30': still('101') });
  const id = await world.place({ stop_loss: 1 });
  const other = await world.place({ stop_loss: 1 });
  await world.play('12:50:00');
  await setTradeStops(world.context, world.memberId, id, { stop_loss: null, take_profit: null, trailing_stop: null });
  await world.play('13:10:00');
  expect(await world.trade(other)).toMatchObject({ close_reason: 'stop_loss' });
  // The mark is 95 already: a stop at 95.0475 is triggered by the next tick, not by the one that is known.
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

test('each stop is changed alone: the others stay, and a trailing stop keeps its high', async () => {
  const world = await openStopsWorld({ '13:00': still('120'), '13:30': still('115'), '14:00': still('107.9') });
  const id = await world.place({ stop_loss: 5, trailing_stop: 10 });
  await world.play('13:40:00');
  expect(await setTradeStops(world.context, world.memberId, id, { take_profit: 50 })).toMatchObject({
    stops: { stop_loss: 5, stop_loss_price: 95.0475, take_profit: 50, trailing_stop: 10, trailing_stop_price: 108 },
  });
  expect(await setTradeStops(world.context, world.memberId, id, { stop_loss: null })).toMatchObject({
    stops: { stop_loss: null, stop_loss_price: null, take_profit: 50, trailing_stop: 10, trailing_stop_price: 108 },
  });
  await world.play('14:05:00');
  expect(await world.trade(id)).toMatchObject({ state: 'settled', close_reason: 'trailing_stop' });
});

test('a trailing stop set later counts from the mark of that moment, not from highs before it', async () => {
  const world = await openStopsWorld({ '13:00': still('120'), '13:30': still('100'), '14:00': still('99.1') });
  const id = await world.place();
  await world.play('13:40:00');
  await setTradeStops(world.context, world.memberId, id, { stop_loss: null, take_profit: null, trailing_stop: 1 });
  await world.play('14:30:00');
  expect(await world.trade(id)).toMatchObject({ state: 'open', stops: { trailing_stop_price: 99 } });
});
