import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Once } from '#server/db/tx.ts';
import { getBalances, getHouseBalances, verifyLedger } from '#server/ledger/index.ts';
import { advanceMarket } from '#server/market/index.ts';
import { bootTest } from '#test/boot.ts';
import { giveFunds, signUp } from '#test/members.ts';
import { playUntil, recordMarket, still } from '#test/recorded-market.ts';
import { cancelTrade, closeTrade, followMarket, listTrades, placeTrade } from './index.ts';

const recording = recordMarket({
  from: '2026-03-04T12:00:00Z',
  minutes: 400,
  candle: (_, at) => still(at.getUTCMinutes() % 2 === 0 ? '100' : '103'),
  symbols: ['btc', 'eth'],
});
let world: Awaited<ReturnType<typeof bootTest>>;

beforeAll(async () => {
  world = await bootTest({
    MARKET_FEED: 'replay',
    REPLAY_DATA: recording.folder,
    MARKET_START: '2026-03-04T12:20:00Z',
    MARKET_SPEED: '60',
  });
});
afterAll(async () => {
  await world.database.close();
  recording.remove();
});

async function member(dollars: bigint) {
  const { memberId } = await signUp(world.context);
  await giveFunds(world.context, memberId, dollars * 1_000_000n);
  return memberId;
}

const place = (memberId: bigint, amount: number, once?: Once) =>
  placeTrade(world.context, memberId, { tradeId: 'btc', amount, wallet_type: 'primary' }, once);
const trades = async (memberId: bigint) => (await listTrades(world.context.db, { memberId, limit: 100 })).items;
const codes = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as { code?: string }).code ?? String(result.reason)] : []));
const together = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => work(index)));

test('of 200 simultaneous trades of the whole balance exactly one succeeds', async () => {
  for (let round = 0; round < 3; round += 1) {
    const memberId = await member(50n);
    const results = await together(200, () => place(memberId, 50));
    expect(codes(results)).toEqual(Array(199).fill('insufficient_funds'));
    expect(await getBalances(world.context.db, memberId)).toMatchObject({ primary: 0n, trade_escrow: 50_000_000n });
    expect(await trades(memberId)).toHaveLength(1);
  }
});

test('the same key twenty times at once makes one trade; the others hear it still runs, or get its answer', async () => {
  for (let round = 0; round < 5; round += 1) {
    const memberId = await member(1000n);
    const once = { callerId: memberId, call: 'POST /trading/do-trade', key: `k${round}`, bodyHash: 'b' };
    const results = await together(20, () => place(memberId, 10, once));
    const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []));
    expect(new Set(answers).size).toBe(1);
    expect(new Set(codes(results))).toEqual(new Set(codes(results).map(() => 'idempotency_running')));
    expect(await trades(memberId)).toHaveLength(1);
    expect(await getBalances(world.context.db, memberId)).toMatchObject({ primary: 990_000_000n });
  }
});

test('cancelling a trade ten times at once gives its amount back once', async () => {
  const memberId = await member(50n);
  const { id } = await place(memberId, 50);
  const results = await together(10, () => cancelTrade(world.context, memberId, BigInt(id)));
  expect(codes(results)).toEqual(Array(9).fill('trade_not_queued'));
  expect(await getBalances(world.context.db, memberId)).toMatchObject({ primary: 50_000_000n, trade_escrow: 0n });
});

test('while members place, cancel and close, opening and settling go on and every trade ends in one state', async () => {
  await playUntil(world.context, '2026-03-04T12:31:00Z', () => followMarket(world.context));
  const members = await Promise.all(Array.from({ length: 6 }, () => member(1000n)));
  let isOver = false;
  const engine = (async () => {
    while (!isOver) {
      await advanceMarket(world.context, { elapsedMs: 100 });
      // Two workers that follow the same moment: one of them finds nothing left to do.
      await Promise.all([followMarket(world.context), followMarket(world.context)]);
    }
  })();
  const refused = new Set<string>();
  await Promise.all(
    members.map(async (memberId) => {
      for (let round = 0; round < 15; round += 1) {
        const { id } = await place(memberId, 10);
        const results = await Promise.allSettled([
          cancelTrade(world.context, memberId, BigInt(id)),
          closeTrade(world.context, memberId, BigInt(id)),
        ]);
        for (const code of codes(results)) refused.add(code);
      }
    }),
  );
  isOver = true;
  await engine;
  expect([...refused].filter((code) => !['trade_not_queued', 'trade_not_open'].includes(code))).toEqual([]);
  await playUntil(world.context, '2026-03-04T17:30:00Z', () => followMarket(world.context));
  for (const memberId of members) {
    const own = await trades(memberId);
    expect(own).toHaveLength(15);
    const changed = own.reduce((sum, trade) => sum + BigInt(Math.round((trade.result ?? 0) * 1e6)), 0n);
    const { primary, profit, trade_escrow } = await getBalances(world.context.db, memberId);
    expect(trade_escrow).toBe(0n);
    expect(primary + profit).toBe(1_000_000_000n + changed);
    expect(own.every(({ state }) => state === 'settled' || state === 'cancelled')).toBe(true);
  }
  expect((await getHouseBalances(world.context.db)).venue).toBe(0n);
  expect(await verifyLedger(world.context.db)).toEqual([]);
}, 120_000);
