import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootTest } from '#test/boot.ts';
import { giveFunds, signUp } from '#test/members.ts';
import { playUntil, recordMarket, still } from '#test/recorded-market.ts';
import { followMarket, listTrades, placeTrade } from './index.ts';

const recording = recordMarket({ from: '2026-03-04T00:00:00Z', minutes: 1440, candle: (s, at) => at.getUTCHours() >= 15 ? still('110') : still('100') });
let world: Awaited<ReturnType<typeof bootTest>>;
beforeAll(async () => {
  world = await bootTest({ MARKET_FEED: 'replay', REPLAY_DATA: recording.folder, MARKET_START: '2026-03-04T12:00:00Z', MARKET_SPEED: '300' });
});
afterAll(async () => { await world.database.close(); recording.remove(); });

test('smoke', async () => {
  const { context } = world;
  const { memberId } = await signUp(context);
  await giveFunds(context, memberId, 1_000_000_000n);
  await placeTrade(context, memberId, { tradeId: 'btc', amount: 250, wallet_type: 'primary' });
  await playUntil(context, '2026-03-04T12:31:00Z', () => followMarket(context));
  const a = await listTrades(context.db, { memberId, limit: 10 });
  expect(a.items[0]).toMatchObject({ state: 'open' });
  await playUntil(context, '2026-03-04T17:30:00Z', () => followMarket(context));
  const b = await listTrades(context.db, { memberId, limit: 10 });
  expect(b.items[0]).toMatchObject({ state: 'settled', x: 1 });
});
