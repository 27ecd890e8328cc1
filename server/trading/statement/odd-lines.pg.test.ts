import { expect, onTestFinished, test } from 'vitest';
import { approveProposal } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { moveCoins, placeOrder, toUnits } from '#test/fake-servers/exchange-orders.ts';
import { codeOf } from '#test/kit/at-once.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { openExchangeWorld, readHolding } from '#test/worlds/exchange-world.ts';
import { actorOf, makeOperator } from '#test/worlds/operators.ts';
import { isBookable } from './book-line.ts';
import { listFindingRows } from './finding-sql.ts';
import { importStatement } from './import-statement.ts';
import { proposeSettlement, statementKind } from './settle-finding.ts';

/** A session at Binance, where ids of orders and fills are unique within a pair only. */
async function openSession() {
  const world = await openExchangeWorld({
    candle: () => still('50000'),
    dollars: 20_000,
    balances: { USDT: '1000000', BTC: '1', ETH: '10' },
  });
  onTestFinished(() => world.close());
  await world.execute(1);
  await world.goTo('12:31:00');
  const [finance, second] = [
    await makeOperator(world.context, 'finance'),
    await makeOperator(world.context, 'finance'),
  ];
  const list = (state: 'open' | 'booked' | 'matched' | 'explained' = 'open') =>
    listFindingRows(world.context.db, { state, after: undefined, limit: 100 });
  const settle = async (id: bigint, how: 'booked' | 'explained') => {
    const body = { finding_id: id.toString(), how, reason: 'Checked at the exchange.' };
    const proposed = await proposeSettlement(world.context, actorOf(finance), body);
    return approveProposal(world.context, statementKind, actorOf(second), {
      id: BigInt(proposed.id),
      version: 1,
      otp: await second.code(),
    });
  };
  const importNow = () => importStatement(world.context, world.venue);
  return { world, list, settle, importNow };
}

test('a fill made by hand whose order has the id of one of ours in another asset can be booked', async () => {
  const { world, list, settle, importNow } = await openSession();
  const { node, context, clock } = world;
  await world.place({ amount: 1000 });
  await world.goTo('12:32:00');
  const [ours] = node.account.orders;
  const byHand = (clientId: string, side: 'BUY' | 'SELL', quantity: string, limit: string) =>
    placeOrder(node.account, node.market, {
      ...{ symbol: node.nameOf('eth'), clientId, side, quantity: toUnits(quantity), limit: toUnits(limit) },
    });
  const order = byHand('by-hand', 'BUY', '0.1', '51000');
  expect(order).toMatchObject({ status: 'FILLED' });
  Object.assign(order, { id: ours?.id });
  Object.assign(node.account.trades.at(-1) ?? {}, { orderId: ours?.id });
  expect(byHand('by-hand-2', 'SELL', '0.2', '49000')).toMatchObject({ status: 'FILLED' });
  clock.advance(7200);
  await importNow();
  const found = await list();
  expect(found.map(({ kind, line, isOurOrder }) => [kind, line?.symbol, isOurOrder])).toEqual([
    ['unmatched', 'eth', false],
    ['unmatched', 'eth', false],
  ]);
  expect((await settle(found[0]?.id as bigint, 'booked')).state).toBe('posted');
  // More coins than we have there were sold.
  expect(await codeOf(settle(found[1]?.id as bigint, 'booked'))).toBe('statement_not_bookable');
  expect(Number((await readHolding(context, 'eth'))?.held)).toBeCloseTo(0.0999, 8);
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('another change can be booked only in dollars, and only if it comes to a micro', async () => {
  const world = await openExchangeWorld({ exchange: 'kraken', candle: () => still('50000'), dollars: 20_000 });
  onTestFinished(() => world.close());
  const at = world.clock.now().getTime();
  const changes = [
    ['BTC', '-0.1'],
    ['USD', '0.0000001'],
    ['USD', '-0.000001'],
  ] as const;
  for (const [coin, amount] of changes) moveCoins(world.node.account, { kind: 'other', coin, amount, at });
  world.clock.advance(7200);
  await importStatement(world.context, world.venue);
  const found = await listFindingRows(world.context.db, { state: 'open', after: undefined, limit: 9 });
  expect(found.map((one) => [one.line?.coin, Number(one.line?.amount), isBookable(one)])).toEqual([
    ['BTC', -0.1, false],
    ['USD', 1e-7, false],
    ['USD', -1e-6, true],
  ]);
});

test('a fill of an order of ours that its batch, already booked, does not have cannot be booked', async () => {
  const { world, list, importNow } = await openSession();
  await world.place({ amount: 1000 });
  await world.goTo('12:32:00');
  const { trades } = world.node.account;
  const [ours] = trades;
  if (ours !== undefined) trades.push({ ...ours, id: 999 });
  world.clock.advance(7200);
  await importNow();
  expect((await list()).map((one) => [one.kind, one.line?.id, one.isOurOrder, isBookable(one)])).toEqual([
    ['unmatched', '999', true, false],
  ]);
});

test('the statements of another exchange begin where those of the one before ended', async () => {
  const { world, list, importNow } = await openSession();
  await world.place({ amount: 1000 });
  await world.goTo('12:32:00');
  world.clock.advance(7200);
  await importNow();
  const end = world.clock.now();
  const { config } = world.context;
  const exchange = { ...config.market.exchange, id: 'kraken' };
  const context: Context = { ...world.context, config: { ...config, market: { ...config.market, exchange } } };
  const asked: Date[] = [];
  const listStatement = async (from: Date) => {
    asked.push(from);
    return [];
  };
  for (const _ of ['first', 'second']) {
    world.clock.advance(7200);
    await importStatement(context, { ...world.venue, listStatement });
  }
  expect(asked).toEqual([end, end]);
  expect(await list()).toEqual([]);
});
