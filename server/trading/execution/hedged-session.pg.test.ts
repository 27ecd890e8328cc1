import { afterAll, beforeAll, expect, test } from 'vitest';
import { getHouseBalances, verifyLedger } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { bootTest } from '#test/boot.ts';
import { type FakeExchange, startExchange } from '#test/fake-servers/exchange.ts';
import { findDoubles, hedgedBy, openTestVenue, venueResult } from '#test/hedge-world.ts';
import { giveFunds, signUp } from '#test/members.ts';
import { playUntil, recordMarket, still } from '#test/recorded-market.ts';
import { closeTrade, followMarket, hedgeExposure, listTrades, placeTrade, reportVenue } from '../index.ts';

const day = (time: string) => new Date(`2026-03-04T${time}Z`);
const prices = (at: Date) => (at < day('13:30:00') ? '50000' : at < day('15:00:00') ? '51000' : '49500');

const recording = recordMarket({
  from: '2026-03-04T12:00:00Z',
  minutes: 6 * 60,
  symbols: ['btc'],
  candle: (_, at) => still(prices(at)),
});
let world: Awaited<ReturnType<typeof bootTest>>;
let node: FakeExchange;

beforeAll(async () => {
  world = await bootTest({
    MARKET_FEED: 'replay',
    REPLAY_DATA: recording.folder,
    MARKET_START: '2026-03-04T12:20:00Z',
    MARKET_SPEED: '600',
  });
  node = await startExchange({ USDT: '100000' });
  node.market.now = () => world.clock.now().getTime();
  Object.assign(node.account.book, { slippageBps: 8n, pieces: 2 });
});
afterAll(async () => {
  await node.close();
  await world.database.close();
  recording.remove();
});

test('a session whose trades open, are closed and settle is hedged tick by tick, and the exchange agrees with the ledger', async () => {
  const context = hedgedBy(world.context, node);
  const venue = await openTestVenue(context, node);
  const follow = async () => {
    await followMarket(context, { chunkSize: 2 });
    Object.assign(node.market.pairs.get('BTCUSDT') as object, {
      lastPrice: `${prices(await getMarketTime(context.db))}.00`,
    });
    world.clock.advance(1);
    await hedgeExposure(context, venue);
  };
  await hedgeExposure(context, venue);
  const members = [];
  for (let index = 0; index < 5; index += 1) {
    const { memberId } = await signUp(context);
    await giveFunds(context, memberId, 2_000_000_000n);
    await placeTrade(context, memberId, { tradeId: 'btc', amount: 1000 + index, wallet_type: 'primary' });
    members.push(memberId);
  }
  await playUntil(context, day('13:00:00'), follow);
  // 5 010 less 0.4 %, bought at 50 025.
  expect(Number(node.account.balances.get('BTC')) / 1e8).toBeCloseTo((5010 * 0.996) / 50_025, 3);
  // On paper the ledger would have moved the positions' cost; here money moves to the exchange by the treasury alone.
  expect((await getHouseBalances(context.db)).venue).toBe(-(await venueResult(context)));
  const [trade] = (await listTrades(context.db, { memberId: members[0] as bigint, limit: 1 })).items;
  await playUntil(context, day('14:00:00'), follow);
  await closeTrade(context, members[0] as bigint, BigInt(trade?.id ?? 0));
  await playUntil(context, day('17:40:00'), follow);
  for (let round = 0; round < 5; round += 1) await follow();
  expect(Number(node.account.balances.get('BTC')) / 1e8).toBeLessThan(0.0002);
  expect(await findDoubles(context, node)).toEqual([]);
  expect(await verifyLedger(context.db)).toEqual([]);
  const { lines, findings, residuals } = await reportVenue(context, venue);
  // The account began with 100 000 dollars that no treasury act booked; everything since agrees to the micro.
  expect(Number(lines[0]?.difference)).toBeCloseTo(100_000, 5);
  expect(findings).toHaveLength(1);
  expect(residuals.every(({ valueMicros }) => valueMicros !== null && valueMicros < 10_000_000n)).toBe(true);
});
