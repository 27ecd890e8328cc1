import { beforeAll, describe, expect, test } from 'vitest';
import { symbols } from '#contract/rules.ts';
import { findValue } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { listAssets } from '../assets/list-assets.ts';
import { getFeed } from '../feeds/get-feed.ts';
import { makeCandles, makeHoled, recordMade, toLine, writeRecording } from '../feeds/made-recording.test.fixture.ts';
import { countCandles, emptyMarket, fingerprint } from '../feeds/market-fingerprint.test.fixture.ts';
import { getMarketTime } from './clock-sql.ts';
import { prepareMarket } from './prepare-market.ts';

const replay = (folder: string, env = {}) => ({ MARKET_FEED: 'replay', REPLAY_DATA: folder, ...env });

const database = closeAfterAll(await openTestDatabase());

describe('the simulated market', () => {
  const clock = testClock('2026-03-04T18:00:00Z');
  beforeAll(() => prepareMarket(testContext(database, clock)));

  test('has a history of 90 days of quarters of an hour and two days of minutes, for all coins', async () => {
    // The history begins at midnight: 90 days and 12 hours 15 minutes before 12:15.
    const n = symbols.length;
    expect(await countCandles(database.db)).toEqual({ 60: n * 2880, 900: n * (90 * 96 + 49), 86400: n * 90 });
  });

  test('is ten minutes before the opening of the real day, with every mark fresh', async () => {
    const at = '2026-03-04T12:20:00.000Z';
    const simulated = { kind: 'simulated', label: 'Simulated market', speed: 60, stale: false, ended: false };
    expect(await getFeed(testContext(database))).toEqual({ ...simulated, at });
    const assets = await listAssets(database.db);
    expect(assets.map((asset) => asset.symbol)).toEqual(symbols);
    expect(assets.map((asset) => asset.mark?.at)).toEqual(symbols.map(() => new Date('2026-03-04T12:20:00Z')));
  });

  test('is the same on every engine and machine: it depends on the seed alone', async () => {
    expect(await fingerprint(database.db)).toEqual({
      candles: 'f0a5269e03bdd3e1ac070c6daf67979a',
      ticks: 'b7b06a1cb941cdafbd676d5b7e7e4b9e',
      marks: '1ae2e93abcd43e9b7023ed3629a89505',
      at: new Date('2026-03-04T12:20:00Z'),
    });
  });

  test('does not change on a second start, on whatever day', async () => {
    const before = await fingerprint(database.db);
    await prepareMarket(testContext(database, testClock('2027-01-01T00:00:00Z')));
    expect(await fingerprint(database.db)).toEqual(before);
  });

  test('refuses a start with another seed or feed, and names it', async () => {
    const other = (env: Record<string, string>) => prepareMarket(testContext(database, clock, env));
    await expect(other({ MARKET_SEED: 'other' })).rejects.toThrow(
      /^MARKET_SEED: this database was begun with tradewind/,
    );
    const folder = recordMade(['btc'], '2026-03-04T00:00:00Z', '2026-03-05T00:00:00Z');
    await expect(other(replay(folder))).rejects.toThrow(/^MARKET_FEED: this database was begun with simulated/);
  });
});

describe('a recording', () => {
  const FROM = '2026-03-02T00:00:00Z';
  const TO = '2026-03-05T00:00:00Z';
  const restart = (env: Record<string, string>) => prepareMarket(testContext(database, testClock(), env));
  const start = async (env: Record<string, string>) => {
    await emptyMarket(database.db);
    await restart(env);
    return database;
  };

  test('its candles before the start are history; the one in progress and later ones are not', async () => {
    const { db } = await start(replay(recordMade(['btc', 'eth'], FROM, TO, 900)));
    expect(await getMarketTime(db)).toEqual(new Date('2026-03-03T12:20:00Z'));
    // 36 hours and a quarter until 12:15; the mark is the low or high played at 12:18:45.
    expect(await countCandles(db)).toEqual({ 900: 2 * (96 + 49), 86400: 2 });
    const [btc] = await listAssets(db);
    const underWay = makeCandles('btc', '2026-03-03T12:15:00Z', '2026-03-03T12:30:00Z', 900)[0];
    const second = (underWay?.close ?? 0) < (underWay?.open ?? 0) ? underWay?.high : underWay?.low;
    expect(btc?.mark).toEqual({ symbol: 'btc', price: `${second}`, at: new Date('2026-03-03T12:18:45Z') });
  });

  test('MARKET_START decides where a new database begins, and has no effect later', async () => {
    const folder = recordMade(['btc'], FROM, TO);
    const { db } = await start(replay(folder, { MARKET_START: '2026-03-04T03:00:00Z' }));
    await restart(replay(folder, { MARKET_START: '2026-03-04T09:00:00Z' }));
    expect(await getMarketTime(db)).toEqual(new Date('2026-03-04T03:00:00Z'));
    expect((await countCandles(db))[60]).toBe(2 * 1440);
  });

  test('a pair without a recording starts switched off and without a price', async () => {
    const { db } = await start(replay(recordMade(['btc', 'eth'], FROM, TO)));
    const assets = await listAssets(db);
    expect(assets.filter((asset) => asset.active).map((asset) => asset.symbol)).toEqual(['btc', 'eth']);
    expect(assets[2]).toMatchObject({ symbol: 'doge', mark: null, stale: true, percentage: null });
  });

  test('a coin with a gap at the start has the mark from before it, and is stale', async () => {
    const folder = writeRecording({
      btc: makeCandles('btc', FROM, TO, 60).map(toLine),
      eth: makeHoled('eth', [FROM, TO], ['2026-03-03T12:10:00Z', '2026-03-03T13:00:00Z']),
    });
    const [btc, eth] = await listAssets((await start(replay(folder))).db);
    expect(btc).toMatchObject({ stale: false });
    expect(eth).toMatchObject({ stale: true, mark: { at: new Date('2026-03-03T12:09:45Z') } });
  });

  test('a recording with another step is refused by name; a longer one with the same step continues', async () => {
    const { db } = await start(replay(recordMade(['btc'], FROM, TO, 900)));
    const finer = replay(recordMade(['btc'], FROM, TO, 300));
    await expect(restart(finer)).rejects.toThrow(/^REPLAY_DATA: this database was begun with candles of 900 s/);
    await restart(replay(recordMade(['btc'], FROM, '2026-03-06T00:00:00Z', 900)));
    expect(await findValue(db)<Date>`select ends_at from market.clock`).toEqual(new Date('2026-03-06T00:00:00Z'));
  });
});
