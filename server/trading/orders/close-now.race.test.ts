import { expect, test } from 'vitest';
import { verifyLedger } from '#server/ledger/index.ts';
import { advanceMarket } from '#server/market/index.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { closeTrade, followMarket, setTradeStops } from '../index.ts';
import { openStopsWorld } from '../stops/stops-world.test-setup.ts';

const noStops = { stop_loss: null, take_profit: null, trailing_stop: null };

/** Bought at 100.05; the minute of 13:00 falls: its high at :15, its low at :30, its close at :45. */
const dip = { '13:00': ['100', '100.5', '97', '99'], '13:01': still('100') } as const;

/** Moves the market to a time of the session without following it: what its ticks triggered is not known yet. */
async function openWorldAt(prices: Parameters<typeof openStopsWorld>[0]) {
  const world = await openStopsWorld(prices);
  return {
    ...world,
    moveOnly: (time: string) => advanceMarket(world.context, { elapsedMs: 0, skipTo: new Date(`2026-03-04T${time}Z`) }),
    close: (id: bigint) => closeTrade(world.context, world.memberId, id),
  };
}

test.each([
  ['stop-loss', { stop_loss: 2 }, 'stop_loss'],
  ['trailing stop', { trailing_stop: 2.5 }, 'trailing_stop'],
] as const)(
  'a %s that was triggered before Close now sells, however late its tick is followed',
  async (_, stops, cause) => {
    const world = await openWorldAt(dip);
    const id = await world.place(stops);
    await world.play('12:59:59');
    await world.moveOnly('13:00:50');
    expect(await world.close(id)).toMatchObject({ state: 'open', closing: true, closing_cause: cause });
    await followMarket(world.context);
    expect(await world.trade(id)).toMatchObject({
      state: 'settled',
      close_reason: cause,
      closed_at: '2026-03-04T13:00:45.000Z',
    });
  },
);

test('Close now before the trigger sells at the first tick after it, and the stop is not named', async () => {
  const world = await openWorldAt(dip);
  const id = await world.place({ stop_loss: 2 });
  await world.play('12:59:59');
  await world.moveOnly('13:00:20');
  expect(await world.close(id)).toMatchObject({ closing: true, closing_cause: 'close_now' });
  await world.play('13:02:00');
  expect(await world.trade(id)).toMatchObject({ close_reason: 'close_now', closed_at: '2026-03-04T13:00:30.000Z' });
});

test('with a stop set at the very tick that would have triggered it, Close now sells, and at the next tick', async () => {
  const world = await openWorldAt(dip);
  const ids = [await world.place(), await world.place()] as const;
  await world.play('12:59:59');
  await world.moveOnly('13:00:20');
  await world.close(ids[0]);
  const placed = [await world.place()];
  await world.moveOnly('13:00:30');
  await setTradeStops(world.context, world.memberId, ids[1], { stop_loss: 2 });
  expect(await world.close(ids[1])).toMatchObject({ closing: true, closing_cause: 'close_now' });
  placed.push(await world.place());
  await followMarket(world.context);
  await world.play('13:02:00');
  // Each at the first tick after its own request.
  for (const [index, at] of ['2026-03-04T13:00:30.000Z', '2026-03-04T13:00:45.000Z'].entries()) {
    expect(await world.trade(ids[index] as bigint)).toMatchObject({ close_reason: 'close_now', closed_at: at });
    expect(await world.trade(placed[index] as bigint)).toMatchObject({ opened_at: at });
  }
});

test('Close now pressed again, with the tick that sells already there, waits for no later one and keeps its cause', async () => {
  const world = await openWorldAt(dip);
  const ids = [await world.place(), await world.place({ stop_loss: 2 })];
  await world.play('12:59:59');
  for (const time of ['13:00:20', '13:00:50']) {
    await world.moveOnly(time);
    for (const id of ids) expect(await world.close(id)).toMatchObject({ closing: true, closing_cause: 'close_now' });
  }
  await followMarket(world.context);
  for (const id of ids)
    expect(await world.trade(id)).toMatchObject({ close_reason: 'close_now', closed_at: '2026-03-04T13:00:30.000Z' });
});

test('stops that were triggered before are not moved away: the change is refused', async () => {
  const world = await openWorldAt(dip);
  const id = await world.place({ stop_loss: 2 });
  await world.play('12:59:59');
  await world.moveOnly('13:00:50');
  await expect(setTradeStops(world.context, world.memberId, id, noStops)).rejects.toMatchObject({
    code: 'trade_not_open',
  });
  await followMarket(world.context);
  expect(await world.trade(id)).toMatchObject({ close_reason: 'stop_loss', stops: { stop_loss: 2 } });
});

test('a strategy that ends a trade at a boundary comes before Close now pressed after it', async () => {
  const world = await openWorldAt({ '13:00': still('104') });
  const plan = await world.createPlan({ strategy: 'momentum', params: { period: 5 }, compounding: false });
  const tradeOfPlan = async () => (await world.plan(plan.id)).trade_id;
  await world.play('13:20:00');
  const id = BigInt((await tradeOfPlan()) as string);
  await world.play('14:14:59');
  // Five quarters at 104 are closed at 14:15: the price is not above its average any more.
  await world.moveOnly('14:15:20');
  await world.close(id);
  await world.play('14:20:00');
  expect(await world.trade(id)).toMatchObject({ close_reason: 'strategy', closed_at: '2026-03-04T14:15:00.000Z' });
});

test('members who press Close now while ticks trigger their stops: each trade is sold for what came first in market time', async () => {
  const world = await openWorldAt(dip);
  const ids = await Promise.all(Array.from({ length: 24 }, () => world.place({ stop_loss: 2 })));
  const spared = await Promise.all(Array.from({ length: 8 }, () => world.place()));
  await world.play('12:59:59');
  await world.moveOnly('13:00:50');
  await Promise.all([
    followMarket(world.context),
    ...[...ids, ...spared].map((id) => world.close(id).catch((error) => expect(error.code).toBe('trade_not_open'))),
    followMarket(world.context),
  ]);
  await world.play('13:02:00');
  for (const id of ids)
    expect(await world.trade(id)).toMatchObject({ close_reason: 'stop_loss', closed_at: '2026-03-04T13:00:45.000Z' });
  for (const id of spared)
    expect(await world.trade(id)).toMatchObject({ close_reason: 'close_now', closed_at: '2026-03-04T13:01:00.000Z' });
  expect(await verifyLedger(world.context.db)).toEqual([]);
});
