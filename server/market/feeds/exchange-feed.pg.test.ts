import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BadConfig } from '#server/config.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { type ExchangePair, sawCandle } from '#test/fake-servers/exchange-market.ts';
import { startExchangePrices, tooManyRequests } from '#test/fake-servers/exchange-prices.ts';
import { testConfig } from '#test/worlds/builders.ts';
import { listAssets, listMarket } from '../assets/list-assets.ts';
import { getMarketTime } from '../clock/clock-sql.ts';
import { prepareMarket } from '../clock/prepare-market.ts';
import { beginLive, type LiveWorld } from './live-world.test.fixture.ts';
import { pollPrices } from './poll-prices.ts';

const START = '2026-03-04T12:00:00.000Z';
const LISTED = ['btc', 'eth', 'sol'];

let node: Awaited<ReturnType<typeof startExchangePrices>>;
let world: LiveWorld;
const database = closeAfterAll(await openTestDatabase());
beforeEach(async () => {
  node = await startExchangePrices(LISTED);
  // Historical candles have their own test.
  node.market.candle = () => null;
  world = await begin();
});
afterEach(() => node.close());

const env = () => ({ MARKET_FEED: 'ccxt', CCXT_EXCHANGE: 'binance', CCXT_URL: node.url, CCXT_RATE_LIMIT_MS: '1' });
async function begin(more: Record<string, string> = {}, start = START): Promise<LiveWorld> {
  node.market.now = () => Date.parse(start);
  const begun = await beginLive(database, start, { ...env(), ...more });
  node.market.now = () => begun.clock.now().getTime();
  return begun;
}
const pair = (base: string) => node.market.pairs.get(`${base.toUpperCase()}USDT`) as ExchangePair;
const price = (base: string, lastPrice: string) => {
  pair(base).lastPrice = lastPrice;
};
const countPolls = () => node.market.calls.filter((call) => call.includes('ticker')).length;

describe('incoming prices', () => {
  test('of all listed pairs are fetched in one call; a pair that the exchange does not list starts switched off', async () => {
    node.market.calls.length = 0;
    await world.beat(0);
    expect(node.market.calls).toEqual(['/api/v3/ticker/24hr?symbols=["BTCUSDT","ETHUSDT","SOLUSDT"]']);
    const assets = await listAssets(world.context.db);
    expect(assets.filter((asset) => asset.active).map((asset) => asset.symbol)).toEqual(LISTED);
    expect((await world.find('btc'))?.mark?.price).toBe('60000');
    expect((await listMarket(world.context.db))[0]).toMatchObject({ rate: 60_000, volume_24h: 1_500_000 });
  });

  test('are fetched every five seconds', async () => {
    await world.run(15);
    expect(countPolls()).toBe(3);
  });

  test('form one-minute candles', async () => {
    for (const [beat, last] of [60_000, 60_500, 59_500, 60_100, 60_200].entries()) {
      price('btc', String(last));
      await world.beat(beat === 0 ? 0 : 15);
    }
    await world.beat(15);
    const ticks = await world.ticks('btc');
    const [minute] = await world.candles('btc', 60);
    expect(ticks.map((tick) => tick.price)).toEqual([60_000, 60_500, 59_500, 60_100, 60_200, 60_200]);
    const prices = { open: 60_000, high: 60_500, low: 59_500, close: 60_100 };
    expect(minute).toEqual({ at: new Date(START), ...prices, volume: null });
  });

  test('without a timestamp have that of the reply', async () => {
    pair('btc').pricedAtMs = Number.NaN;
    node.market.now = () => Date.parse('2026-03-04T11:58:00Z');
    await world.beat(0);
    expect((await world.find('btc'))?.mark?.at).toEqual(new Date('2026-03-04T11:58:00Z'));
  });
});

describe('an unavailable exchange', () => {
  beforeEach(() => world.beat(0));

  test('is left alone for as long as it asks, and then polled again', async () => {
    node.market.fault = tooManyRequests(30);
    await world.beat(5);
    expect(world.logged('price request failed')).toMatchObject([
      { pauseMs: 30_000, reason: expect.stringContaining('429') },
    ]);
    node.market.fault = null;
    price('btc', '61000');
    const asked = node.market.calls.length;
    await world.beat(29);
    expect(node.market.calls).toHaveLength(asked);
    await world.beat(1);
    expect((await world.find('btc'))?.mark?.price).toBe('61000');
  });

  test.each([
    ['fails', { status: 500, body: { code: -1000, msg: 'internal' } }],
    ['bans the caller', { status: 418, body: { code: -1003, msg: 'banned' }, headers: { 'retry-after': '1' } }],
    ['is in maintenance', { status: 503, body: '<html>maintenance</html>' }],
  ])('that %s moves no price and becomes stale; the next price makes it fresh', async (_, fault) => {
    node.market.fault = fault;
    price('btc', '61000');
    for (let minute = 0; minute < 4; minute += 1) await world.beat(60);
    expect(world.logged('price request failed')).toHaveLength(4);
    expect(await world.find('btc')).toMatchObject({ mark: { price: '60000' }, stale: true });
    expect(await world.ticks('btc')).toHaveLength(1);
    node.market.fault = null;
    await world.beat(60);
    expect(await world.find('btc')).toMatchObject({ mark: { price: '61000' }, stale: false });
  });

  test('that delists a pair returns the others, and that pair alone becomes stale', async () => {
    node.market.pairs.delete('SOLUSDT');
    for (let minute = 0; minute < 5; minute += 1) await world.beat(60);
    expect(world.logged('assets without a price')).toMatchObject([{ missing: ['sol'] }]);
    expect((await world.find('sol'))?.stale).toBe(true);
    expect((await world.find('btc'))?.stale).toBe(false);
  });
});

// core/price-guard.test.ts and core/play-quotes.test.ts check which prices are wrong, whatever their source.
describe('a wrong price', () => {
  beforeEach(() => world.beat(0));

  test.each([
    ['zero', '0.00000000'],
    ['NaN', 'NaN'],
    ['a word', 'n/a'],
    ['empty', ''],
  ])('that is %s is ignored, for this coin alone, which becomes stale', async (_, lastPrice) => {
    price('btc', lastPrice);
    price('eth', '3001');
    for (let minute = 0; minute < 4; minute += 1) await world.beat(60);
    expect(world.logged('assets without a price')).toMatchObject([{ missing: ['btc'] }]);
    expect(await world.find('btc')).toMatchObject({ mark: { price: '60000' }, stale: true });
    expect(await world.find('eth')).toMatchObject({ mark: { price: '3001' }, stale: false });
  });
});

describe('historical candles', () => {
  test('of a minute that the market has not closed yet are left to it', async () => {
    for (const seconds of [0, 59]) await world.beat(seconds);
    node.market.candle = sawCandle;
    world.clock.advance(1);
    await pollPrices(world.context);
    const stored = await world.candles('btc', 60);
    expect(stored.at(-1)).toEqual(saw(at('2026-03-04T11:59:00Z'), 60_000));
    await world.beat(0);
    expect((await world.candles('btc', 60)).at(-1)).toMatchObject({ at: new Date(START), close: 60_000, volume: null });
  });

  const at = (time: string) => Date.parse(time);
  const saw = (openMs: number, stepMs: number) => {
    const [open, high, low, close, coins] = sawCandle('btc', openMs, stepMs).map(Number) as number[];
    const volume = Math.round((coins as number) * (close as number) * 100) / 100;
    return { at: new Date(openMs), open, high, low, close, volume };
  };

  test('of a new database are 90 days of quarters of an hour and two of minutes, without the unfinished ones', async () => {
    node.market.candle = sawCandle;
    world = await begin({}, '2026-03-04T12:07:20Z');
    await world.run(12);
    const quarters = await world.candles('btc', 900);
    expect(quarters[0]).toEqual(saw(at('2025-12-04T00:00:00Z'), 900_000));
    expect(quarters.at(-1)?.at).toEqual(new Date('2026-03-04T11:45:00Z'));
    expect(quarters).toHaveLength(90 * 96 + 48);
    const minutes = await world.candles('btc', 60);
    expect(minutes[0]).toEqual(saw(at('2026-03-02T12:15:00Z'), 60_000));
    expect(minutes.at(-1)).toEqual(saw(at('2026-03-04T12:06:00Z'), 60_000));
    expect(minutes).toHaveLength(2 * 1440 - 8);
    expect(await world.candles('btc', 86_400)).toHaveLength(90);
    expect((await listAssets(world.context.db))[0]?.percentage).not.toBeNull();
    expect(world.logged('historical candles read')).toHaveLength(LISTED.length);
  });

  test('that the exchange sends twice are read all the same', async () => {
    node.market.candle = sawCandle;
    node.market.sendsTwice = true;
    world = await begin({}, '2026-03-04T12:07:20Z');
    await world.run(12);
    expect(world.logged('historical candles read')).toHaveLength(LISTED.length);
    expect(await world.candles('btc', 900)).toHaveLength(90 * 96 + 48);
  });

  test('of a coin that cannot be stored hold up neither those of others nor prices', async () => {
    node.market.candle = (base, openMs, stepMs) => {
      const [open, high, low, close, coins, dollars] = sawCandle(base, openMs, stepMs);
      return [open, high, low, close, base === 'btc' ? '-1' : coins, dollars];
    };
    world = await begin();
    for (let passed = 0; passed < 12; passed += 1) await world.beat(0.75).catch(() => {});
    expect(await world.candles('eth', 900)).toHaveLength(90 * 96 + 48);
    expect((await world.find('eth'))?.mark?.price).toBe('3000');
  });

  test('fill in a downtime, and candles already stored stay as they are', async () => {
    for (const seconds of [0, 40, 40, 40]) await world.beat(seconds);
    const before = await world.candles('btc', 60);
    expect(before.map((candle) => candle.at.toISOString().slice(11, 16))).toEqual(['12:00', '12:01']);
    node.market.candle = (base, openMs, stepMs) =>
      openMs < at('2026-03-04T12:00:00Z') ? null : sawCandle(base, openMs, stepMs);

    // Another process, which knows only what is stored.
    const { context, clock } = world;
    clock.set('2026-03-04T13:40:10Z');
    node.market.now = () => clock.now().getTime();
    const second = await startExchangePrices(LISTED);
    second.market.now = node.market.now;
    second.market.candle = node.market.candle;
    const restarted = { ...context, config: testConfig({ ...env(), CCXT_URL: second.url }) };
    await prepareMarket(restarted);
    for (let beat = 0; beat < 8; beat += 1) await world.beatOf(restarted, 0.75);
    await second.close();
    const minutes = await world.candles('btc', 60);
    // The minute of the crash was still forming, and closed with what it had.
    expect(minutes.slice(0, 2)).toEqual(before);
    expect(minutes[3]).toEqual(saw(at('2026-03-04T12:03:00Z'), 60_000));
    expect(minutes.at(-1)).toEqual(saw(at('2026-03-04T13:39:00Z'), 60_000));
    expect(minutes).toHaveLength(100);
    const quarters = await world.candles('btc', 900);
    const opened = ['12:00', '12:15', '12:30', '12:45', '13:00', '13:15'];
    expect(quarters.map((candle) => candle.at.toISOString().slice(11, 16))).toEqual(opened);
    expect(quarters[0]?.open).toBe(60_000);
    const ticks = await world.ticks('btc', '2026-03-04T12:03:00Z');
    expect(ticks.every((tick) => tick.at > new Date('2026-03-04T13:40:00Z'))).toBe(true);
  });

  test('fill in the time in which one pair alone was not listed, which has prices again within an hour', async () => {
    await world.run(10);
    const sol = pair('sol');
    node.market.pairs.delete('SOLUSDT');
    await world.run(20);
    for (let beat = 0; beat < 40; beat += 1) await world.beat(100);
    node.market.pairs.set('SOLUSDT', sol);
    node.market.candle = sawCandle;
    world.logged('');
    for (let beat = 0; beat < 36; beat += 1) await world.beat(100);
    await world.run(10);
    expect(world.logged('historical candles read')).toMatchObject([{ symbol: 'sol', from: START }]);
    const minutes = (await world.candles('sol', 60)).map((candle) => candle.at.toISOString().slice(11, 16));
    expect(minutes).toEqual(expect.arrayContaining(['12:10', '12:30', '13:00']));
    expect(await world.find('sol')).toMatchObject({ stale: false });
  });
});

test.each([
  ['a day', 24 * 3600],
  ['half an hour', 1800],
])(
  'a computer’s clock that jumps %s ahead does not take the market along, which continues once it is right',
  async (_, ahead) => {
    for (const seconds of [0, 40]) await world.beat(seconds);
    const { context, clock, beat } = world;
    const reached = await getMarketTime(context.db);
    clock.advance(ahead);
    node.market.now = () => clock.now().getTime() - ahead * 1000;
    for (let beats = 0; beats < 3; beats += 1) await beat(5);
    expect(await getMarketTime(context.db)).toEqual(reached);
    clock.advance(-ahead);
    node.market.now = () => clock.now().getTime();
    for (let beats = 0; beats < 3; beats += 1) await beat(5);
    expect(await getMarketTime(context.db)).toEqual(clock.now());
    expect((await world.ticks('btc', reached.toISOString())).at(-1)?.at.getTime()).toBeGreaterThan(
      clock.now().getTime() - 10_000,
    );
  },
);

test('nor with prices that the exchange dates a day ahead of that', async () => {
  await world.beat(0);
  const { context, clock, beat } = world;
  const reached = await getMarketTime(context.db);
  clock.advance(24 * 3600);
  node.market.now = () => clock.now().getTime() + 24 * 3_600_000;
  for (let beats = 0; beats < 3; beats += 1) await beat(5);
  expect(await getMarketTime(context.db)).toEqual(reached);
});

describe('an invalid configuration', () => {
  const prepare = (more: Record<string, string>) => beginLive(database, START, { ...env(), ...more });

  test.each([
    ['an unknown exchange', { CCXT_EXCHANGE: 'mtgox' }, 'CCXT_EXCHANGE: ccxt knows no exchange mtgox'],
    [
      'the sandbox of an exchange without one',
      { CCXT_EXCHANGE: 'kraken', CCXT_SANDBOX: '1' },
      'CCXT_SANDBOX: kraken has no sandbox',
    ],
  ])('is %s', async (_, more, message) => {
    await expect(prepare(more)).rejects.toThrow(new BadConfig(message));
  });

  test('is a new database while the exchange is unavailable; a later start does not need it', async () => {
    await world.beat(0);
    const { context } = world;
    await node.close();
    await prepareMarket(context);
    // Like another process, which has not read the list.
    await expect(prepare({ MARKET_SEED: 'another' })).rejects.toThrow(
      'MARKET_FEED: a new database needs the pairs that are listed.',
    );
  });

  test('is another exchange than the one the database began with', async () => {
    const context = { ...world.context, config: testConfig({ ...env(), CCXT_EXCHANGE: 'kraken' }) };
    await expect(prepareMarket(context)).rejects.toThrow('CCXT_EXCHANGE: this database was begun with binance');
  });
});
