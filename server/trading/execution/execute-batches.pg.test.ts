import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listRows } from '#server/db/rows.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { getMarketTime, listMarket } from '#server/market/index.ts';
import { toText } from '#test/fake-servers/exchange-orders.ts';
import { codeOf } from '#test/kit/at-once.ts';
import { still } from '#test/recorded/recorded-market.ts';
import {
  type ExchangeWorld,
  findDuplicates,
  openExchangeWorld,
  readBatches,
  readHolding,
  venueResult,
} from '#test/worlds/exchange-world.ts';
import { cancelTrade, closeTrade, placeTrade, reportVenue, setTradeStops } from '../index.ts';

let world: ExchangeWorld;

const ORDER = 'POST /api/v3/order';

/** Ann has 20 000 dollars, the price is 50 000, and the session is open. */
async function begin(market: Parameters<typeof openExchangeWorld>[0] = {}) {
  world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000, ...market });
  await world.execute(1);
  await world.goTo('12:31:00');
}

/** The same for a single test. */
async function openSession(market?: Parameters<typeof openExchangeWorld>[0]) {
  await begin(market);
  onTestFinished(() => world.close());
}

/** In every case: nothing twice, the ledger verifies, and the exchange’s balances match its orders. */
async function expectRight() {
  expect(await findDuplicates(world.context, world.node)).toEqual([]);
  expect(await verifyLedger(world.context.db)).toEqual([]);
  const { lines, findings } = await reportVenue(world.context, world.venue);
  // The opening balance of the account was never booked.
  const [dollars, ...coins] = lines;
  expect(Number(dollars?.difference) % 1_000_000).toBeCloseTo(0, 4);
  expect(coins.filter(({ difference }) => Number(difference) !== 0)).toEqual([]);
  expect(findings.filter((finding) => !finding.startsWith('USDT'))).toEqual([]);
}

test('a trade is opening from the commit of its order until the exchange has filled it, and cannot be cancelled meanwhile', async () => {
  await openSession();
  const { context, memberId } = world;
  const { id } = await world.place({ amount: 1000 });
  world.node.interferences.push({ call: ORDER, with: 'do_and_hang' });
  await world.goTo('12:32:00', 1);
  expect(await world.trade(id)).toMatchObject({ state: 'opening', open_price: null });
  expect(await codeOf(cancelTrade(context, memberId, BigInt(id)))).toBe('trade_opening');
  await world.execute(2);
  expect(await world.trade(id)).toMatchObject({
    state: 'open',
    execution: { fill_price: 50_000, exchange_fee: 50.05005005005 },
  });
  expect(world.node.account.orders).toHaveLength(1);
  await expectRight();
});

test('an order that never arrived is not sent again: its trades go into the next batch', async () => {
  await openSession();
  const { id } = await world.place({ amount: 1000 });
  world.node.interferences.push({ call: ORDER, with: 'break' });
  await world.goTo('12:32:00', 1);
  expect((await world.trade(id))?.state).toBe('opening');
  world.clock.advance(11);
  await world.execute(3);
  expect((await world.trade(id))?.state).toBe('open');
  expect((await readBatches(world.context)).map(({ state }) => state)).toEqual(['withdrawn', 'booked']);
  await expectRight();
});

test('on a partial fill trades open in placing order, the last one in part; the rest waits and is cancelled in time', async () => {
  await openSession();
  const { memberId: ben } = await world.member('Ben');
  const first = await world.place({ amount: 1000 });
  const second = await world.place({ amount: 2000 }, ben);
  const third = await world.place({ amount: 500 });
  // 0.04 coins are 2 000 dollars: the first trade in full, and half of the second.
  world.node.account.book.coinsAPiece = '0.04';
  await world.goTo('12:32:00', 1);
  expect(await world.trade(first.id)).toMatchObject({ state: 'open', amount: 1000 });
  const [edge] = await world.trades(ben);
  expect(edge).toMatchObject({ state: 'open' });
  expect(edge?.amount).toBeGreaterThan(1000);
  expect(edge?.amount).toBeLessThan(1020);
  expect(edge?.fee).toBeCloseTo((edge?.amount ?? 0) * 0.004, 5);
  expect(Number((await world.balances(ben)).primary) / 1e6).toBeCloseTo(20_000 - (edge?.amount ?? 0), 5);
  expect(await world.trade(third.id)).toMatchObject({ state: 'queued' });
  expect(await codeOf(cancelTrade(world.context, ben, BigInt(second.id)))).toBe('trade_not_queued');
  world.node.account.book.filledBps = 0n;
  await world.execute(5);
  expect(await world.trade(third.id)).toMatchObject({ state: 'queued' });
  await sql`update trading.venue set answered_ms = answered_ms + 900000`.execute(world.context.db);
  await world.execute(2);
  expect(await world.trade(third.id)).toMatchObject({ state: 'cancelled', cancel_reason: 'not_filled' });
  await expectRight();
});

test('an order that the exchange refuses opens nothing, halts the asset and alerts finance, until an order works again', async () => {
  await openSession({ balances: { USDT: '100' } });
  const { context, memberId } = world;
  const { id } = await world.place({ amount: 1000 });
  await world.goTo('12:32:00', 2);
  expect(await world.trade(id)).toMatchObject({ state: 'queued' });
  const halted = await readHolding(context, 'btc');
  expect(halted).toMatchObject({ rejections: 1, halt_reason: expect.stringContaining('insufficient balance') });
  world.clock.advance(2);
  const place = () => placeTrade(context, memberId, { tradeId: 'btc', amount: 5, wallet_type: 'primary' });
  expect(await codeOf(place())).toBe('asset_halted');
  expect(await codeOf(placeTrade(context, memberId, { tradeId: 'eth', amount: 5, wallet_type: 'primary' }))).toBe(
    'done',
  );
  world.node.account.balances.set('USDT', 100_000_000_000_000n);
  world.clock.advance(6);
  await world.execute(2);
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  expect(await readHolding(context, 'btc')).toMatchObject({ rejections: 0, halt_reason: null });
  world.clock.advance(2);
  expect(await codeOf(place())).toBe('done');
  await world.execute(2);
  await expectRight();
});

test('buyers and sellers at one instant are netted at the mid, and only the rest is ordered', async () => {
  await openSession();
  const { memberId: ben } = await world.member('Ben');
  const { id } = await world.place({ amount: 3000 });
  await world.goTo('12:32:00');
  await closeTrade(world.context, world.memberId, BigInt(id));
  await world.place({ amount: 5000 }, ben);
  world.node.account.book.slippageBps = 10n;
  await world.goTo('12:33:00', 1);
  const [, batch] = await readBatches(world.context);
  expect(batch).toMatchObject({ side: 'buy', state: 'booked' });
  expect(Number(batch?.quantity) * 50_000).toBeLessThan(2050);
  const sold = await world.trade(id);
  // The mid of 50 050 and 49 950, minus half the spread of 0.1 %; no exchange fee.
  expect(sold).toMatchObject({
    state: 'settled',
    close_price: 49_975,
    close_execution: { fill_price: 50_000, exchange_fee: 0, markup: 25 },
  });
  expect((await world.trades(ben))[0]?.open_price).toBeGreaterThan(50_025);
  await expectRight();
});

test('a batch below the smallest order goes to the house’s residual, up to a hundred dollars of an asset', async () => {
  await openSession();
  world.pair('btc').minNotional = '60.00000000';
  await refreshTerms();
  const ids = [];
  for (const second of ['00', '10', '20']) {
    ids.push((await world.place({ amount: 40 })).id);
    await world.goTo(`12:32:${second}`, 1);
  }
  // 40, then 80 with an order for both and the third.
  expect(await readBatches(world.context)).toMatchObject([
    { side: null, state: 'booked' },
    { side: 'buy', state: 'booked' },
    { side: null },
  ]);
  for (const id of ids) expect(await world.trade(id)).toMatchObject({ state: 'open' });
  const { residuals } = await reportVenue(world.context, world.venue);
  expect(residuals.map(({ valueMicros }) => Number(valueMicros) / 1e6)).toEqual([expect.closeTo(40, 0)]);
  await expectRight();
});

describe('an implausible answer of the exchange', () => {
  beforeAll(() => begin());
  afterAll(() => world.close());

  test.each([
    ['more than was ordered', { executedQty: '9.00000000' }, {}],
    ['a negative quantity', { executedQty: '-1.00000000' }, {}],
    ['a quantity of NaN', { executedQty: 'NaN' }, {}],
    ['no quantity', { executedQty: undefined, status: 'EXPIRED' }, {}],
    ['an order of somebody else', { clientOrderId: 'other' }, {}],
    ['a fill without an id', {}, { id: undefined }],
    ['a fill without an instant', {}, { time: 'today' }],
    ['a fill without a fee', {}, { commission: undefined }],
    ['a fee in an unknown coin', {}, { commissionAsset: 'XXX' }],
  ])('with %s books nothing and halts the asset, until a correct answer', async (_, order, fill) => {
    const held = (await readHolding(world.context, 'btc'))?.held ?? '0';
    const { id } = await world.place({ amount: 1000 });
    world.node.lies.push({ order, fill });
    await world.goTo(new Date((await getMarketTime(world.context.db)).getTime() + 60_000), 2);
    expect(await world.trade(id)).toMatchObject({ state: 'opening' });
    expect(await readHolding(world.context, 'btc')).toMatchObject({
      rejections: 1,
      held,
      halt_reason: expect.stringContaining('what cannot be'),
    });
    world.node.lies.length = 0;
    world.clock.advance(6);
    await world.execute(2);
    expect(await world.trade(id)).toMatchObject({ state: 'open' });
    expect(await readHolding(world.context, 'btc')).toMatchObject({ rejections: 0, halt_reason: null });
    await expectRight();
  });
});

test('trades that the order book cannot take are cancelled before anything is ordered for them', async () => {
  await openSession();
  const { id } = await world.place({ amount: 5000 });
  const small = await world.place({ amount: 400 });
  // 0.02 coins are 1 000 dollars, and half of that may be open.
  world.node.account.book.coinsAPiece = '0.02';
  world.clock.advance(61);
  await world.goTo('12:32:00', 1);
  expect(await world.trade(id)).toMatchObject({ state: 'cancelled', cancel_reason: 'over_asset_limit' });
  expect(await world.trade(small.id)).toMatchObject({ state: 'open' });
});

test('in the last five minutes nothing opens, nobody closes by hand, and all is sold in five parts at their average', async () => {
  const prices = (at: Date) =>
    String(50_000 + 100 * Math.max(0, at.getUTCHours() * 60 + at.getUTCMinutes() - (17 * 60 + 24)));
  await openSession({ candle: (_, at) => still(prices(at)) });
  const { context, memberId } = world;
  const { id } = await world.place({ amount: 10_000 });
  await world.goTo('12:32:00');
  await world.goTo('17:25:30', 1);
  expect(await codeOf(closeTrade(context, memberId, BigInt(id)))).toBe('session_closing');
  expect(await codeOf(setTradeStops(context, memberId, BigInt(id), { stop_loss: 5 }))).toBe('session_closing');
  const late = await world.place({ amount: 100 });
  await world.closeSession();
  expect(await world.trade(late.id)).toMatchObject({ state: 'queued' });
  const sold = await world.trade(id);
  expect(sold).toMatchObject({ state: 'settled', close_reason: 'session_close' });
  const parts = (await readBatches(context)).filter(({ kind }) => kind === 'close');
  expect(parts.map(({ filled }) => Number(filled))).toEqual(
    Array.from({ length: 5 }, () => expect.closeTo(Number(parts[0]?.filled), 3)),
  );
  // The average of 50 100 to 50 500.
  expect(sold?.close_execution?.fill_price).toBeCloseTo(50_300, 0);
  await expectRight();
});

test('during exchange maintenance new trades and closes wait, and nothing is lost', async () => {
  await openSession();
  const open = await world.place({ amount: 1000 });
  await world.goTo('12:32:00');
  world.node.market.fault = { status: 503, body: { code: 1, msg: 'System maintenance.' } };
  world.node.interferences.push(
    ...Array.from({ length: 30 }, () => ({ call: 'GET /api/v3/account', with: 'break' as const })),
  );
  await closeTrade(world.context, world.memberId, BigInt(open.id));
  const waiting = await world.place({ amount: 2000 });
  world.clock.advance(20);
  await world.goTo('12:40:00', 5);
  expect(await world.trade(open.id)).toMatchObject({ state: 'open', closing: true });
  expect(await world.trade(waiting.id)).toMatchObject({ state: 'queued' });
  world.node.market.fault = null;
  world.node.interferences.length = 0;
  world.clock.advance(61);
  await world.goTo('12:45:00', 3);
  expect(await world.trade(open.id)).toMatchObject({ state: 'settled', close_reason: 'close_now' });
  expect(await world.trade(waiting.id)).toMatchObject({ state: 'open' });
  await expectRight();
});

test('an asset that the exchange pauses is halted, stays listed, and resumes by itself', async () => {
  await openSession();
  const { id } = await world.place({ amount: 1000 });
  world.pair('btc').status = 'BREAK';
  await world.goTo('12:32:00', 2);
  expect(await world.trade(id)).toMatchObject({ state: 'queued' });
  expect(await readHolding(world.context, 'btc')).toMatchObject({ halt_reason: expect.stringContaining('closed') });
  // After a refused order the exchange’s listed assets are read again.
  world.clock.advance(61);
  await world.execute(2);
  expect(await readHolding(world.context, 'btc')).toMatchObject({
    rejections: 2,
    halt_reason: 'The exchange paused trading in BTC.',
  });
  const [btc] = await listMarket(world.context.db);
  expect(btc).toMatchObject({ displayName: 'btc/usdt', listed: true });
  expect(await codeOf(world.place({ amount: 100 }))).toBe('asset_halted');
  world.pair('btc').status = 'TRADING';
  world.clock.advance(61);
  await world.execute(3);
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  expect(await readHolding(world.context, 'btc')).toMatchObject({ rejections: 0, halt_reason: null });
  await expectRight();
});

test('a position that cannot be sold by the next opening is carried over, and counts in the session in which it closes', async () => {
  await openSession({ minutes: 3000 });
  const { context } = world;
  const { id } = await world.place({ amount: 1000 });
  const { id: other } = await world.place({ tradeId: 'eth', amount: 1000 });
  await world.goTo('12:32:00');
  world.pair('btc').status = 'BREAK';
  await refreshTerms();
  await world.closeSession();
  expect(await world.trade(id)).toMatchObject({ state: 'settling' });
  expect(await world.trade(other)).toMatchObject({ state: 'settled' });
  await world.goTo('05T12:20:00');
  expect(await world.trade(id)).toMatchObject({ state: 'settling' });
  await world.goTo('05T12:30:05');
  await world.goTo('05T12:31:05');
  expect(
    await listRows(context.db)<{
      day: string;
      state: string;
    }>`select day::text, state from trading.session order by day`,
  ).toMatchObject([
    { day: '2026-03-04', state: 'settled' },
    { day: '2026-03-05', state: 'open' },
  ]);
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  world.pair('btc').status = 'TRADING';
  await refreshTerms();
  await world.goTo('05T12:40:05');
  await world.goTo('05T12:41:05');
  expect(await world.trade(id)).toMatchObject({ state: 'settled', close_reason: 'late_price' });
  const { rows: results } = await sql<{ day: string; trades: number }>`
    select session_day::text as day, trades from trading.daily_result order by 1`.execute(context.db);
  expect(results).toEqual([
    { day: '2026-03-04', trades: 1 },
    { day: '2026-03-05', trades: 1 },
  ]);
  await expectRight();
});

test('a close that is twice filled in part continues, and its price is the average weighted by coins', async () => {
  await openSession();
  const { id } = await world.place({ amount: 10_000 });
  await world.goTo('12:32:00');
  await closeTrade(world.context, world.memberId, BigInt(id));
  world.node.account.book.coinsAPiece = '0.1';
  await world.goTo('12:33:00', 1);
  expect(await world.trade(id)).toMatchObject({ state: 'open', closing: true });
  await expectRight();
  world.pair('btc').lastPrice = '49900.00';
  for (const coinsAPiece of ['0.05', '10']) {
    world.node.account.book.coinsAPiece = coinsAPiece;
    await world.execute(1);
  }
  const sold = await world.trade(id);
  expect(sold).toMatchObject({ state: 'settled', close_reason: 'close_now' });
  // 0.1 at 50 000, 0.05 and about 0.0487 at 49 900, the fee of 0.1 % and half the spread.
  expect(sold?.close_price).toBeCloseTo(((0.1 * 50_000 + 0.0987 * 49_900) / 0.1987) * 0.999 * 0.9995, -1);
  await expectRight();
});

test('every opening and close earns the house its markup, whatever the exchange charges', async () => {
  await openSession();
  Object.assign(world.node.account.book, { slippageBps: 20n, feeBps: 20n });
  for (const amount of [1000, 700, 2500]) await world.place({ amount });
  await world.goTo('12:32:00');
  await world.goTo('14:00:00');
  await world.closeSession();
  expect(await venueResult(world.context)).toBeGreaterThan(0n);
  await expectRight();
});

/** Terms are read again after an hour. */
async function refreshTerms() {
  world.clock.advance(3601);
  await world.restart();
}

test('a purchase is larger by the fee if the exchange took the last fee in the coin', async () => {
  await openSession();
  const { account } = world.node;
  const quantities: number[] = [];
  for (const [minute, feeCoin] of [
    ['32', 'received'],
    ['33', 'dollar'],
    ['34', 'dollar'],
  ] as const) {
    account.book.feeCoin = feeCoin;
    await world.place({ amount: 5000 });
    await world.goTo(`12:${minute}:00`);
    quantities.push(Number(toText(account.orders.at(-1)?.quantity ?? 0n)));
  }
  // 4 980 dollars at 50 000, its fee and the markup: 0.09945 are needed. The fee of the second was taken in dollars,
  // so it bought more than it needed; the surplus counts for the third.
  expect(quantities).toEqual([0.09955, 0.09955, 0.09935]);
  await expectRight();
});
