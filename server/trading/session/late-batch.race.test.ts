import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { inTransaction } from '#server/db/tx.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { advanceMarket } from '#server/market/index.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { findDuplicates, openExchangeWorld, readBatches, readHolding } from '#test/worlds/exchange-world.ts';
import { writeFeePlan } from '#test/worlds/fee-plans.ts';
import { instantOf } from '#test/worlds/trading-world.ts';
import { getBatch } from '../execution/batch-sql.ts';
import { bookBatch } from '../execution/book-batch.ts';
import { closeTrade, followMarket, getSession, replayResults } from '../index.ts';
import { getTrade } from '../orders/get-trade.ts';
import { readSnapshot } from './follow-market.ts';

/** Three sessions at a constant price. `endSession` plays the last minute of one, in which what is left is sold, and its end. */
async function openExchange() {
  const world = await openExchangeWorld({ candle: () => still('50000'), dollars: 3000, minutes: 3300 });
  onTestFinished(world.close);
  const endSession = async (day: string, rounds?: number) => {
    await world.goTo(`${day}T17:29:05`, rounds);
    await world.goTo(`${day}T17:30:05`, rounds);
  };
  return { ...world, endSession };
}

/** A carried position whose sale is sent in the last minute of a session, and not answered yet. */
async function openWorld() {
  const world = await openExchange();
  const { context } = world;
  await world.execute(1);
  await world.goTo('12:31:00');
  await world.place({ amount: 1000 });
  await world.goTo('12:32:00');
  world.pair('btc').status = 'BREAK';
  world.clock.advance(3601);
  await world.restart();
  await world.endSession('04', 1);
  await world.goTo('05T12:30:05', 1);
  await world.goTo('05T17:29:05', 1);
  world.pair('btc').status = 'TRADING';
  world.clock.advance(3601);
  await world.restart();
  world.node.account.book.fillsLag = 1;
  await world.goTo('05T17:29:30', 1);
  const readLast = async () => (await readBatches(context)).at(-1);
  expect(await readLast()).toMatchObject({ kind: 'close', state: 'sent' });
  /** The session settles without the sale. */
  const settle = async () => {
    await world.goTo('05T17:30:05', 0);
    expect(await getSession(context)).toMatchObject({ state: 'closed' });
  };
  const replay = (day: string) => inTransaction(context.db, (tx) => replayResults(tx, day));
  return { ...world, readLast, settle, replay };
}

/** Whether the stored digest of a session is that of its fills, and of no others. */
async function coversFills({ database, replay }: Awaited<ReturnType<typeof openWorld>>, day: string) {
  const { stored, replayed } = (await replay(day)) ?? {};
  expect(stored).toMatch(/^[0-9a-f]{64}$/);
  expect(replayed).toBe(stored);
  await database.runScript(`
    alter table trading.batch_fill disable trigger user;
    update trading.batch_fill set cost = cost + 0.01 where batch_id = (select max(batch_id) from trading.batch_fill);
    alter table trading.batch_fill enable trigger user`);
  return (await replay(day))?.replayed !== stored;
}

test('what is filled when a session settles, and booked after it, is in its digest', async () => {
  const world = await openWorld();
  await world.database.runScript('alter table trading.closing_sale add constraint no_booking check (sold = 0)');
  await expect(world.execute(1)).rejects.toThrow('no_booking');
  expect(await world.readLast()).toMatchObject({ state: 'filled' });
  await world.settle();
  await world.database.runScript('alter table trading.closing_sale drop constraint no_booking');
  await world.execute(1);
  expect(await world.readLast()).toMatchObject({ state: 'booked' });
  expect(await coversFills(world, '2026-03-05')).toBe(true);
});

test('what is filled between two sessions is in the digest of the later one', async () => {
  const world = await openWorld();
  await world.settle();
  await world.execute(1);
  expect(await world.readLast()).toMatchObject({ state: 'booked' });
  await world.goTo('06T12:30:05', 1);
  expect(await world.trades()).toMatchObject([{ state: 'settled' }]);
  await world.goTo('06T17:30:05', 1);
  expect(await coversFills(world, '2026-03-06')).toBe(true);
  // The first session carried the position over: its digest is without the mark made at the later sale.
  const expectSame = async () => {
    for (const day of ['2026-03-04', '2026-03-05'])
      expect(await world.replay(day).then((found) => found?.replayed === found?.stored)).toBe(true);
  };
  await expectSame();
  // The same in a database from before the column.
  await world.database.runScript('alter table trading.closing_mark drop column is_carried');
  await world.database.runScript(
    readFileSync(join(import.meta.dirname, '../../db/migrations/0102-carried-marks.sql'), 'utf8'),
  );
  await expectSame();
});

test('the sale of a position that was carried over meanwhile, answered between two sessions, is booked in the later one and not made again', async () => {
  const world = await openExchange();
  const { context, memberId, node } = world;
  await world.execute(1);
  await world.goTo('12:31:00');
  const { id } = await world.place({ amount: 1000 });
  await world.goTo('12:32:00');
  // One order for both: the later session has a position in the asset while the sale that was carried over has none.
  const { id: other } = await world.place({ amount: 2000 });
  await closeTrade(context, memberId, BigInt(id));
  node.account.book.fillsLag = 1000;
  await world.goTo('17:24:00', 1);
  await world.goTo('17:30:05', 1);
  const { session: settling } = await readSnapshot(context);
  // Carries it over, and the session ends without it.
  await advanceMarket(context, { elapsedMs: 0, skipTo: new Date(instantOf('05T12:30:05')) });
  await followMarket(context);
  expect(await getSession(context)).toMatchObject({ state: 'closed' });
  node.account.book.fillsLag = 0;
  await world.execute(1);
  // Nor by a slow round that knows only the earlier one.
  const last = (await readBatches(context)).at(-1);
  await bookBatch(context, settling, await getBatch(context.db, last?.id as bigint));
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  await followMarket(context);
  await world.execute(1);
  expect(await world.trade(id)).toMatchObject({ state: 'settled', close_reason: 'close_now' });
  expect(await world.trade(other)).toMatchObject({ state: 'open' });
  await world.endSession('05', 1);
  expect(await getSession(context)).toMatchObject({ state: 'closed' });
  expect(await world.trade(other)).toMatchObject({ state: 'settled', close_reason: 'session_close' });
  expect(Number((await readHolding(context, 'btc'))?.held)).toBeCloseTo(0, 4);
  const { rows: marks } = await sql`select session_day::text as day, symbol from trading.closing_mark`.execute(
    context.db,
  );
  expect(marks).toEqual([{ day: '2026-03-05', symbol: 'btc' }]);
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('an order whose fill stays unclear keeps no session from ending, nor another asset from trading', async () => {
  const world = await openExchange();
  const { context, node } = world;
  await world.execute(1);
  await world.goTo('12:31:00');
  const { id } = await world.place({ amount: 1000 });
  node.lies.push({ fill: { commissionAsset: 'XXX' } });
  await world.goTo('12:32:00');
  await world.endSession('04', 1);
  expect(await getSession(context)).toMatchObject({ state: 'settling' });
  await world.goTo('05T12:30:05', 1);
  await world.goTo('05T12:31:05', 1);
  expect(await getSession(context)).toMatchObject({ state: 'open', opens_at: '2026-03-05T12:30:00.000Z' });
  expect(await world.trade(id)).toMatchObject({ state: 'opening' });
  node.lies.length = 0;
  const { id: other } = await world.place({ amount: 1000, tradeId: 'eth' });
  world.clock.advance(301);
  await world.goTo('05T12:33:05');
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  expect(await world.trade(other)).toMatchObject({ state: 'open' });
  await world.endSession('05');
  expect(await world.trade(id)).toMatchObject({ state: 'settled', close_reason: 'session_close' });
  expect(await verifyLedger(context.db)).toEqual([]);
  expect(await findDuplicates(context, node)).toEqual([]);
  for (const day of ['2026-03-04', '2026-03-05']) {
    const { stored, replayed } = (await inTransaction(context.db, (tx) => replayResults(tx, day))) ?? {};
    expect(replayed).toBe(stored);
  }
});

test('a batch that was filled before the opening of the session it is booked in opens its trades at that opening, for the fee its order was planned with', async () => {
  const world = await openExchange();
  const { context, database, memberId, node } = world;
  await world.execute(1);
  await world.goTo('12:31:00');
  const { id } = await world.place({ amount: 1000 });
  await database.runScript(`alter table trading.trade add constraint no_opening check (state = 'queued')`);
  await world.goTo('12:32:00', 0);
  await expect(world.execute(1)).rejects.toThrow('no_opening');
  expect(await readBatches(context)).toMatchObject([{ state: 'filled' }]);
  await database.runScript('alter table trading.trade drop constraint no_opening');
  await writeFeePlan(context, { ...firstFeePlan, trade_fee_bps: 200 });
  await advanceMarket(context, { elapsedMs: 0, skipTo: new Date(instantOf('05T12:30:05')) });
  // The session of the day before has not ended yet.
  await world.execute(1);
  expect(await world.trade(id)).toMatchObject({ state: 'opening' });
  await world.goTo('05T12:30:05', 0);
  await world.goTo('05T12:31:05', 1);
  expect(await world.trade(id)).toMatchObject({
    state: 'open',
    opened_at: '2026-03-05T12:30:00.000Z',
    fee: 4,
  });
  const { id: later } = await world.place({ amount: 1000 });
  await world.goTo('05T12:33:05', 1);
  expect(await world.trade(later)).toMatchObject({ state: 'open', fee: 20 });
  await world.endSession('05');
  expect(await world.trade(id)).toMatchObject({ state: 'settled', fee: 4 });
  const rates = async (trade: string) => (await getTrade(context, memberId, BigInt(trade))).rates?.trade_bps;
  expect([await rates(id), await rates(later)]).toEqual([40, 200]);
  const { stored, replayed } = (await inTransaction(context.db, (tx) => replayResults(tx, '2026-03-05'))) ?? {};
  expect(replayed).toBe(stored);
  expect(await findDuplicates(context, node)).toEqual([]);
  expect(await verifyLedger(context.db)).toEqual([]);
});
