import { expect, onTestFinished, test } from 'vitest';
import { verifyLedger } from '#server/ledger/index.ts';
import {
  closePosition,
  findDoubles,
  type HedgeWorld,
  hedgeFor,
  openHedgeWorld,
  openPosition,
  openTestVenue,
  readHedge,
  readOrders,
  venueResult,
} from '#test/hedge-world.ts';
import { findVenueState, hedgeExposure, isVenueDown } from '../index.ts';

let world: HedgeWorld;

const dollars = (amount: number) => BigInt(Math.round(amount * 1e6));

/** btc at 50 000, no fee, no slippage, unless a test says otherwise. */
async function openWorld(book: Partial<HedgeWorld['node']['account']['book']> = {}) {
  world = await openHedgeWorld();
  onTestFinished(world.close);
  setPrice('BTCUSDT', '50000.00');
  Object.assign(world.node.account.book, { feeBps: 0n, ...book });
}

const pairOf = (name: string) => {
  const pair = world.node.market.pairs.get(name);
  if (pair === undefined) throw new Error(`no pair ${name}`);
  return pair;
};
const setPrice = (pair: string, lastPrice: string) => Object.assign(pairOf(pair), { lastPrice });
const buy = (amount = 10_000) => openPosition(world.context, 'btc', dollars(amount), '50000');
const sell = (id: bigint, price: string) => closePosition(world.context, id, price);
/** What the exchange does with the next order. */
const disturb = (how: HedgeWorld['node']['interferences'][number]['with']) =>
  world.node.interferences.push({ call: 'POST /api/v3/order', with: how });
const ordersAt = () =>
  world.node.account.orders.map((order) => [order.symbol, order.side, Number(order.quantity) / 1e8]);
const expectHedge = async (hedge: object) => expect(await readHedge(world.context, 'btc')).toMatchObject(hedge);
const expectOrders = async (...orders: object[]) => expect(await readOrders(world.context)).toMatchObject(orders);
/** Each order was sent to the exchange once, and each of its fills is booked once. */
const expectNoDoubles = async () => expect(await findDoubles(world.context, world.node)).toEqual([]);
/** Rounds with somebody who waits in between. */
const waitAndHedge = async (seconds: number, rounds = 1) => {
  world.clock.advance(seconds);
  await hedgeFor(world, rounds);
};

test('the net of all members is bought with one order, and sold when they close', async () => {
  await openWorld();
  const first = await buy();
  const second = await buy(2_500);
  await hedgeFor(world);
  expect(ordersAt()).toEqual([['BTCUSDT', 'BUY', 0.25]]);
  await expectHedge({
    held: '0.25',
    members_cash: dollars(-12_500),
    result: 0n,
  });
  setPrice('BTCUSDT', '51000.00');
  const gross = (await sell(first, '51000')) + (await sell(second, '51000'));
  expect(gross).toBe(dollars(250));
  await hedgeFor(world);
  expect(ordersAt().at(-1)).toEqual(['BTCUSDT', 'SELL', 0.25]);
  await expectHedge({ held: '0', members_cash: gross, result: 0n });
  expect(await venueResult(world.context)).toBe(0n);
});

test('slippage and fees are taken from venue_result, better fills are paid into it', async () => {
  await openWorld({ slippageBps: 20n, feeBps: 10n });
  const id = await buy();
  await hedgeFor(world, 1);
  // 0.2 btc at 50 100, of which the fee keeps 0.0002: for 0.1998 members paid 9 990, the exchange took 10 020.
  await expectHedge({ held: '0.1998', result: dollars(-30) });
  expect(await venueResult(world.context)).toBe(dollars(-30));
  // The 0.0002 that are missing cost ten dollars and are bought in the next round, at 50 100 again, less their own fee.
  await hedgeFor(world, 1);
  expect(ordersAt()).toEqual([
    ['BTCUSDT', 'BUY', 0.2],
    ['BTCUSDT', 'BUY', 0.0002],
  ]);
  Object.assign(world.node.account.book, { slippageBps: -50n, feeBps: 0n });
  await sell(id, '50000');
  const before = await venueResult(world.context);
  await hedgeFor(world, 1);
  // 0.1999998 are held; 0.19999 can be sold, at 50 250 where members were paid 50 000.
  expect((await venueResult(world.context)) - before).toBeGreaterThan(dollars(49.9));
  await expectNoDoubles();
  expect(await verifyLedger(world.context.db)).toEqual([]);
});

test('a fee in a third coin is valued at its price', async () => {
  await openWorld({ feeCoin: 'BNB', feeBps: 10n });
  world.node.market.pairs.set('BNBUSDT', { ...pairOf('BTCUSDT'), base: 'bnb', lastPrice: '10.00' });
  await buy();
  await hedgeFor(world);
  await expectHedge({ held: '0.2', result: dollars(-10) });
});

test('an order keeps to step, smallest and largest order; the rest stays pending', async () => {
  await openWorld();
  Object.assign(pairOf('BTCUSDT'), {
    stepSize: '0.00100000',
    minQuantity: '0.00200000',
    maxMarketQuantity: '0.10000000',
  });
  await buy(10_070);
  await hedgeFor(world, 1);
  expect(ordersAt()).toEqual([['BTCUSDT', 'BUY', 0.1]]);
  await hedgeFor(world, 3);
  // 0.2014 wanted: 0.1 twice; of 0.0014 a step of 0.001 is under the smallest order.
  expect(ordersAt()).toEqual([
    ['BTCUSDT', 'BUY', 0.1],
    ['BTCUSDT', 'BUY', 0.1],
  ]);
  await expectHedge({ held: '0.2', members_cash: dollars(-10_000) });
});

test('positions worth less than an order are not sent until there are enough of them', async () => {
  await openWorld();
  await buy(4.5);
  await hedgeFor(world);
  expect(ordersAt()).toEqual([]);
  await buy(4.5);
  await hedgeFor(world);
  expect(ordersAt()).toEqual([['BTCUSDT', 'BUY', 0.00018]]);
});

test('what an order left unfilled is ordered anew, and each fill is booked once', async () => {
  await openWorld({ filledBps: 5_000n, pieces: 3 });
  await buy();
  await hedgeFor(world, 1);
  await expectOrders({ state: 'partly_filled', quantity: '0.2' });
  await expectHedge({ held: '0.1' });
  world.node.account.book.filledBps = 10_000n;
  await hedgeFor(world, 2);
  await expectHedge({ held: '0.2' });
  expect(world.node.account.trades).toHaveLength(6);
  await expectNoDoubles();
});

test('an order the exchange keeps in its book is taken back after half a minute, and its fills stay booked', async () => {
  await openWorld({ filledBps: 5_000n, keepsRest: true });
  await buy();
  await hedgeFor(world, 3);
  await expectOrders({ state: 'sent' });
  await expectHedge({ held: '0.1' });
  await waitAndHedge(30, 2);
  expect((await readOrders(world.context))[0]).toMatchObject({ state: 'partly_filled' });
  await expectNoDoubles();
});

test('fills that the exchange lists late are waited for', async () => {
  await openWorld({ fillsLag: 2 });
  await buy();
  await hedgeFor(world, 2);
  await expectOrders({ state: 'sent', sends: 1 });
  await hedgeFor(world, 1);
  await expectOrders({ state: 'filled', sends: 1 });
  expect(ordersAt()).toHaveLength(1);
});

test("a rejected order keeps the exchange's words and leaves the asset alone for longer and longer", async () => {
  await openWorld();
  pairOf('BTCUSDT').minNotional = '5.00000000';
  world.node.account.balances.set('USDT', 0n);
  await buy();
  await hedgeFor(world, 1);
  await expectOrders({ state: 'rejected', reason: expect.stringContaining('insufficient balance') });
  await hedgeFor(world, 4);
  expect(await readOrders(world.context)).toHaveLength(1);
  await hedgeFor(world, 2);
  expect(await readOrders(world.context)).toHaveLength(2);
  world.node.account.balances.set('USDT', 10_000_000n * 100_000_000n);
  await waitAndHedge(10);
  await expectHedge({ held: '0.2', rejections: 0 });
  // One asset's trouble is not the exchange's: it answered all the time.
  expect(await findVenueState(world.context.db)).toMatchObject({ state: 'up' });
});

test('an asset that the exchange does not trade stays pending, the others go on', async () => {
  await openWorld();
  setPrice('ETHUSDT', '2500.00');
  pairOf('BTCUSDT').status = 'BREAK';
  await buy();
  await openPosition(world.context, 'eth', dollars(500), '2500');
  await hedgeFor(world);
  expect(ordersAt()).toEqual([['ETHUSDT', 'BUY', 0.2]]);
});

test('a time-out after the exchange accepted the order is found by its id and booked once', async () => {
  await openWorld();
  await buy();
  disturb('do_and_hang');
  await hedgeFor(world, 1);
  await expectOrders({ state: 'planned', sends: 1 });
  await hedgeFor(world, 3);
  await expectOrders({ state: 'filled', sends: 1 });
  expect(ordersAt()).toHaveLength(1);
  await expectNoDoubles();
});

test('a lost request is sent again under its id, but only when it can no longer arrive', async () => {
  await openWorld();
  await buy();
  disturb('delay');
  await hedgeFor(world, 9);
  await expectOrders({ state: 'planned', sends: 1 });
  await waitAndHedge(5, 3);
  await expectOrders({ state: 'filled', sends: 2 });
  // The first request comes out of the network at last: the exchange refuses it for its age.
  expect(world.node.deliverLate()).toMatchObject([{ body: { code: -1021 } }]);
  expect(ordersAt()).toHaveLength(1);
  await expectNoDoubles();
});

test('a request that arrives late, but in time, is found and not sent again', async () => {
  await openWorld();
  await buy();
  disturb('delay');
  await hedgeFor(world, 3);
  expect(world.node.deliverLate()).toMatchObject([{ status: 200 }]);
  await hedgeFor(world, 3);
  await expectOrders({ state: 'filled', sends: 1 });
  expect(ordersAt()).toHaveLength(1);
});

test('an order that never arrived and is no longer wanted is withdrawn', async () => {
  await openWorld();
  const id = await buy();
  disturb('break');
  await hedgeFor(world, 1);
  await sell(id, '50100');
  await waitAndHedge(30, 3);
  await expectOrders({ state: 'withdrawn', sends: 1 });
  expect(ordersAt()).toEqual([]);
  // Members gained twenty dollars that no exchange made.
  expect(await venueResult(world.context)).toBe(dollars(-20));
});

test('a duplicate refused by the exchange is looked up, not rejected', async () => {
  await openWorld();
  await buy();
  const duplicate = { status: 400, body: { code: -2010, msg: 'Duplicate order sent.' } };
  disturb(duplicate);
  await hedgeFor(world, 1);
  await expectOrders({ state: 'planned', sends: 1 });
});

test('told that it asks too often, it leaves the exchange alone for as long as it was asked', async () => {
  await openWorld();
  await buy();
  const wait = { status: 429, body: { code: -1003, msg: 'Too many requests.' }, headers: { 'retry-after': '8' } };
  disturb(wait);
  await hedgeFor(world, 1);
  const calls = world.node.signedCalls.length;
  await hedgeFor(world, 6);
  expect(world.node.signedCalls).toHaveLength(calls);
  await hedgeFor(world, 3);
  await expectOrders({ state: 'filled', sends: 2 });
  expect(ordersAt()).toHaveLength(1);
});

test('a ban, a refused key or nobody there is a venue that is down; one answer brings it up', async () => {
  await openWorld();
  expect(await isVenueDown(world.context)).toBe(true);
  await hedgeFor(world, 1);
  expect(await isVenueDown(world.context)).toBe(false);
  const ban = {
    status: 418,
    body: { code: -1003, msg: 'Way too many requests; IP banned.' },
    headers: { 'retry-after': '90' },
  };
  world.node.interferences.push({ call: 'GET /api/v3/account', with: ban });
  await waitAndHedge(20);
  expect(await findVenueState(world.context.db)).toMatchObject({
    state: 'down',
    reason: expect.stringContaining('banned'),
  });
  await waitAndHedge(90);
  expect(await isVenueDown(world.context)).toBe(false);
  await world.node.goAway();
  await waitAndHedge(20);
  expect(await isVenueDown(world.context)).toBe(true);
  await world.node.comeBack();
  await waitAndHedge(5);
  expect(await isVenueDown(world.context)).toBe(false);
});

test('one slow answer is no downtime, three in a row are', async () => {
  await openWorld();
  await hedgeFor(world, 1);
  const states: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    world.clock.advance(20);
    world.node.interferences.push({ call: 'GET /api/v3/account', with: 'do_and_hang' });
    await hedgeFor(world, 1);
    states.push((await findVenueState(world.context.db)).state);
  }
  expect(states).toEqual(['up', 'up', 'down', 'down']);
});

test('when no worker asks for two minutes, openings wait', async () => {
  await openWorld();
  await hedgeFor(world, 1);
  world.clock.advance(118);
  expect(await isVenueDown(world.context)).toBe(false);
  world.clock.advance(5);
  expect(await isVenueDown(world.context)).toBe(true);
});

test('with the paper venue nothing is asked, and it is never down', async () => {
  await openWorld();
  const paper = { ...world.context, config: { ...world.context.config, venue: 'paper' as const } };
  await buy();
  await hedgeExposure(paper, await openTestVenue(paper, world.node));
  expect(world.node.signedCalls).toEqual([]);
  expect(await isVenueDown(paper)).toBe(false);
});

test('a second worker leaves the exchange to the one that holds it, and takes over when that is silent', async () => {
  await openWorld();
  const venue = await openTestVenue(world.context, world.node);
  await hedgeExposure(world.context, venue, 'first');
  const calls = world.node.signedCalls.length;
  await buy();
  await hedgeExposure(world.context, venue, 'second');
  expect(world.node.signedCalls).toHaveLength(calls);
  world.clock.advance(6);
  await hedgeExposure(world.context, venue, 'second');
  expect(ordersAt()).toHaveLength(1);
});
