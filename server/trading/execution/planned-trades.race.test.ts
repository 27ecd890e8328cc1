import { type KyselyPlugin, RawNode, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setOwnLimits } from '#server/accounts/limits/set-own-limits.ts';
import { setMemberFrozen } from '#server/accounts/members/freeze-member.ts';
import type { OperatorActor } from '#server/approvals/index.ts';
import { getRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { advanceMarket, setAssetActive } from '#server/market/index.ts';
import { isKilled, Killed } from '#test/database/kill-at.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { type ExchangeWorld, findDuplicates, openExchangeWorld, readBatches } from '#test/worlds/exchange-world.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { haltTrading } from '../halts/halt-trading.ts';
import { cancelTrade, executeBatches } from '../index.ts';
import { cancelQueued } from '../session/cancel-trades.ts';
import { readSnapshot } from '../session/follow-market.ts';
import { type Batch, claimSend, listUnfinished, updateNotSent } from './batch-sql.ts';
import { withdraw } from './follow-order.ts';
import type { Venue } from './venue-port.ts';

let world: ExchangeWorld;
beforeEach(async () => {
  world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000 });
  await world.execute(1);
});
afterEach(() => world.close());

/** A batch is being planned, without its row yet. Then `meet` runs, waits for the lock, and the plan commits. */
async function meetPlanned(meet: (id: bigint) => Promise<unknown>) {
  const { context } = world;
  await world.goTo('12:31:00');
  const { id } = await world.place({ amount: 1000 });
  await world.goTo('12:31:05', 0);
  const late = await inTransaction(context.db, async (tx) => {
    await sql`lock table trading.batch in share mode`.execute(tx);
    const planning = world.execute(1);
    await waitForLocks(1);
    const answer = meet(BigInt(id)).then(
      () => 'done',
      (refused: { code?: string }) => refused.code,
    );
    await waitForLocks(2);
    return { planning, answer };
  });
  await late.planning;
  const answer = await late.answer;
  await world.execute(2);
  expect(await world.trade(id)).toMatchObject({ state: 'open', execution: { fill_price: 50_000 } });
  expect(await readBatches(context)).toMatchObject([{ state: 'booked' }]);
  expect(await findDuplicates(context, world.node)).toEqual([]);
  expect(await verifyLedger(context.db)).toEqual([]);
  return answer;
}

const waitForLocks = (waiting: number) =>
  waitFor(async () => (await countLockWaits(world.context.db)) >= waiting, `${waiting} wait for a lock`);

test('a trade cancelled while a batch is about to be planned is not ordered', async () => {
  const { context, memberId } = world;
  await world.goTo('12:31:00');
  const [kept, cancelled] = [await world.place({ amount: 1000 }), await world.place({ amount: 500 })];
  await world.goTo('12:31:05', 0);
  const late = await inTransaction(context.db, async (tx) => {
    await sql`lock table ledger.transfer in share mode`.execute(tx);
    const cancelling = cancelTrade(context, memberId, BigInt(cancelled.id));
    await waitForLocks(1);
    const planning = world.execute(2);
    await waitForLocks(2);
    return { planning, cancelling };
  });
  await Promise.all([late.cancelling, late.planning]);
  await world.execute(1);
  expect(await world.trade(kept.id)).toMatchObject({ state: 'open' });
  expect(await world.trade(cancelled.id)).toMatchObject({ state: 'cancelled', cancel_reason: 'member' });
  expect(await readBatches(context)).toMatchObject([{ state: 'booked' }]);
  const { wanted } = await getRow(context.db)<{ wanted: bigint }>`select buy_micros as wanted from trading.batch`;
  expect(wanted).toBe(996_000_000n);
  expect(await verifyLedger(context.db)).toEqual([]);
});

/** Something happens while the exchange is asked for its prices, after which nothing is ordered. */
async function executeWhile(happen: () => Promise<unknown>) {
  const { context, clock, venue } = world;
  clock.advance(1);
  const readBook: Venue['readBook'] = async (...asked) => {
    const book = await venue.readBook(...asked);
    await happen();
    return book;
  };
  await executeBatches(context, { ...venue, readBook });
  expect(await readBatches(context)).toEqual([]);
}

test.each<[string, string, (by: OperatorActor) => Promise<unknown>]>([
  ['trading is halted', 'halted', (by) => haltTrading(world.context, by, 'Look into it.')],
  [
    'the asset is switched off',
    'asset_off',
    () => inTransaction(world.context.db, (tx) => setAssetActive(tx, 'btc', false)),
  ],
  [
    'the member is frozen',
    'frozen',
    (by) => setMemberFrozen(world.context, by, { memberId: world.memberId, why: 'test' }),
  ],
  [
    'the member pauses trading',
    'own_limit',
    ({ address }) => setOwnLimits(world.context, world, { pauseDays: 1, address }),
  ],
])('a queued trade is not ordered if %s while the exchange is asked for its prices', async (_, cause, bar) => {
  const { context } = world;
  const { operatorId } = await makeOperator(context, 'admin');
  await world.goTo('12:31:00');
  const { id } = await world.place({ amount: 1000 });
  await world.goTo('12:31:05', 0);
  await executeWhile(() => bar({ operatorId, address: '127.0.0.1' }));
  await world.goTo('12:31:10');
  expect(await world.trade(id)).toMatchObject({ state: 'cancelled', cancel_reason: cause });
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('a queued trade is not ordered if the last five minutes begin while the exchange is asked for its prices', async () => {
  await world.goTo('17:24:50');
  const { id } = await world.place({ amount: 1000 });
  await world.goTo('17:24:58', 0);
  await executeWhile(() => advanceMarket(world.context, { elapsedMs: 0, skipTo: new Date('2026-03-04T17:25:02Z') }));
  await world.goTo('17:25:10');
  expect(await world.trade(id)).toMatchObject({ state: 'queued' });
});

/** The process is killed at the statement that precedes every order it sends. */
const killBeforeSending: KyselyPlugin = {
  transformQuery: ({ node }) => {
    if (RawNode.is(node) && node.sqlFragments.some((part) => part.includes('set sends = sends + 1')))
      throw new Killed();
    return node;
  },
  transformResult: async ({ result }) => result,
};

/** An order that a crash left planned, certainly not sent. */
async function planUnsent() {
  const { context, venue } = world;
  await world.goTo('12:31:00');
  const { id } = await world.place({ amount: 1000 });
  await world.goTo('12:31:05', 0);
  const killed = { ...context, db: context.db.withPlugin(killBeforeSending) };
  expect(await isKilled(() => executeBatches(killed, venue))).toBe(true);
  expect(await readBatches(context)).toMatchObject([{ state: 'planned', sends: 0 }]);
  return id;
}

test('an order that was planned before a crash but never sent is not sent after a halt', async () => {
  const { context } = world;
  const { operatorId } = await makeOperator(context, 'admin');
  const id = await planUnsent();
  await haltTrading(context, { operatorId, address: '127.0.0.1' }, 'Look into it.');
  await world.goTo('12:35:00');
  expect(await world.trade(id)).toMatchObject({ state: 'cancelled', cancel_reason: 'halted' });
  expect(await readBatches(context)).toMatchObject([{ state: 'withdrawn', sends: 0 }]);
  expect(await findDuplicates(context, world.node)).toEqual([]);
});

test('of two workers that read the same unsent order one sends it, and the other does not withdraw it', async () => {
  const { context } = world;
  await planUnsent();
  const [batch] = (await listUnfinished(context.db)) as [Batch];
  const claims = [1, 2].map(() => claimSend(context.db, batch, context.now()));
  expect((await Promise.all(claims)).toSorted()).toEqual([false, true]);
  await withdraw(context, batch, 'The order was never sent.');
  await updateNotSent(context.db, batch.id, batch.sends);
  expect(await listUnfinished(context.db)).toMatchObject([{ state: 'planned', sends: 1, sentAt: context.now() }]);
});

test('a member cannot cancel a trade while an order is planned for it', async () => {
  expect(await meetPlanned((id) => cancelTrade(world.context, world.memberId, id))).toBe('trade_opening');
});

test('cancellations by the system leave out trades with a planned order', async () => {
  const cancelAll = async () =>
    cancelQueued(world.context, await readSnapshot(world.context), { inactiveSymbols: ['btc'] });
  expect(await meetPlanned(cancelAll)).toBe('done');
});

test('a batch that cannot be booked stops its own asset only, and is booked once it can', async () => {
  await world.goTo('12:31:00');
  await world.place({ amount: 1000 });
  await world.database.runScript(
    `alter table trading.trade add constraint no_btc check (symbol <> 'btc' or state = 'queued')`,
  );
  await world.goTo('12:31:05', 0);
  await expect(world.execute(1)).rejects.toThrow('no_btc');
  await world.place({ tradeId: 'eth', amount: 1000 });
  await world.goTo('12:31:10', 0);
  for (let round = 0; round < 3; round += 1) await expect(world.execute(1)).rejects.toThrow('no_btc');
  const states = async () => (await world.trades()).map(({ symbol, state }) => ({ symbol, state }));
  expect(await states()).toEqual([
    { symbol: 'eth', state: 'open' },
    { symbol: 'btc', state: 'opening' },
  ]);
  await world.database.runScript('alter table trading.trade drop constraint no_btc');
  await world.execute(3);
  expect((await states()).map(({ state }) => state)).toEqual(['open', 'open']);
  expect(await findDuplicates(world.context, world.node)).toEqual([]);
  expect(await verifyLedger(world.context.db)).toEqual([]);
});
