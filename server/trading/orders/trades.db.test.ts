import { beforeEach, expect, test } from 'vitest';
import type { Once } from '#server/db/tx.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { advanceMarket } from '#server/market/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { freeze } from '#test/worlds/members.ts';
import { openTradingWorld } from '#test/worlds/trading-world.ts';
import { followMarket, listTrades, placeTrade } from '../index.ts';
import { cancelTrade } from './cancel-trade.ts';
import { readConditions } from './place-trade.ts';

const world = closeAfterAll(await openTradingWorld({ symbols: ['btc', 'eth', 'ltc'], speed: 60 }));
let memberId: bigint;
beforeEach(async () => {
  world.clock.advance(2);
  ({ memberId } = await world.member('Mira', 100));
});

const place = (input: Partial<Parameters<typeof placeTrade>[2]> = {}, once?: Once) =>
  placeTrade(world.context, memberId, { tradeId: 'btc', amount: 20, wallet_type: 'primary', ...input }, once);
const onceOf = (call: string, key: string, bodyHash = 'same'): Once => ({ callerId: memberId, call, key, bodyHash });
const trades = () => world.trades(memberId);

test('a frozen member cannot place', async () => {
  await freeze(world.context, memberId);
  await expect(place()).rejects.toMatchObject({ code: 'account_frozen' });
  expect(await trades()).toEqual([]);
});

test('what decides about placing is read again before anybody has to wait, and counts for a second', async () => {
  const read = () => readConditions(world.context);
  const first = read();
  world.clock.advance(0.6);
  expect(read()).toBe(first);
  await waitFor(async () => read() !== first, 'the conditions are read again');
  await freeze(world.context, memberId);
  world.clock.advance(0.9);
  expect((await read()).frozenMemberIds).not.toContain(memberId);
  world.clock.advance(0.2);
  expect((await read()).frozenMemberIds).toContain(memberId);
});

test('an empty text among what is asked is a fault, never a null', async () => {
  await expect(place({ amount: 100 }, onceOf('POST /trading/do-trade', ''))).rejects.toMatchObject({
    name: 'AssertionError',
  });
  expect(await trades()).toEqual([]);
});

test('nobody cancels a trade whose opening tick they have seen', async () => {
  await world.play('12:40:00');
  const { id } = await place();
  // One real second is a market minute: ticks come, and are not followed yet.
  await advanceMarket(world.context, { elapsedMs: 1000 });
  await expect(cancelTrade(world.context, memberId, BigInt(id))).rejects.toMatchObject({ code: 'trade_not_queued' });
  await followMarket(world.context);
  expect((await trades())[0]).toMatchObject({ state: 'open', opened_at: '2026-03-04T12:40:15.000Z' });
});

test('without a tick since, a trade placed in the session can be cancelled', async () => {
  await world.play('12:50:00');
  const { id } = await place();
  await advanceMarket(world.context, { elapsedMs: 100 });
  expect(await cancelTrade(world.context, memberId, BigInt(id))).toMatchObject({ state: 'cancelled' });
});

test('the list is paged by cursor, newest first, and filtered by state and symbol', async () => {
  const placed: string[] = [];
  for (const tradeId of ['btc', 'eth', 'btc', 'eth', 'btc']) placed.push((await place({ tradeId, amount: 5 })).id);
  const newest = placed.toReversed();
  await cancelTrade(world.context, memberId, BigInt(placed[2] as string));
  const read = async (query: object) => {
    const page = await listTrades(world.context.db, { memberId, limit: 2, ...query });
    return [page.items.map((trade) => trade.id), page.next_cursor];
  };
  expect(await read({})).toEqual([[newest[0], newest[1]], newest[1]]);
  expect(await read({ cursor: newest[1] })).toEqual([[newest[2], newest[3]], newest[3]]);
  expect(await read({ cursor: newest[3] })).toEqual([[newest[4]], null]);
  expect(await read({ state: 'cancelled' })).toEqual([[placed[2]], null]);
  expect(await read({ symbol: 'eth', limit: 5 })).toEqual([[placed[3], placed[1]], null]);
  expect(await read({ symbol: 'btc', state: 'queued' })).toEqual([[placed[4], placed[0]], null]);
  await expect(read({ cursor: 'x' })).rejects.toMatchObject({ code: 'validation', field: 'cursor' });
});

test('through all of it the books hold', async () => {
  expect(await verifyLedger(world.context.db)).toEqual([]);
});
