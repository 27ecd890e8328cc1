import { expect, test } from 'vitest';
import type { Once } from '#server/db/tx.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { openTradingWorld } from '#test/worlds/trading-world.ts';
import { cancelTrade, followMarket, placeTrade } from '../index.ts';

const world = closeAfterAll(
  await openTradingWorld({
    candle: (_, at) => still(at.getUTCMinutes() % 2 === 0 ? '100' : '103'),
    speed: 300,
  }),
);
const member = async (dollars: number) => (await world.member('Ann', dollars)).memberId;
const place = (memberId: bigint, amount: number, once?: Once) =>
  placeTrade(world.context, memberId, { tradeId: 'btc', amount, wallet_type: 'primary' }, once);

test('of 200 simultaneous trades of the whole balance exactly one succeeds', async () => {
  for (let round = 0; round < 3; round += 1) {
    const memberId = await member(50);
    const { refused } = await atOnce(times(200, () => place(memberId, 50)));
    expect(refused).toEqual(Array(199).fill('insufficient_funds'));
    expect(await world.balances(memberId)).toMatchObject({ primary: 0n, trade_escrow: 50_000_000n });
    expect(await world.trades(memberId)).toHaveLength(1);
  }
});

test('the same key twenty times at once makes one trade; the others hear it still runs, or get its answer', async () => {
  for (let round = 0; round < 5; round += 1) {
    const memberId = await member(1000);
    const once = { callerId: memberId, call: 'POST /trading/do-trade', key: `k${round}`, bodyHash: 'b' };
    const { done, refused } = await atOnce(times(20, () => place(memberId, 10, once)));
    expect(new Set(done.map(({ id }) => id)).size).toBe(1);
    expect(refused.filter((code) => code !== 'idempotency_running')).toEqual([]);
    expect(await world.trades(memberId)).toHaveLength(1);
    expect(await world.balances(memberId)).toMatchObject({ primary: 990_000_000n });
  }
});

test('trades of many that arrive together share commits; who has too little, used a key or has a locked account holds up nobody', async () => {
  const payers = await Promise.all(Array.from({ length: 40 }, () => member(50)));
  const [broke, locked, again, other] = [await member(5), await member(50), await member(50), await member(50)];
  const claim = (callerId: bigint, bodyHash = 'b') => ({
    callerId,
    call: 'POST /trading/do-trade',
    key: 'used',
    bodyHash,
  });
  const first = await place(again, 10, claim(again));
  await place(other, 10, claim(other));
  const holder = await world.database.pool?.connect();
  await holder?.query('begin');
  await holder?.query('select from ledger.account where member_id = $1 for update', [locked]);

  const waits = place(locked, 10);
  const late = Promise.all([
    expect(place(broke, 10)).rejects.toMatchObject({ code: 'insufficient_funds' }),
    expect(place(again, 10, claim(again))).resolves.toEqual(first),
    expect(place(other, 10, claim(other, 'another body'))).rejects.toMatchObject({ code: 'idempotency_mismatch' }),
  ]);
  const placed = await Promise.all(payers.map((memberId) => place(memberId, 10)));
  await late;
  expect(new Set(placed.map(({ id }) => id)).size).toBe(40);
  for (const [index, memberId] of payers.entries()) {
    expect(await world.trades(memberId)).toMatchObject([{ id: placed[index]?.id, state: 'queued', amount: 10 }]);
    expect(await world.balances(memberId)).toMatchObject({
      primary: 40_000_000n,
      trade_escrow: 10_000_000n,
    });
  }
  const keys = placed.map(({ id }) => `trade/${id}/place`);
  const commits = await world.database.pool?.query(
    'select count(distinct tx)::int from ledger.transfer where key = any ($1)',
    [keys],
  );
  expect(commits?.rows[0]?.count).toBeLessThan(10);

  await holder?.query('commit');
  holder?.release();
  expect(await waits).toMatchObject({ state: 'queued', amount: 10 });
  expect(await world.trades(again)).toHaveLength(1);
  expect(await verifyLedger(world.context.db)).toEqual([]);
});

test('cancelling a trade ten times at once gives its amount back once', async () => {
  const memberId = await member(50);
  const { id } = await place(memberId, 50);
  const { refused } = await atOnce(times(10, () => cancelTrade(world.context, memberId, BigInt(id))));
  expect(refused).toEqual(Array(9).fill('trade_not_queued'));
  expect(await world.balances(memberId)).toMatchObject({ primary: 50_000_000n, trade_escrow: 0n });
});

test('several workers at once open and settle every trade once', async () => {
  const members = await Promise.all(Array.from({ length: 8 }, () => member(1000)));
  for (const memberId of members) for (const amount of [10, 20, 30]) await place(memberId, amount);
  const follow = () =>
    Promise.all([followMarket(world.context), followMarket(world.context), followMarket(world.context)]);
  await world.play('12:30:30', follow);
  await world.play('17:30:00', follow);
  for (const memberId of members) {
    const own = await world.trades(memberId);
    expect(own.map(({ state }) => state)).toEqual(['settled', 'settled', 'settled']);
    const changed = own.reduce((sum, trade) => sum + BigInt(Math.round((trade.result ?? 0) * 1e6)), 0n);
    const { primary, profit, trade_escrow } = await world.balances(memberId);
    expect([primary + profit, trade_escrow]).toEqual([1_000_000_000n + changed, 0n]);
  }
  expect(await verifyLedger(world.context.db)).toEqual([]);
}, 120_000);
