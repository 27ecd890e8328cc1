import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { migrate, readMigrations } from '#server/db/migrate.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openEmptyDatabase, openTestDatabase } from '#test/database/database.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { findAsset } from '../assets/asset-sql.ts';
import { findAveragePrice, findFirstFreshMinuteAverage, listHeldTicks, listTicks } from '../candles/tick-sql.ts';
import { openFeed } from '../feeds/feed.ts';
import type { LiveFeed } from '../feeds/live-feed.ts';
import { emptyMarket } from '../feeds/market-fingerprint.test.fixture.ts';
import { advanceMarket } from './advance-market.ts';
import { getMarketTime } from './clock-sql.ts';
import { prepareMarket } from './prepare-market.ts';

const at = (time: string) => new Date(`2026-03-04T${time}Z`);
const database = closeAfterAll(await openTestDatabase());
let clock: ReturnType<typeof testClock>;
let context: Context;
let feed: LiveFeed;
beforeEach(async () => {
  clock = testClock(at('17:20:00').toISOString());
  // A feed of its own for each test.
  context = testContext(database, clock, { MARKET_FEED: 'coingecko', COINGECKO_URL: `http://${crypto.randomUUID()}` });
  await emptyMarket(context.db);
  await prepareMarket(context);
  feed = (await openFeed(context.config.market)) as LiveFeed;
});

const moveTo = async (time: string) => {
  clock.advance((at(time).getTime() - clock.now().getTime()) / 1000);
  await advanceMarket(context, { elapsedMs: 0 });
};
const quote = (time: string, price: number, symbol = 'btc') =>
  feed.quotes.put([{ symbol, price, atMs: at(time).getTime(), dayVolume: null }]);
const ticks = async (after: string) =>
  (await listTicks(context.db, { after: at(after), upTo: clock.now() })).map((tick) => Number(tick.price));

describe('a quote that arrives late', () => {
  // Candles of 300 s: a price holds for 975 s of its own time, here until 17:29:15.
  beforeEach(async () => {
    await moveTo('17:24:59');
    quote('17:13:00', 100);
    await moveTo('17:25:00');
    expect(await ticks('17:24:00')).toEqual([100]);
  });

  test('makes no average of a minute in which it is stale by its own time', async () => {
    await moveTo('17:30:00');
    expect(await findAsset(context.db, 'btc')).toMatchObject({ stale: true });
    expect(await findAveragePrice(context.db, 'btc', at('17:28:00'), at('17:29:00'))).toBe('100');
    expect(await findAveragePrice(context.db, 'btc', at('17:29:00'), at('17:30:00'))).toBeNull();
  });

  test('makes no fresh minute of one in which it is stale by its own time', async () => {
    const late = () => findFirstFreshMinuteAverage(context.db, 'btc', at('17:30:00'));
    await moveTo('17:30:59');
    quote('17:15:30', 101);
    await moveTo('17:31:00');
    await moveTo('17:33:00');
    expect(await ticks('17:30:00')).toEqual([101]);
    // It was stale from 17:31:45 on.
    expect(await late()).toBeNull();
    quote('17:32:30', 102);
    await moveTo('17:33:01');
    await moveTo('17:35:00');
    expect(await late()).toEqual({ price: '102', from: at('17:34:00') });
  });
});

test('while market time waits for a clock that was set back, only the newest price of each coin waits, and counts', async () => {
  await moveTo('16:20:00');
  for (let minute = 21; minute < 50; minute += 1) {
    for (const symbol of ['btc', 'eth']) quote(`17:${minute}:00`, minute, symbol);
    await moveTo(`16:${minute + 2}:30`);
  }
  expect(await getMarketTime(context.db)).toEqual(at('17:20:00'));
  expect(feed.quotes.list().map(({ symbol, price }) => [symbol, price])).toEqual([
    ['btc', 49],
    ['eth', 49],
  ]);
  await moveTo('17:20:01');
  expect(await ticks('17:20:00')).toEqual([49, 49]);
});

test('ticks from before their own time was stored keep theirs, and the last one has that of the mark', async () => {
  const older = await openEmptyDatabase();
  try {
    const all = readMigrations();
    const until = all.findIndex(({ name }) => name.includes('own-time-of-ticks'));
    await migrate(older, all.slice(0, until));
    await older.runScript(`
      insert into market.asset (id, symbol, name, apiname, logo, active, spread_bps)
      select id, 's' || id, 's' || id, 's' || id, '', true, 10 from generate_series(1, 2) as id;
      insert into market.mark (asset_id, price, at) values (1, 102, '2026-03-04T17:13:00Z'), (2, 7, '2026-03-04T17:26:00Z');
      insert into market.tick (asset_id, at, price)
      values (1, '2026-03-04T17:20:00Z', 101), (1, '2026-03-04T17:25:00Z', 102), (2, '2026-03-04T17:25:00Z', 7)`);
    await migrate(older);
    const held = async (symbol: string) =>
      (await listHeldTicks(older.db, symbol, { from: at('17:20:00'), to: at('17:30:00'), limit: 9 })).map(
        ({ quotedAtMs }) => quotedAtMs,
      );
    expect([await held('s1'), await held('s2')]).toEqual([[undefined, at('17:13:00').getTime()], [undefined]]);
  } finally {
    await older.close();
  }
});
