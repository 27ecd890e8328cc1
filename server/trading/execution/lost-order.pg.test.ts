import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyLedger } from '#server/ledger/index.ts';
import { type ExchangeWorld, findDoubles, openExchangeWorld, readBatches } from '#test/exchange-world.ts';
import { still } from '#test/recorded-market.ts';

let world: ExchangeWorld;

beforeEach(async () => {
  world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000 });
  await world.execute(1);
  await world.goTo('12:31:00');
});
afterEach(() => world.close());

async function expectRight() {
  expect(await findDoubles(world.context, world.node)).toEqual([]);
  expect(await verifyLedger(world.context.db)).toEqual([]);
}

test('an order whose answer cannot be read may have arrived: it is looked up, and nothing else is sent meanwhile', async () => {
  const { id } = await world.place({ amount: 1000 });
  const body = { orderId: 1, symbol: world.node.nameOf('btc'), executedQty: 'much', price: '1', status: 'FILLED' };
  world.node.interferences.push({ call: 'POST /api/v3/order', with: { status: 200, body } });
  await world.goTo('12:32:00', 3);
  expect(await readBatches(world.context)).toMatchObject([{ state: 'planned', sends: 1 }]);
  expect(await world.trade(id)).toMatchObject({ state: 'opening' });
  world.clock.advance(11);
  await world.execute(4);
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  await expectRight();
});
