import { expect, onTestFinished, test } from 'vitest';
import { execute } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { holdOpen } from '#test/database/hold-open.ts';
import { testContext } from '#test/worlds/builders.ts';
import { listTicks } from '../candles/tick-sql.ts';
import { recordMade } from '../feeds/made-recording.test.fixture.ts';
import { countCandles, emptyMarket } from '../feeds/market-fingerprint.test.fixture.ts';
import { advanceMarket } from './advance-market.ts';
import { getMarketTime, lockClock } from './clock-sql.ts';
import { prepareMarket } from './prepare-market.ts';

const database = closeAfterAll(await openTestDatabase());
const folder = recordMade(['btc', 'eth'], '2026-03-03T00:00:00Z', '2026-03-06T00:00:00Z');

const START = new Date('2026-03-04T12:20:00Z');
const begin = () => testContext(database, undefined, { MARKET_FEED: 'replay', REPLAY_DATA: folder });
const times = <T>(count: number, act: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));

test('processes that start at once on a new database create one market', async () => {
  await emptyMarket(database.db);
  await times(5, () => prepareMarket(begin()));
  expect(await countCandles(database.db)).toEqual({ 60: 2 * (1440 + 740), 900: 2 * (96 + 49), 86400: 2 });
  expect(await getMarketTime(database.db)).toEqual(START);
});

test('a process starts while a worker hangs in a step of the clock', async () => {
  await emptyMarket(database.db);
  const context = begin();
  await prepareMarket(context);
  const release = await holdOpen(database.db, async (tx) => {
    await lockClock(tx);
    await execute(tx)`update market.mark set doubted = doubted`;
    await execute(tx)`select from market.asset for update`;
  });
  onTestFinished(release);
  await prepareMarket(context);
});

test('of many workers that move the clock at once, one does', async () => {
  await emptyMarket(database.db);
  const context = begin();
  await prepareMarket(context);
  const moved = await times(20, (index) => advanceMarket(context, { elapsedMs: 1000, holder: `worker ${index}` }));
  expect(moved.filter((result) => result.advanced)).toHaveLength(1);
  const now = new Date(START.getTime() + 60_000);
  expect(await getMarketTime(database.db)).toEqual(now);
  expect(await listTicks(database.db, { after: START, upTo: now })).toHaveLength(8);
});

test('concurrent steps and a skip of one holder store every candle once', async () => {
  await emptyMarket(database.db);
  const context = begin();
  await prepareMarket(context);
  const goal = new Date('2026-03-05T12:20:00Z');
  await times(10, (index) => advanceMarket(context, { elapsedMs: 100, ...(index === 5 ? { skipTo: goal } : {}) }));
  const now = await getMarketTime(database.db);
  expect(now.getTime()).toBeGreaterThanOrEqual(goal.getTime());
  const minutes = Math.floor((now.getTime() - Date.parse('2026-03-03T00:00:00Z')) / 60_000);
  expect((await countCandles(database.db))[60]).toBe(2 * minutes);
});
