import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import type { consoleVenueFills } from '#contract/operator/venue-fills.ts';
import { approveProposal } from '#server/approvals/index.ts';
import { execute } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { post, verifyLedger } from '#server/ledger/index.ts';
import { placeOrder, toUnits } from '#test/fake-servers/exchange-orders.ts';
import { atOnce, codeOf } from '#test/kit/at-once.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { type ExchangeWorld, openExchangeWorld, readBatches, readHolding } from '#test/worlds/exchange-world.ts';
import { actorOf, makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { cancelTrade, closeTrade, reportVenue } from '../index.ts';
import { importStatement } from '../statement/import-statement.ts';
import { proposeSettlement, statementKind } from '../statement/settle-finding.ts';
import { listFindings } from '../statement/show-statement.ts';
import { type Batch, listUnfinished } from './batch-sql.ts';
import { followOrder } from './follow-order.ts';
import { listUnsold, proposeVenueFill, venueFillKind } from './sell-elsewhere.ts';

type Input = BodyOf<typeof consoleVenueFills.proposeVenueFill>;

let world: ExchangeWorld;
let finance: TestOperator;
let second: TestOperator;

beforeEach(async () => {
  world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000, minutes: 3000 });
  [finance, second] = [await makeOperator(world.context, 'finance'), await makeOperator(world.context, 'finance')];
  await world.execute(1);
  await world.goTo('12:31:00');
});
afterEach(() => world.close());

/** A trade whose opening or close is ordered; then the exchange delists its asset for good before it says what was filled. */
async function loseSight({ side = 'buy' as 'buy' | 'sell', filledBps = 10_000n, isUnheard = false } = {}) {
  const { node } = world;
  const { id } = await world.place({ amount: 1000 });
  if (side === 'sell') {
    await world.goTo('12:32:00');
    await closeTrade(world.context, world.memberId, BigInt(id));
  }
  node.account.book.filledBps = filledBps;
  node.interferences.push(
    isUnheard ? { call: node.calls.send, with: 'do_and_break' } : { call: node.calls.find, with: 'break' },
  );
  await world.goTo('12:33:00', 1);
  expect((await readBatches(world.context)).at(-1)).toMatchObject({ state: isUnheard ? 'planned' : 'sent', sends: 1 });
  node.market.pairs.delete(node.nameOf('btc'));
  await world.restart();
  await world.execute(3);
  return id;
}

async function passAnHour() {
  world.clock.advance(3601);
  await world.restart();
  await world.execute(2);
}

const ordered = async () => (await listUnsold(world.context)).items.filter(({ order }) => order !== null);

/** What the exchange's statement says of its last order. */
const filledThere = () => {
  const { orders, trades } = world.node.account;
  const fills = trades.filter(({ orderId }) => orderId === orders.at(-1)?.id);
  const sum = (pick: (fill: (typeof fills)[number]) => bigint) =>
    Number(fills.reduce((total, fill) => total + pick(fill), 0n)) / 1e8;
  return { quantity: sum((fill) => fill.quantity), cost: sum((fill) => fill.cost) };
};

async function propose(more: Partial<Input> = {}) {
  const [item] = await ordered();
  return proposeVenueFill(world.context, actorOf(finance), {
    batch_id: item?.order?.batch_id ?? '1',
    day: '2026-03-04',
    symbol: 'btc',
    quantity: '0',
    cost: 0,
    fee: 0,
    where: 'Account statement',
    transaction: 'ticket-123456',
    reason: 'Delisted, nothing was filled.',
    far_from_mark: false,
    ...more,
  });
}
const approve = async (id: string, who = second) =>
  approveProposal(world.context, venueFillKind, actorOf(who), { id: BigInt(id), version: 1, otp: await who.code() });

/** The ledger verifies, and what the exchange has agrees with it. */
async function expectRight() {
  expect(await verifyLedger(world.context.db)).toEqual([]);
  const { lines, unfinished } = await reportVenue(world.context, world.venue);
  expect(unfinished).toEqual([]);
  const differenceOf = (coin: string) => Number(lines.find((line) => line.coin === coin)?.difference ?? 0);
  expect(differenceOf('BTC')).toBeCloseTo(0, 8);
  expect(differenceOf('USDT') - 1_000_000).toBeCloseTo(0, 4);
}

test.each([
  ['was answered', false],
  ['was not answered', true],
])(
  'an order that %s before its asset was delisted for good waits for two operators; what they say filled nothing returns its trade to the queue, and then its money',
  async (_, isUnheard) => {
    const id = await loseSight({ filledBps: 0n, isUnheard });
    expect(await world.trade(id)).toMatchObject({ state: 'opening' });
    expect(await ordered()).toEqual([]);
    expect(await codeOf(propose())).toBe('nothing_unsold');
    await passAnHour();
    expect(await ordered()).toMatchObject([{ symbol: 'btc', day: '2026-03-04', order: { side: 'buy' }, held: '0' }]);
    const proposed = await propose();
    expect(proposed).toMatchObject({ state: 'proposed', side: 'buy', quantity: '0', price: '0', batch_id: null });
    expect(await world.trade(id)).toMatchObject({ state: 'opening' });
    expect(await codeOf(approve(proposed.id, finance))).toBe('own_proposal');
    expect(await approve(proposed.id)).toMatchObject({ state: 'posted' });
    await world.execute(2);
    expect(await world.trade(id)).toMatchObject({ state: 'queued' });
    await execute(world.context.db)`update trading.venue set answered_ms = answered_ms + 900000`;
    await world.execute(1);
    expect(await world.trade(id)).toMatchObject({ state: 'cancelled', cancel_reason: 'not_filled' });
    expect(await ordered()).toEqual([]);
    await expectRight();
  },
);

test('of an order that was filled before its asset was delisted, the trade opens at the price that two operators state, once', async () => {
  const { context, node } = world;
  const pair = world.pair('btc');
  const id = await loseSight({ isUnheard: true });
  await passAnHour();
  const { quantity, cost } = filledThere();
  // The fee was taken in coins.
  const received = (quantity * 0.999).toFixed(8);
  const { id: proposal } = await propose({ quantity: received, cost, transaction: '123456' });
  const [before] = (await listUnfinished(context.db)) as [Batch];
  await approve(proposal);
  await world.execute(2);
  const trade = await world.trade(id);
  expect(trade).toMatchObject({ state: 'open', amount: 1000 });
  expect(trade?.open_price).toBeCloseTo((cost / Number(received)) * 1.0005, 4);
  expect(Number((await readHolding(context, 'btc'))?.held)).toBe(Number(received));
  // A worker that read the order before the approval hears of it again.
  node.market.pairs.set(node.nameOf('btc'), pair);
  await world.restart();
  await followOrder(context, world.venue, before);
  await world.execute(2);
  await expectRight();
  // The statement has the fill under another id than they stated, and the order’s id, which we never heard: it is not booked again.
  await importStatement(context, world.venue);
  const { items } = await listFindings(context, { state: 'open', limit: 9 });
  expect(items).toContainEqual(expect.objectContaining({ kind: 'unmatched', bookable: false }));
  expect(items.filter(({ bookable }) => bookable)).toEqual([]);
  // What was sold by hand, cost less, or was bought two days later is another order.
  const byHand = (clientId: string, side: 'BUY' | 'SELL', coins: number) =>
    placeOrder(node.account, node.market, {
      ...{ symbol: node.nameOf('btc'), clientId, side, quantity: toUnits(coins.toFixed(5)) },
      limit: toUnits(side === 'BUY' ? '51000' : '49000'),
    });
  node.account.balances.set('BTC', toUnits('1'));
  byHand('sold', 'SELL', quantity);
  byHand('less', 'BUY', quantity / 2);
  world.clock.advance(2 * 86_400);
  byHand('late', 'BUY', quantity);
  world.clock.advance(60);
  await importStatement(context, world.venue);
  const later = await listFindings(context, { state: 'open', limit: 9 });
  expect(later.items.map(({ bookable }) => bookable)).toEqual([...items.map(() => false), true, true, true]);
});

test('of a sale that was filled in part before its asset was delisted, what two operators state is sold once, and the rest stays', async () => {
  const { context, node } = world;
  const pair = world.pair('btc');
  const id = await loseSight({ side: 'sell', filledBps: 5_000n });
  await passAnHour();
  const { quantity, cost } = filledThere();
  const fee = cost / 1000;
  const { id: proposal } = await propose({ quantity: quantity.toFixed(8), cost, fee, transaction: '123456' });
  await approve(proposal);
  await world.execute(2);
  expect(await world.trade(id)).toMatchObject({ state: 'open', closing: true });
  const [, sale] = await readBatches(context);
  expect(sale).toMatchObject({ state: 'booked', side: 'sell' });
  expect(Number(sale?.filled)).toBeCloseTo(quantity, 8);
  await expectRight();
  // What is left is sold elsewhere, like any position in a delisted asset.
  await world.closeSession();
  const { items } = await listUnsold(context);
  expect(items).toMatchObject([{ order: null, symbol: 'btc' }]);
  const { quantity: rest } = items[0] as { quantity: string };
  const elsewhere = { batch_id: undefined, quantity: rest, cost: 490, where: 'Desk Ltd', transaction: 'desk-2026' };
  await approve((await propose(elsewhere)).id);
  await world.goTo('17:31:05');
  expect(await world.trade(id)).toMatchObject({ state: 'settled' });
  expect(await verifyLedger(context.db)).toEqual([]);
  // The statement has the fill under another id than they stated: it is not booked again.
  node.market.pairs.set(node.nameOf('btc'), pair);
  await world.restart();
  await importStatement(context, world.venue);
  const found = await listFindings(context, { state: 'open', limit: 9 });
  expect(found.items).toContainEqual(expect.objectContaining({ kind: 'unmatched', bookable: false }));
  expect(found.items.filter(({ bookable }) => bookable)).toEqual([]);
});

test('two operators may be off by a millionth of a dollar in what an order filled, and in its fee', async () => {
  const { context } = world;
  const [from, to] = [{ class: 'venue' }, { class: 'gateway' }] as const;
  const funds = { from, to, amountMicros: 1_000_000_000_000n, reason: 'venue_fund', reference: 'test' } as const;
  await inTransaction(context.db, (tx) => post(tx, [{ ...funds, key: 'test', marketAt: context.now() }]));
  await loseSight({ side: 'sell' });
  await passAnHour();
  const { quantity, cost } = filledThere();
  const micros = (dollars: number) => Math.round(dollars * 1e6) / 1e6;
  const stated = { cost: micros(cost - 0.000001), fee: micros(cost / 1000 + 0.000001), transaction: '123456' };
  await approve((await propose({ quantity: quantity.toFixed(8), ...stated })).id);
  await world.execute(2);
  expect((await reportVenue(context, world.venue)).findings).toEqual([]);
});

test('a part of the closing sale that was sold before its asset was delisted counts in the average, with the rest sold elsewhere', async () => {
  const { node } = world;
  const { id } = await world.place({ amount: 1000 });
  await world.goTo('12:32:00');
  node.interferences.push({ call: node.calls.find, with: 'break' });
  await world.goTo('17:25:05', 1);
  node.market.pairs.delete(node.nameOf('btc'));
  await world.restart();
  await world.closeSession();
  await passAnHour();
  expect((await readBatches(world.context)).at(-1)).toMatchObject({ kind: 'close', state: 'sent' });
  const { quantity, cost } = filledThere();
  const part = { quantity: quantity.toFixed(8), cost, fee: cost / 1000, transaction: '123456' };
  await approve((await propose(part)).id);
  await world.execute(2);
  await expectRight();
  const { items } = await listUnsold(world.context);
  const { quantity: rest } = items[0] as { quantity: string };
  const elsewhere = { batch_id: undefined, quantity: rest, cost: 800, where: 'Desk Ltd', transaction: 'desk-2026' };
  await approve((await propose(elsewhere)).id);
  await world.goTo('17:31:05');
  const trade = await world.trade(id);
  expect(trade).toMatchObject({ state: 'settled' });
  const average = (cost * 0.999 + 800) / (quantity + Number(rest));
  // Up to the lot that the part was rounded to.
  expect(trade?.close_price).toBeCloseTo(average * 0.9995, 0);
  expect(await verifyLedger(world.context.db)).toEqual([]);
});

test('what an order cannot have filled is refused, and so is another order', async () => {
  await loseSight();
  await passAnHour();
  expect(await codeOf(propose({ quantity: '0.03', cost: 1490 }))).toBe('more_than_unsold');
  expect(await codeOf(propose({ quantity: '0.019', cost: 1900 }))).toBe('price_far_from_mark');
  expect(await codeOf(propose({ batch_id: '999' }))).toBe('nothing_unsold');
  expect(await codeOf(propose({ symbol: 'eth' }))).toBe('nothing_unsold');
});

test('a fill of which two operators said that there was none can be booked once the statement lists it', async () => {
  const { context, node } = world;
  const pair = world.pair('btc');
  const id = await loseSight();
  await passAnHour();
  await approve((await propose()).id);
  await world.execute(2);
  await cancelTrade(context, world.memberId, BigInt(id));
  node.market.pairs.set(node.nameOf('btc'), pair);
  await world.restart();
  await importStatement(context, world.venue);
  const { items } = await listFindings(context, { state: 'open', limit: 9 });
  expect(items).toMatchObject([{ kind: 'unmatched', bookable: true }]);
  const entry = { finding_id: items[0]?.id as string, how: 'booked', reason: 'It was filled.' } as const;
  const { id: proposal } = await proposeSettlement(context, actorOf(finance), entry);
  const approval = { id: BigInt(proposal), version: 1, otp: await second.code() };
  await approveProposal(context, statementKind, actorOf(second), approval);
  await expectRight();
});

test('an answer of the exchange before the approval counts, and the proposal is refused', async () => {
  const { node } = world;
  const pair = world.pair('btc');
  const id = await loseSight();
  await passAnHour();
  const { id: proposal } = await propose();
  node.market.pairs.set(node.nameOf('btc'), pair);
  await passAnHour();
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  expect(await codeOf(approve(proposal))).toBe('nothing_unsold');
  await expectRight();
});

test('two proposals about one order approved at once book it once', async () => {
  const id = await loseSight({ filledBps: 0n });
  await passAnHour();
  const third = await makeOperator(world.context, 'finance');
  const ids = [(await propose()).id, (await propose()).id] as const;
  const { refused } = await atOnce([approve(ids[0], second), approve(ids[1], third)]);
  expect(refused).toEqual(['nothing_unsold']);
  await world.execute(2);
  expect(await world.trade(id)).toMatchObject({ state: 'queued' });
  await expectRight();
});
