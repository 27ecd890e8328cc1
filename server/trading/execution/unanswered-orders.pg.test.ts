import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyLedger } from '#server/ledger/index.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { type ExchangeWorld, findDuplicates, openExchangeWorld } from '#test/worlds/exchange-world.ts';
import { listHaltedAssets } from '../halts/halt-trading.ts';
import { executeBatches } from './execute-batches.ts';
import { type Venue, VenueFault } from './venue-port.ts';
import { findVenueState } from './venue-state.ts';

let world: ExchangeWorld;

beforeEach(async () => {
  world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000, symbols: ['btc', 'eth', 'ltc'] });
  await world.execute(1);
  await world.goTo('12:31:00');
});
afterEach(() => world.close());

const silence = () => Promise.reject(new VenueFault('unknown', 'no answer'));

test.each<[string, Partial<Venue>]>([
  ['calls', { sendOrder: silence, findOrder: silence }],
  ['look-ups', { findOrder: silence }],
])(
  'an exchange that answers no %s about orders is down, halts nothing, and trades again once it answers',
  async (_, silent) => {
    const { context, clock } = world;
    const trades = [];
    for (const tradeId of ['btc', 'eth']) trades.push(await world.place({ amount: 500, tradeId }));
    await world.goTo('12:32:00', 0);
    for (let round = 0; round < 60; round += 1) {
      clock.advance(1);
      await executeBatches(context, { ...world.venue, ...silent });
      expect(await listHaltedAssets(context.db)).toEqual([]);
    }
    expect(await findVenueState(context.db)).toMatchObject({ state: 'down', reason: 'no answer' });
    clock.advance(60);
    await world.execute(4);
    expect(await findVenueState(context.db)).toMatchObject({ state: 'up' });
    for (const { id } of trades) expect(await world.trade(id)).toMatchObject({ state: 'open' });
    expect(await findDuplicates(context, world.node)).toEqual([]);
    expect(await verifyLedger(context.db)).toEqual([]);
  },
);

test('an order that is never answered halts its asset alone, also when the asset asked about instead is delisted', async () => {
  const { context, clock } = world;
  const { id } = await world.place({ amount: 500, tradeId: 'eth' });
  await world.goTo('12:32:00', 0);
  const findOrder: Venue['findOrder'] = (symbol) =>
    symbol === 'eth' ? silence() : Promise.reject(new VenueFault('refused', 'Invalid symbol.'));
  for (let round = 0; round < 10; round += 1) {
    clock.advance(1);
    await executeBatches(context, { ...world.venue, findOrder });
    expect(await findVenueState(context.db)).toMatchObject({ state: 'up' });
  }
  expect(await listHaltedAssets(context.db)).toMatchObject([{ symbol: 'eth' }]);
  clock.advance(30);
  await world.execute(2);
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
});
