import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { still } from '#test/recorded/recorded-market.ts';
import {
  type ExchangeWorld,
  findDuplicates,
  openExchangeWorld,
  readBatches,
  readHolding,
} from '#test/worlds/exchange-world.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { showAssets } from '../assets/show-assets.ts';
import { closeTrade, getSession } from '../index.ts';
import { insertCoinSale } from './coin-sale.ts';
import { executeBatches } from './execute-batches.ts';
import { type Venue, type VenueBook, VenueFault } from './venue-port.ts';
import { findVenueState, refuseVenueChange } from './venue-state.ts';

let world: ExchangeWorld;

beforeEach(async () => {
  world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000, symbols: ['btc', 'eth', 'ltc'] });
  await world.execute(1);
  await world.goTo('12:31:00');
});
afterEach(() => world.close());

async function expectRight() {
  expect(await findDuplicates(world.context, world.node)).toEqual([]);
  expect(await verifyLedger(world.context.db)).toEqual([]);
}

/** An order that the exchange accepted, but whose outcome cannot be read. */
async function sendUnheard() {
  const placed = await world.place({ amount: 1000 });
  world.node.interferences.push({ call: 'GET /api/v3/order', with: 'break' });
  await world.goTo('12:32:00', 1);
  expect(await readBatches(world.context)).toMatchObject([{ state: 'sent' }]);
  return placed;
}

/** Its asset is halted with this reason, and another asset still trades. */
async function expectHaltedAlone(words: string) {
  const { id } = await world.place({ amount: 500, tradeId: 'eth' });
  await world.goTo('12:33:00', 4);
  expect(await findVenueState(world.context.db)).toMatchObject({ state: 'up' });
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  expect(await readHolding(world.context, 'btc')).toMatchObject({ halt_reason: expect.stringContaining(words) });
}

test.each([
  ['filled nothing', 0n, 0],
  ['was filled', 10_000n, 0],
  ['was filled, which is listed late', 10_000n, 1],
])(
  'an accepted order that the exchange no longer knows halts only its asset, until it ends: it %s',
  async (_, filledBps, fillsLag) => {
    const { book, orders } = world.node.account;
    book.filledBps = filledBps;
    const { id } = await sendUnheard();
    orders.splice(0);
    book.filledBps = 10_000n;
    world.clock.advance(30);
    await expectHaltedAlone('it knows no order');
    expect(await world.trade(id)).toMatchObject({ state: 'opening' });
    book.fillsLag = fillsLag;
    world.clock.advance(3600);
    await world.execute(4);
    expect(await world.trade(id)).toMatchObject({ state: 'opening' });
    world.clock.advance(300);
    await world.execute(4);
    expect(await world.trade(id)).toMatchObject({ state: 'open' });
    expect(await readHolding(world.context, 'btc')).toMatchObject({ halt_reason: null });
    // Sent again only if it filled nothing.
    expect(orders.filter(({ symbol }) => symbol === world.node.nameOf('btc'))).toHaveLength(filledBps === 0n ? 1 : 0);
    expect(Number((await readHolding(world.context, 'btc'))?.held)).toBeCloseTo(0.0199, 3);
  },
);

test('an order in an asset that is delisted meanwhile delays no other', async () => {
  const { id } = await sendUnheard();
  const name = world.node.nameOf('btc');
  const pair = world.pair('btc');
  world.node.market.pairs.delete(name);
  await world.restart();
  await expectHaltedAlone('does not say what its order filled');
  world.node.market.pairs.set(name, pair);
  world.clock.advance(301);
  await world.restart();
  await world.execute(4);
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  await expectRight();
});

test('paper trading waits for an order whose outcome is unknown, and for its position', async () => {
  const { context } = world;
  const paper = { ...context, config: { ...context.config, venue: 'paper' as const } };
  await expect(refuseVenueChange(paper)).resolves.toBeUndefined();
  const { id } = await sendUnheard();
  await expect(refuseVenueChange(paper)).rejects.toThrow('VENUE');
  await world.execute(2);
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  await expect(refuseVenueChange(paper)).rejects.toThrow('VENUE');
  await closeTrade(context, world.memberId, BigInt(id));
  await world.goTo('12:33:00');
  expect(await world.trade(id)).toMatchObject({ state: 'settled' });
  await expect(refuseVenueChange(paper)).resolves.toBeUndefined();
});

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

test('fills that never add up to their order halt only its asset, until they do', async () => {
  const { id } = await world.place({ amount: 1000 });
  world.node.lies.push({ order: { executedQty: '0.01980000' } });
  await world.goTo('12:32:00', 2);
  expect(await readHolding(world.context, 'btc')).toMatchObject({ halt_reason: null });
  world.clock.advance(30);
  await world.execute(1);
  world.node.lies.length = 0;
  expect(await readHolding(world.context, 'btc')).toMatchObject({
    halt_reason: expect.stringContaining('fills of 0.01991 where 0.01980000 is filled'),
  });
  expect(await world.trade(id)).toMatchObject({ state: 'opening' });
  await world.execute(2);
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  await expectRight();
});

test('a sale at a thousand times the mark is not booked', async () => {
  const { id } = await world.place({ amount: 1000 });
  await world.goTo('12:32:00', 2);
  await closeTrade(world.context, world.memberId, BigInt(id));
  world.node.lies.push({ fill: { price: '50000000.00', quoteQty: '990000.00' } });
  await world.goTo('12:33:00', 3);
  expect(await world.trade(id)).toMatchObject({ state: 'open', closing: true });
  expect(await readHolding(world.context, 'btc')).toMatchObject({
    halt_reason: expect.stringContaining('far from the mark'),
  });
  world.node.lies.length = 0;
  await world.execute(2);
  const sold = await world.trade(id);
  expect(sold).toMatchObject({ state: 'settled' });
  expect(sold?.close_price).toBeLessThan(50_000);
  await expectRight();
});

test.each<[string, () => Promise<VenueBook | undefined>]>([
  ['unreadable', () => Promise.reject(new VenueFault('unreadable', 'no book'))],
  ['empty', async () => undefined],
  ['crossed', async () => ({ bid: '50000', ask: '49990', buyDepth: '1000000', sellDepth: '1000000' })],
  ['far from the mark', async () => ({ bid: '53500', ask: '53501', buyDepth: '1000000', sellDepth: '1000000' })],
])('an order book that is %s halts only its asset, until it can be traded', async (_, readBroken) => {
  const { context, clock } = world;
  const { id } = await world.place({ amount: 1000 });
  const { id: other } = await world.place({ amount: 1000, tradeId: 'eth' });
  const readBook: Venue['readBook'] = (symbol, ...rest) =>
    symbol === 'btc' ? readBroken() : world.venue.readBook(symbol, ...rest);
  await world.goTo('12:32:00', 0);
  clock.advance(61);
  await executeBatches(context, { ...world.venue, readBook });
  expect(await world.trade(id)).toMatchObject({ state: 'queued' });
  expect(await world.trade(other)).toMatchObject({ state: 'open' });
  expect(await getSession(context)).toMatchObject({ waiting_assets: ['btc'] });
  expect(await readHolding(context, 'btc')).toMatchObject({
    halt_reason: expect.stringContaining('order book of BTC'),
  });
  clock.advance(5);
  await world.execute(1);
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  expect(await getSession(context)).toMatchObject({ waiting_assets: null });
  await expectRight();
});

test('a sale that waits for a tradable order book keeps its asset halted, and finance is told once', async () => {
  const { context, clock } = world;
  await makeOperator(context, 'finance');
  const sale = { reference: 'TM-AAAAAA', gateway: 'btcpay', symbol: 'btc', quantity: '0.01', limitPrice: '49000' };
  await inTransaction(context.db, (tx) => insertCoinSale(tx, sale));
  for (let second = 0; second < 60; second += 1) {
    clock.advance(1);
    await executeBatches(context, { ...world.venue, readBook: async () => undefined });
  }
  expect(await readHolding(context, 'btc')).toMatchObject({ rejections: 4 });
  expect(
    await listRows(context.db)`select 1 from notify.mail where subject like '%trading in BTC is halted%'`,
  ).toHaveLength(1);
  clock.advance(60);
  await world.execute(2);
  expect(await readHolding(context, 'btc')).toMatchObject({ halt_reason: null });
});

test('an order book that cannot be traded says nothing about how much could be bought', async () => {
  const { context, clock } = world;
  const { id } = await world.place({ amount: 1000 });
  clock.advance(61);
  const readBook = async () => ({ bid: '1', ask: '50000', buyDepth: '0', sellDepth: '1' });
  await world.goTo('12:32:00', 0);
  for (let round = 0; round < 3; round += 1) {
    clock.advance(1);
    await executeBatches(context, { ...world.venue, readBook });
  }
  expect(await world.trade(id)).toMatchObject({ state: 'queued' });
  clock.advance(60);
  await world.execute(2);
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
});

test('an order book of more dollars than there are delays no other asset, and is shown', async () => {
  const { context, node, clock } = world;
  const { id } = await world.place({ amount: 1000, tradeId: 'eth' });
  node.account.book.coinsAPiece = '1000000000';
  clock.advance(61);
  await world.goTo('12:32:00');
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  expect((await showAssets(context)).find(({ symbol }) => symbol === 'btc')?.limits).toMatchObject({
    half_depth: 4_250_000_000,
  });
});

test('one order book without an answer halts nothing, and its trade opens in the next round', async () => {
  const { context, clock } = world;
  await makeOperator(context, 'finance');
  const { id } = await world.place({ amount: 1000 });
  await world.goTo('12:32:00', 0);
  clock.advance(1);
  const readBook: Venue['readBook'] = () => Promise.reject(new VenueFault('unknown', 'no answer'));
  await executeBatches(context, { ...world.venue, readBook });
  expect(await readHolding(context, 'btc')).not.toMatchObject({ rejections: 1 });
  expect(await world.trade(id)).toMatchObject({ state: 'queued' });
  clock.advance(1);
  await world.execute(1);
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  expect(await listRows(context.db)`select 1 from notify.mail where subject like '%is halted%'`).toEqual([]);
});

test('an order book that is never answered halts only its own asset, until it is', async () => {
  const { context, clock } = world;
  await makeOperator(context, 'finance');
  let asked = 0;
  const readBook: Venue['readBook'] = async (symbol, ...rest) => {
    if (symbol !== 'btc') return world.venue.readBook(symbol, ...rest);
    asked += 1;
    throw new VenueFault('unknown', 'no answer');
  };
  const { id } = await world.place({ amount: 1000 });
  await world.goTo('12:32:00', 0);
  const others: string[] = [];
  for (let second = 0; second < 150; second += 1) {
    clock.advance(1);
    if (second % 50 === 0) others.push((await world.place({ amount: 500, tradeId: 'eth' })).id);
    if (second % 50 === 1) await world.goTo(new Date((await getMarketTime(context.db)).getTime() + 1000), 0);
    await executeBatches(context, { ...world.venue, readBook });
    expect(await findVenueState(context.db)).toMatchObject({ state: 'up' });
  }
  for (const other of others) expect(await world.trade(other)).toMatchObject({ state: 'open' });
  expect(await world.trade(id)).toMatchObject({ state: 'queued' });
  expect(await readHolding(context, 'btc')).toMatchObject({
    halt_reason: expect.stringContaining('order book of BTC'),
  });
  // The back-off of 5, 10, 20, 40 and 80 seconds, and the depth each minute.
  expect(asked).toBeLessThan(12);
  expect(
    await listRows(context.db)`select 1 from notify.mail where subject like '%trading in BTC is halted%'`,
  ).toHaveLength(1);
  clock.advance(160);
  await world.execute(2);
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  await expectRight();
});

test('several order books that are never answered halt their assets, of which one email tells, and the exchange stays up', async () => {
  const { context, clock } = world;
  await makeOperator(context, 'finance');
  const trades = [await world.place({ amount: 1000 }), await world.place({ amount: 500, tradeId: 'eth' })];
  await world.goTo('12:32:00', 0);
  const readBook: Venue['readBook'] = () => Promise.reject(new VenueFault('unknown', 'no answer'));
  for (let round = 0; round < 90; round += 1) {
    clock.advance(1);
    await executeBatches(context, { ...world.venue, readBook });
    expect(await findVenueState(context.db)).toMatchObject({ state: 'up' });
  }
  for (const symbol of ['btc', 'eth'])
    expect(await readHolding(context, symbol)).toMatchObject({ halt_reason: expect.stringContaining('order book') });
  const told = () => listRows(context.db)`select subject from notify.mail where subject like '%is halted%' order by id`;
  const both = { subject: expect.stringContaining('trading in BTC, ETH is halted') };
  expect(await told()).toEqual([both]);
  // As if the worker had been killed between halting an asset and telling of it, and started an hour later.
  await execute(context.db)`update trading.holding set halt_notified_at = null where symbol = 'eth'`;
  clock.advance(3600);
  await executeBatches(context, { ...world.venue, readBook });
  expect(await told()).toEqual([both, { subject: expect.stringContaining('trading in ETH is halted') }]);
  clock.advance(160);
  await world.execute(2);
  for (const { id } of trades) expect(await world.trade(id)).toMatchObject({ state: 'open' });
  await expectRight();
});

test('order books that are never answered are asked at once, and once a minute, so that orders do not wait for them', async () => {
  const { context, clock } = world;
  const asked: string[] = [];
  let [open, most] = [0, 0];
  const readBook: Venue['readBook'] = async (symbol) => {
    asked.push(symbol);
    open += 1;
    most = Math.max(most, open);
    await setImmediate();
    open -= 1;
    throw new VenueFault('unknown', 'no answer');
  };
  clock.advance(61);
  for (let round = 0; round < 50; round += 1) {
    clock.advance(1);
    await executeBatches(context, { ...world.venue, readBook });
  }
  expect(asked).toHaveLength(new Set(asked).size);
  expect(most).toBe(asked.length);
});

test('orders that are never answered halt their own assets, and do not bring the exchange down', async () => {
  const { context, clock } = world;
  const silent = ['btc', 'ltc'];
  let asked = 0;
  const findOrder: Venue['findOrder'] = async (symbol, clientOrderId) => {
    if (!silent.includes(symbol)) return world.venue.findOrder(symbol, clientOrderId);
    // Not one that is asked about only to learn whether the exchange answers.
    if (world.node.account.orders.some(({ clientId }) => clientId === clientOrderId)) asked += 1;
    throw new VenueFault('unknown', 'no answer');
  };
  const trades = [];
  for (const tradeId of silent) trades.push(await world.place({ amount: 500, tradeId }));
  await world.goTo('12:32:00', 0);
  for (let round = 0; round < 20; round += 1) {
    clock.advance(1);
    await executeBatches(context, { ...world.venue, findOrder });
    expect(await findVenueState(context.db)).toMatchObject({ state: 'up' });
  }
  // Twice, then after 5 and 10 seconds.
  expect(asked).toBe(silent.length * 4);
  const other = await world.place({ amount: 500, tradeId: 'eth' });
  await world.goTo('12:33:00', 0);
  clock.advance(1);
  await executeBatches(context, { ...world.venue, findOrder });
  expect(await world.trade(other.id)).toMatchObject({ state: 'open' });
  for (const symbol of silent)
    expect(await readHolding(context, symbol)).toMatchObject({ halt_reason: expect.stringContaining('not answer') });
  for (const { id } of trades) expect(await world.trade(id)).toMatchObject({ state: 'opening' });
  clock.advance(20);
  await world.execute(2);
  for (const { id } of trades) expect(await world.trade(id)).toMatchObject({ state: 'open' });
  expect(await readHolding(context, 'btc')).toMatchObject({ halt_reason: null });
  await expectRight();
});

test('an order that ends just before it is cancelled halts nothing, and its fill is booked', async () => {
  const { node, context, clock } = world;
  Object.assign(node.account.book, { keepsRest: true, filledBps: 5_000n });
  const { id } = await world.place({ amount: 1000 });
  await world.goTo('12:32:00', 1);
  expect(await readBatches(context)).toMatchObject([{ state: 'sent' }]);
  clock.advance(31);
  const cancelOrder: Venue['cancelOrder'] = async (...asked) => {
    for (const order of node.account.orders) order.status = 'EXPIRED';
    await world.venue.cancelOrder(...asked);
  };
  await executeBatches(context, { ...world.venue, cancelOrder });
  expect(await readHolding(context, 'btc')).toMatchObject({ halt_reason: null });
  node.account.book.filledBps = 10_000n;
  await world.execute(3);
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  await expectRight();
});
