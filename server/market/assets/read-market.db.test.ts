import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { marketPairs } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { codeOf } from '#test/kit/at-once.ts';
import { refusal, type TestApp, testApp } from '#test/worlds/app.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { listCandles } from '../candles/list-candles.ts';
import { findAveragePrice, findFirstFreshMinuteAverage } from '../candles/tick-sql.ts';
import { advanceMarket } from '../clock/advance-market.ts';
import { getMarketTime } from '../clock/clock-sql.ts';
import { prepareMarket } from '../clock/prepare-market.ts';
import { aggregateCandles, type FeedCandle, tickPath } from '../core/candle.ts';
import { getFeed } from '../feeds/get-feed.ts';
import { makeCandles, makeHoled, recordMade, toLine, writeRecording } from '../feeds/made-recording.test.fixture.ts';
import { emptyMarket } from '../feeds/market-fingerprint.test.fixture.ts';
import { mountMarket } from '../routes.ts';
import { findAsset } from './asset-sql.ts';
import { setAssetActive } from './change-asset.ts';
import { listAssets, listMarket } from './list-assets.ts';

const FROM = '2026-03-02T00:00:00Z';
const TO = '2026-03-05T00:00:00Z';
/** The time in these tests: 34 minutes after the start, in the middle of a quarter of an hour and of an hour. */
const NOW = '2026-03-03T12:54:00Z';
const at = (time: string) => new Date(`2026-03-03T${time}Z`);

const database = closeAfterAll(await openTestDatabase());

async function begin(folder: string, goal: string): Promise<Context> {
  const context = testContext(database, testClock(), { MARKET_FEED: 'replay', REPLAY_DATA: folder });
  await emptyMarket(context.db);
  await prepareMarket(context);
  await play(context, goal);
  return context;
}

async function play(context: Context, goal: string): Promise<void> {
  while ((await getMarketTime(context.db)) < new Date(goal)) await advanceMarket(context, { elapsedMs: 1000 });
}

test('before the market is prepared, reads fail or return nothing', async () => {
  await emptyMarket(database.db);
  const context = testContext(database);
  const { db } = context;
  expect(await codeOf(getMarketTime(db))).toBe('not_ready');
  expect(await codeOf(getFeed(context))).toBe('not_ready');
  expect(await codeOf(listCandles(db, { symbol: 'btc', interval: '1m' }))).toBe('asset_not_found');
  expect([await listAssets(db), await listMarket(db)]).toEqual([[], []]);
});

describe('a market on one-minute candles', () => {
  let context: Context;
  let app: TestApp;
  let minutes: FeedCandle[];
  const folder = recordMade(['btc', 'eth'], FROM, TO);
  beforeAll(async () => {
    context = await begin(folder, NOW);
    app = await testApp(context, mountMarket);
    minutes = makeCandles('btc', FROM, NOW, 60);
  });
  afterAll(() => app.close());

  const wire = ({ atMs, ...candle }: FeedCandle) => ({ time: new Date(atMs).toISOString(), ...candle });
  /** The minute that just began has one price and no volume yet. */
  const forming = () => {
    const [{ atMs, open }] = makeCandles('btc', NOW, TO, 60) as [FeedCandle];
    return { atMs, open, high: open, low: open, close: open, volume: 0 };
  };

  test.each([
    ['5m', 300],
    ['15m', 900],
    ['1h', 3600],
    ['1d', 86_400],
  ] as const)('%s candles are built from the minutes, including the one in progress', async (interval, seconds) => {
    const expected = aggregateCandles([...minutes, forming()], seconds).map(wire);
    expect(await listCandles(context.db, { symbol: 'btc', interval })).toEqual(expected);
  });

  test('at most 1 500 candles are returned, the newest ones', async () => {
    const candles = await listCandles(context.db, { symbol: 'btc', interval: '1m' });
    expect(candles).toEqual([...minutes.slice(-1499), forming()].map(wire));
  });

  test('from and to select the candles that open between them', async () => {
    const times = async (from: string, to?: string) => {
      const range = { from: at(from), to: to === undefined ? undefined : at(to) };
      const candles = await listCandles(context.db, { symbol: 'btc', interval: '15m', ...range });
      return candles.map((candle) => candle.time.slice(11, 16));
    };
    expect(await times('12:00:00', '12:45:00')).toEqual(['12:00', '12:15', '12:30']);
    expect(await times('12:00:01', '12:45:01')).toEqual(['12:15', '12:30', '12:45']);
    expect(await times('12:40:00')).toEqual(['12:45']);
    expect(await times('12:45:00', '12:00:00')).toEqual([]);
    expect(await times('13:00:00', '14:00:00')).toEqual([]);
  });

  test('the market list has the figures of the last 24 hours, and null for what is unknown', async () => {
    const list = await listMarket(context.db);
    expect(list.map(({ displayName, apiname }) => ({ displayName, apiname }))).toEqual([...marketPairs]);
    const day = minutes.slice(-1440);
    const rate = forming().open;
    const before = minutes.at(-1441)?.close as number;
    const [all] = aggregateCandles(
      day.map((candle) => ({ ...candle, atMs: 0 })),
      60,
    ) as [FeedCandle];
    expect(list[0]).toMatchObject({
      image: '/icons/btc.svg',
      rate,
      stale: false,
      change_24h: Number(((rate / before - 1) * 100).toFixed(4)),
      high_24h: Math.max(all.high, rate),
      low_24h: Math.min(all.low, rate),
      volume_24h: all.volume,
    });
    // The full quarters of an hour of the last 24 hours, from 13:00 yesterday; every second one ends a half hour.
    const quarters = aggregateCandles(
      day.filter((candle) => candle.atMs >= Date.parse('2026-03-02T13:00:00Z')),
      900,
    );
    const whole = quarters.filter((candle) => candle.atMs + 900_000 <= Date.parse(NOW));
    expect(list[0]?.spark).toEqual(whole.filter((_, index) => index % 2 === 1).map((candle) => candle.close));
    expect(list[0]?.spark).toHaveLength(47);
    const figures = { change_24h: null, high_24h: null, low_24h: null, volume_24h: null, spark: [] };
    expect(list[2]).toEqual({
      displayName: 'doge/usdt',
      apiname: 'dogecoin',
      image: '/icons/doge.svg',
      listed: true,
      rate: null,
      stale: true,
      ...figures,
    });
  });

  test('one asset is found by its symbol', async () => {
    expect(await findAsset(context.db, 'btc')).toEqual({
      symbol: 'btc',
      name: 'btc/usdt',
      apiname: 'bitcoin',
      logo: '/icons/btc.svg',
      active: true,
      listed: true,
      version: 1,
      spreadBps: 10,
      mark: { symbol: 'btc', price: `${forming().open}`, at: new Date(NOW) },
      stale: false,
    });
    expect(await findAsset(context.db, 'xyz')).toBeUndefined();
  });

  test('the average is weighted by how long each mark held, and is not returned before its time', async () => {
    const average = (from: string, to: string) => findAveragePrice(context.db, 'btc', at(from), at(to));
    const minute = minutes.find((candle) => candle.atMs === at('12:50:00').getTime()) as FeedCandle;
    const prices = tickPath(minute, 60).map((tick) => tick.price);
    const mean = prices.reduce((sum, price) => sum + price, 0) / 4;
    expect(Number(await average('12:50:00', '12:51:00'))).toBeCloseTo(mean, 6);
    const half = ((prices[0] as number) * 5 + (prices[1] as number) * 15 + (prices[2] as number) * 5) / 25;
    expect(Number(await average('12:50:10', '12:50:35'))).toBeCloseTo(half, 6);
    expect(await average('12:53:00', '12:54:00')).not.toBeNull();
    expect(await average('12:53:00', '12:54:01')).toBeNull();
    expect(await codeOf(findAveragePrice(context.db, 'xyz', at('12:50:00'), at('12:51:00')))).toBe('asset_not_found');
  });

  test('switching an asset off or on rolls back with its transaction, and its prices continue', async () => {
    const active = async () => (await findAsset(context.db, 'eth'))?.active;
    await inTransaction(context.db, (tx) => setAssetActive(tx, 'eth', false));
    expect([await active(), (await listAssets(context.db))[1]?.active]).toEqual([false, false]);
    const undone = inTransaction(context.db, async (tx) => {
      await setAssetActive(tx, 'eth', true);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await active()).toBe(false);
    await inTransaction(context.db, (tx) => setAssetActive(tx, 'eth', true));
    expect(await active()).toBe(true);
  });

  test('a restart keeps an asset as the operator left it', async () => {
    await inTransaction(context.db, (tx) => setAssetActive(tx, 'eth', false));
    await prepareMarket(context);
    expect((await findAsset(context.db, 'eth'))?.active).toBe(false);
    await inTransaction(context.db, (tx) => setAssetActive(tx, 'eth', true));
  });

  describe('over HTTP, without signing in', () => {
    test('GET market returns the pairs and the feed', async () => {
      const answer = await app.ask('GET', 'market');
      expect(answer).toMatchObject({ status: 200, body: { status: 'success' } });
      expect(answer.body.data.pairs).toEqual(await listMarket(context.db));
      expect(answer.body.data.feed).toEqual(await getFeed(context));
    });

    test('GET market/:symbol/candles returns quarters of an hour by default', async () => {
      const quarters = await app.ask('GET', 'market/btc/candles');
      expect(quarters.body.data).toEqual(await listCandles(context.db, { symbol: 'btc', interval: '15m' }));
      const range = 'from=2026-03-03T09:00:00Z&to=2026-03-03T11:00:00Z';
      const some = await app.ask('GET', `market/btc/candles?interval=1h&${range}`);
      expect(some.body.data.map((candle: { time: string }) => candle.time)).toEqual([
        '2026-03-03T09:00:00.000Z',
        '2026-03-03T10:00:00.000Z',
      ]);
    });

    test('a period that ends before it begins is refused, as everywhere', async () => {
      const turned = await app.ask('GET', 'market/btc/candles?from=2026-03-03T11:00:00Z&to=2026-03-03T09:00:00Z');
      expect(turned).toMatchObject(refusal(422, 'period_turned', 'to'));
    });

    test.each([
      ['xyz', 404],
      ['BTC', 422],
      ["btc'--", 422],
      ['__proto__', 422],
    ])('candles of %s are answered with a %i', async (symbol, status) => {
      expect((await app.ask('GET', `market/${encodeURIComponent(symbol)}/candles`)).status).toBe(status);
    });
  });

  test('the figures follow the market minute by minute', async () => {
    const known = makeCandles('eth', FROM, TO, 60);
    const opening = (ms: number) => known.find((candle) => candle.atMs === ms)?.open as number;
    const closing = (ms: number) => known.find((candle) => candle.atMs === ms - 60_000)?.close as number;
    for (let minute = 0; minute < 20; minute += 1) {
      const nowMs = (await getMarketTime(context.db)).getTime();
      const change = (opening(nowMs) / closing(nowMs - 86_400_000) - 1) * 100;
      expect((await listAssets(context.db))[1]?.percentage).toBeCloseTo(change, 3);
      await advanceMarket(context, { elapsedMs: 1000 });
    }
  });
});

describe('a market of quarter-hour candles', () => {
  test('has no shorter candles, and does not invent them', async () => {
    const { db } = await begin(recordMade(['btc'], FROM, TO, 900), NOW);
    const list = (interval: '1m' | '5m' | '15m' | '1h' | '1d') => listCandles(db, { symbol: 'btc', interval });
    expect([await list('1m'), await list('5m')]).toEqual([[], []]);
    const quarters = makeCandles('btc', FROM, '2026-03-03T12:45:00Z', 900);
    const candles = await list('15m');
    expect(candles.slice(0, -1).map((candle) => candle.close)).toEqual(quarters.map((candle) => candle.close));
    // The candle in progress has been played up to its third price, at 12:52:30.
    expect(candles.at(-1)?.time).toBe('2026-03-03T12:45:00.000Z');
    const [underWay] = makeCandles('btc', '2026-03-03T12:45:00Z', '2026-03-03T13:00:00Z', 900) as [FeedCandle];
    expect(candles.at(-1)).toMatchObject({ open: underWay.open, high: underWay.high, low: underWay.low, volume: 0 });
    expect(await list('1h')).toHaveLength(37);
    expect((await listMarket(db))[0]?.spark).toHaveLength(48);
  });
});

describe('an asset without prices for a while', () => {
  let context: Context;
  const folder = writeRecording({
    btc: makeCandles('btc', FROM, TO, 60).map(toLine),
    eth: makeHoled('eth', [FROM, TO], ['2026-03-03T12:28:00Z', '2026-03-03T12:41:00Z']),
  });
  beforeAll(async () => {
    context = await begin(folder, '2026-03-03T12:31:00Z');
  });
  const staleness = async () => (await listAssets(context.db)).slice(0, 2).map((asset) => asset.stale);

  test('keeps its last mark and turns stale once the mark expires; the others do not', async () => {
    // The last price came at 12:27:45 and is valid until 12:31:00.
    expect(await staleness()).toEqual([false, false]);
    await advanceMarket(context, { elapsedMs: 1 });
    expect(await staleness()).toEqual([false, true]);
    expect((await findAsset(context.db, 'eth'))?.mark?.at).toEqual(at('12:27:45'));
    expect((await getFeed(context)).stale).toBe(false);
  });

  test('has no average across the gap, and none of a fresh minute yet', async () => {
    await play(context, '2026-03-03T12:41:00Z');
    expect(await findAveragePrice(context.db, 'eth', at('12:30:00'), at('12:31:00'))).not.toBeNull();
    expect(await findAveragePrice(context.db, 'eth', at('12:30:01'), at('12:31:01'))).toBeNull();
    expect(await findAveragePrice(context.db, 'btc', at('12:30:01'), at('12:31:01'))).not.toBeNull();
    expect(await findFirstFreshMinuteAverage(context.db, 'eth', at('12:31:00'))).toBeNull();
  });

  test('is settled at the average of its first full fresh minute, however late it is read', async () => {
    await play(context, '2026-03-03T12:43:00Z');
    expect(await staleness()).toEqual([false, false]);
    const prices = tickPath(makeCandles('eth', '2026-03-03T12:41:00Z', TO, 60)[0] as FeedCandle, 60).map(
      ({ price }) => price,
    );
    const first = await findFirstFreshMinuteAverage(context.db, 'eth', at('12:31:00'));
    expect(first?.from).toEqual(at('12:41:00'));
    expect(Number(first?.price)).toBeCloseTo(prices.reduce((sum, price) => sum + price, 0) / 4, 6);
    await play(context, '2026-03-03T12:54:00Z');
    expect(await findFirstFreshMinuteAverage(context.db, 'eth', at('12:31:00'))).toEqual(first);
    expect(await codeOf(findFirstFreshMinuteAverage(context.db, 'xyz', at('12:31:00')))).toBe('asset_not_found');
  });

  test('the feed is stale when every active asset is', async () => {
    await sql`update market.mark set at = at - interval '1 hour' where asset_id = 2`.execute(context.db);
    expect((await getFeed(context)).stale).toBe(false);
    await inTransaction(context.db, (tx) => setAssetActive(tx, 'btc', false));
    expect((await getFeed(context)).stale).toBe(true);
  });
});
