import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { advanceMarket } from '../clock/advance-market.ts';
import { getMarketTime } from '../clock/clock-sql.ts';
import { prepareMarket } from '../clock/prepare-market.ts';
import { makeCandles, recordMade } from '../feeds/made-recording.test.fixture.ts';
import { openRecordedCandles } from '../feeds/replay-feed.ts';
import { listCandles, listClosedCandles } from './list-candles.ts';

const FROM = '2026-01-20T00:00:00Z';
const TO = '2026-03-04T00:00:00Z';
const STEP = 900;

/** 43 days, more than one query returns; the market is at the end of the first minutes it played. */
const database = closeAfterAll(await openTestDatabase());
const folder = recordMade(['btc', 'eth'], FROM, TO, STEP);
const settings = { MARKET_FEED: 'replay', REPLAY_DATA: folder, MARKET_START: '2026-03-03T12:20:00Z' };
const context = testContext(database, testClock(), settings);
await prepareMarket(context);
while ((await getMarketTime(context.db)) < new Date('2026-03-03T12:52:00Z'))
  await advanceMarket(context, { elapsedMs: 1000 });

const range = (from: string, to: string) =>
  ({ symbol: 'btc', interval: '15m', from: new Date(from), to: new Date(to) }) as const;

test('all closed candles of a range are returned, however many, and none that is still forming', async () => {
  const candles = await listClosedCandles(context.db, range(FROM, TO));
  const made = makeCandles('btc', FROM, TO, STEP).filter((candle) => candle.atMs < Date.parse('2026-03-03T12:45:00Z'));
  expect(candles).toHaveLength(42 * 96 + 51);
  expect(candles).toEqual(made);
});

test('they are the ones that charts show', async () => {
  const [from, to] = ['2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z'];
  const listed = await listCandles(context.db, range(from, to));
  const closed = await listClosedCandles(context.db, range(from, to));
  expect(closed.map(({ atMs, ...candle }) => ({ time: new Date(atMs).toISOString(), ...candle }))).toEqual(listed);
});

test('a range without candles is empty, and an unknown asset is refused', async () => {
  expect(await listClosedCandles(context.db, range('2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z'))).toEqual([]);
  expect(await listClosedCandles(context.db, range('2026-03-03T12:45:00Z', TO))).toEqual([]);
  const unknown = { ...range(FROM, TO), symbol: 'nope' };
  await expect(listClosedCandles(context.db, unknown)).rejects.toMatchObject({ code: 'asset_not_found' });
});

test('a folder alone yields exactly the candles that the market stores from it', async () => {
  const recorded = await openRecordedCandles(readConfig({ MARKET_FEED: 'replay', REPLAY_DATA: folder }).market, STEP);
  expect([recorded.symbols, recorded.endsAt]).toEqual([['btc', 'eth'], new Date(TO)]);
  const stored = await listClosedCandles(context.db, range(FROM, TO));
  expect(recorded.list('btc', new Date(FROM), new Date('2026-03-03T12:45:00Z'))).toEqual(stored);
});

test('one-minute candles of a folder are aggregated into 15-minute candles', async () => {
  const minutes = recordMade(['btc'], '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z', 60);
  const recorded = await openRecordedCandles(readConfig({ MARKET_FEED: 'replay', REPLAY_DATA: minutes }).market, STEP);
  const made = makeCandles('btc', '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z', STEP);
  expect(recorded.list('btc', new Date('2026-03-02T06:00:00Z'), new Date('2026-03-02T12:00:00Z'))).toEqual(
    made.filter(({ atMs }) => new Date(atMs).getUTCHours() >= 6 && new Date(atMs).getUTCHours() < 12),
  );
});

test('a folder of longer candles is refused', async () => {
  const hours = recordMade(['btc'], '2026-03-02T00:00:00Z', '2026-03-04T00:00:00Z', 3600);
  const config = readConfig({ MARKET_FEED: 'replay', REPLAY_DATA: hours }).market;
  await expect(openRecordedCandles(config, STEP)).rejects.toThrow(
    'REPLAY_DATA: candles of 3600 seconds do not make up candles of 900 seconds',
  );
});
