import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { marketPairs, symbols } from '#contract/rules.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { type Coingecko, recordedOhlc, refusals, startCoingecko } from '#test/fake-servers/coingecko.ts';
import { listMarket } from '../assets/list-assets.ts';
import { advanceMarket, releaseMarket } from '../clock/advance-market.ts';
import { getMarketTime } from '../clock/clock-sql.ts';
import { prepareMarket } from '../clock/prepare-market.ts';
import { openCoingeckoSource } from './coingecko-source.ts';
import { getFeed } from './get-feed.ts';
import { beginLive, type LiveWorld } from './live-world.test.fixture.ts';
import { pollPrices } from './poll-prices.ts';

const START = '2026-03-04T12:00:00.000Z';
const ids = marketPairs.map(({ apiname }) => (apiname === 'bsv' ? 'bitcoin-cash-sv' : apiname));
const COINS = ids.length;
const seconds = (time: string) => Date.parse(`2026-03-04T${time}Z`) / 1000;

let node: Coingecko;
let world: LiveWorld;
const database = closeAfterAll(await openTestDatabase());
beforeEach(async () => {
  node = await startCoingecko();
  for (const id of ids) quote(id, 100, '11:59:30');
  world = await begin();
});
afterEach(() => node.close());

const begin = (env: Record<string, string> = {}, start = START) =>
  beginLive(database, start, { MARKET_FEED: 'coingecko', COINGECKO_URL: node.url, ...env });
const quote = (id: string, usd: unknown, time: string) =>
  node.prices.set(id, { usd, usd_24h_vol: 1_500_000.5, last_updated_at: seconds(time) });
const quoteAll = (usd: number, time: string) => {
  for (const id of ids) quote(id, usd, time);
};
const countPolls = () => node.calls.filter((call) => call.includes('/simple/price')).length;

describe('incoming prices', () => {
  test('of all coins are fetched in one call, by CoinGecko’s own ids, in dollars and with their time', async () => {
    await world.beat(0);
    expect(node.calls[0]).toBe(
      `/api/v3/simple/price?ids=${ids.join(',')}&vs_currencies=usd&include_24hr_vol=true&include_last_updated_at=true`,
    );
    const assets = await Promise.all(symbols.map(world.find));
    expect(assets.map((asset) => asset?.mark?.price)).toEqual(symbols.map(() => '100'));
    expect(assets.every((asset) => asset?.active && !asset.stale)).toBe(true);
    expect(await world.ticks('btc')).toEqual([{ price: 100, at: new Date('2026-03-04T12:00:00.001Z') }]);
  });

  test('are live: no label, speed 1, market time is real time and cannot be skipped', async () => {
    const { context, clock, beat } = world;
    await beat(0);
    const live = { kind: 'coingecko', label: null, speed: 1, stale: false, ended: false };
    expect(await getFeed(context)).toEqual({ ...live, at: clock.now().toISOString() });
    await advanceMarket(context, { elapsedMs: 2000, skipTo: new Date('2026-03-05T12:20:00Z') });
    expect(await getMarketTime(context.db)).toEqual(clock.now());
  });

  test('carry the 24-hour volume; the volume of a candle is unknown', async () => {
    await world.beat(0);
    quoteAll(103, '12:04:30');
    await world.beat(300);
    await world.beat(300);
    const [btc] = await listMarket(world.context.db);
    expect(btc).toMatchObject({ rate: 103, volume_24h: 1_500_000.5 });
    expect(await world.candles('btc', 300)).toEqual([
      { at: new Date(START), open: 100, high: 100, low: 100, close: 100, volume: null },
      { at: new Date('2026-03-04T12:05:00Z'), open: 103, high: 103, low: 103, close: 103, volume: null },
    ]);
  });

  test('wait, after the system clock is set back, until it has caught up', async () => {
    const { context, clock, beat } = world;
    await beat(0);
    const reached = clock.now();
    clock.advance(-60);
    await beat(0);
    expect(await getMarketTime(context.db)).toEqual(reached);
    await beat(90);
    expect(await getMarketTime(context.db)).toEqual(clock.now());
  });
});

describe('the poll interval', () => {
  test('stays inside a demo key’s 10 000 calls in the longest month, history included', async () => {
    const callsAMonth = (31 * 86_400) / world.context.config.market.coingecko.pollSeconds;
    expect(callsAMonth + COINS * 2).toBeLessThan(10_000);
    for (let minute = 0; minute < 60; minute += 1) {
      quoteAll(100, `12:${String(minute).padStart(2, '0')}:30`);
      await world.beat(59.75);
    }
    expect(countPolls()).toBe(12);
  });

  test('never makes a price stale by itself', async () => {
    for (let minute = 0; minute < 30; minute += 5) {
      quoteAll(100, `12:${String(minute).padStart(2, '0')}:00`);
      await world.beat(minute === 0 ? 0 : 299.75);
      expect((await world.find('btc'))?.stale).toBe(false);
    }
  });

  test('of a paid key is what is configured, and the key goes into the header of its plan', async () => {
    world = await begin({ COINGECKO_POLL_SECONDS: '10', COINGECKO_API_KEY: 'CG-demo' });
    node.calls.length = 0;
    await world.run(30);
    expect(countPolls()).toBe(3);
    expect(node.lastKeys).toEqual({ demo: 'CG-demo', paid: undefined });
  });

  test('keeps the loading of history below 30 calls a minute', async () => {
    await world.run(60);
    expect(node.calls.length).toBeGreaterThan(10);
    expect(node.calls.length).toBeLessThanOrEqual(30);
  });
});

describe('an unavailable source', () => {
  test('is left alone for as long as it asks, and then polled again', async () => {
    node.fault = refusals.rateLimit;
    await world.beat(0);
    expect(world.logged('price request failed')).toMatchObject([
      { reason: expect.stringContaining('429'), pauseMs: 53_000, failures: 1 },
    ]);
    node.fault = null;
    await world.beat(52);
    expect(node.calls).toHaveLength(1);
    await world.beat(1);
    expect(node.calls).toHaveLength(2);
    expect((await world.find('btc'))?.mark?.price).toBe('100');
  });

  test('is polled after growing pauses, and at the normal interval once it answers', async () => {
    node.fault = refusals.serverError;
    const askedAfter: number[] = [];
    for (let second = 0; second < 200; second += 1) {
      const before = node.calls.length;
      await world.beat(0.75);
      if (node.calls.length > before) askedAfter.push(second);
    }
    expect(askedAfter).toEqual([0, 5, 15, 35, 75, 155]);
    node.fault = null;
    await world.beat(300);
    node.fault = refusals.serverError;
    await world.beat(300);
    expect(world.logged('price request failed').at(-1)).toMatchObject({ failures: 1, pauseMs: 5000 });
  });

  test.each([
    ['answers with a rate limit and 200', () => refusals.rateLimitWith200, 'exceeded the Rate Limit'],
    ['refuses the key', () => refusals.keyMissing, 'API Key Missing'],
    ['refuses the period', () => refusals.tooFarBack, 'exceeds the allowed time range'],
    ['fails', () => refusals.serverError, '500'],
    ['answers with an HTML page', () => ({ text: '<html>blocked</html>' }), 'something else than prices'],
    ['answers with NaN in its JSON', () => ({ text: '{"bitcoin":{"usd":NaN}}' }), 'something else than prices'],
    ['answers with a list', () => ({ text: '[1,2]' }), 'something else than prices'],
  ])('that %s moves no price', async (_, fault, reason) => {
    await world.beat(0);
    node.fault = fault();
    quoteAll(1, '12:05:00');
    await world.beat(300);
    expect(world.logged('price request failed')).toMatchObject([{ reason: expect.stringContaining(reason) }]);
    expect(await world.find('btc')).toMatchObject({ mark: { price: '100' }, stale: false });
  });

  test('that cannot be reached makes its prices stale, and the next prices are fresh', async () => {
    await world.beat(0);
    node.fault = 'cut';
    for (let minute = 0; minute < 17; minute += 1) await world.beat(60);
    expect(world.logged('price request failed')[0]).toMatchObject({
      reason: 'CoinGecko did not answer (UND_ERR_SOCKET)',
    });
    expect((await world.find('btc'))?.stale).toBe(true);
    expect(await getFeed(world.context)).toMatchObject({ stale: true });
    expect(await world.ticks('btc')).toHaveLength(1);
    node.fault = null;
    quoteAll(102, '12:20:00');
    await world.beat(300);
    expect(await world.find('btc')).toMatchObject({ mark: { price: '102' }, stale: false });
  });
});

test('prices are stale once no worker has moved live market time for as long as a price is valid', async () => {
  const { context, clock, beat } = world;
  await beat(0);
  clock.advance(16 * 60);
  expect(await getFeed(context)).toMatchObject({ stale: false });
  clock.advance(60);
  expect(await getFeed(context)).toMatchObject({ stale: true });
});

test('a request to a source that never answers times out', async () => {
  node.fault = 'hang';
  const source = openCoingeckoSource(world.context.config.market.coingecko, 20);
  await expect(source.listQuotes(world.clock.now)).rejects.toThrow('CoinGecko did not answer (TimeoutError)');
});

test('a redirection is not followed: the key goes to the configured address alone', async () => {
  const other = await startCoingecko();
  node.fault = { status: 302, headers: { location: `${other.url}/simple/price` }, body: {} };
  const source = openCoingeckoSource({ ...world.context.config.market.coingecko, apiKey: 'CG-demo' });
  await expect(source.listQuotes(world.clock.now)).rejects.toThrow('CoinGecko did not answer');
  expect([node.lastKeys, other.lastKeys]).toEqual([{ demo: 'CG-demo', paid: undefined }, {}]);
  await other.close();
});

// core/price-guard.test.ts and core/play-quotes.test.ts check which prices are wrong, whatever their source.
describe('a wrong price', () => {
  beforeEach(() => world.beat(0));

  test.each([
    ['a text', '123', 'not_a_price'],
    ['more than half away', 151, 'absurd'],
  ])('that is %s is refused and logged, for this coin alone', async (_, usd, refusal) => {
    quoteAll(101, '12:04:50');
    quote('bitcoin', usd, '12:04:50');
    await world.beat(300);
    expect(world.logged('price refused')).toMatchObject([{ symbol: 'btc', refusal }]);
    expect((await world.find('btc'))?.mark?.price).toBe('100');
    expect((await world.find('eth'))?.mark?.price).toBe('101');
    expect((await world.ticks('btc')).map((tick) => tick.price)).toEqual([100]);
  });

  test('that has already expired is refused, so that a coin without new prices is stale', async () => {
    for (let poll = 1; poll < 6; poll += 1) await world.beat(300);
    quoteAll(101, '12:29:00');
    quote('bitcoin', 101, '12:10:00');
    await world.beat(300);
    expect(world.logged('price refused')).toMatchObject([{ symbol: 'btc', refusal: 'out_of_date' }]);
    expect(await world.find('btc')).toMatchObject({ mark: { price: '100' }, stale: true });
    expect((await world.find('eth'))?.stale).toBe(false);
  });

  test.each([
    ['a coin', (id: string) => node.prices.delete(id)],
    ['its price', (id: string) => node.prices.set(id, { usd: undefined, usd_24h_vol: 1, last_updated_at: 1 })],
    ['its price, being null', (id: string) => quote(id, null, '12:04:00')],
    ['its time', (id: string) => node.prices.set(id, { usd: 9, usd_24h_vol: 1, last_updated_at: null })],
  ])('that lacks %s is ignored: the coin gets no tick, is logged once, and alone becomes stale', async (_, drop) => {
    drop('bitcoin-cash-sv');
    for (let poll = 1; poll <= 4; poll += 1) {
      for (const id of ids.filter((id) => id !== 'bitcoin-cash-sv'))
        quote(id, 100 + poll, `12:${String(poll * 5).padStart(2, '0')}:00`);
      await world.beat(300);
    }
    expect(world.logged('assets without a price')).toMatchObject([{ missing: ['bsv'] }]);
    expect(await world.find('bsv')).toMatchObject({ mark: { price: '100' }, stale: true });
    expect(await world.find('btc')).toMatchObject({ mark: { price: '104' }, stale: false });
    expect(await world.ticks('bsv')).toHaveLength(1);
  });
});

test.each([{ entry: null }, { entry: [] }])(
  '$entry as an entry leaves only its own coin without a price',
  async ({ entry }) => {
    const now = { usd: 100, usd_24h_vol: 1, last_updated_at: seconds('11:59:30') };
    const body = Object.fromEntries(ids.map((id) => [id, id === 'eos' ? entry : now]));
    node.fault = { text: JSON.stringify(body) };
    await world.beat(0);
    expect(world.logged('assets without a price')).toMatchObject([{ missing: ['eos'] }]);
    expect((await world.find('btc'))?.mark?.price).toBe('100');
  },
);

test('a historical price that is null is left out; the others are read', async () => {
  const at = (time: string) => seconds(time) * 1000;
  const prices = Object.entries({ '11:40:00': 7, '11:46:00': null, '11:51:00': 9 });
  node.fault = { text: JSON.stringify({ prices: prices.map(([time, price]) => [at(time), price]) }) };
  const source = openCoingeckoSource(world.context.config.market.coingecko);
  const candles = await source.listPast('btc', at('11:30:00'), at('12:00:00'));
  expect(candles.map(({ atMs, close }) => [atMs, close])).toEqual([
    [at('11:40:00'), 7],
    [at('11:50:00'), 9],
  ]);
});

describe('historical prices', () => {
  const RECORDED = '2021-05-15T15:34:00Z';
  const quoteRecorded = () => {
    for (const id of ids)
      node.prices.set(id, { usd: 48_900, usd_24h_vol: 1, last_updated_at: Date.parse(RECORDED) / 1000 });
  };

  test('of a new database are the last day in five-minute steps and whole days before it, by their closing times', async () => {
    quoteRecorded();
    world = await begin({}, RECORDED);
    await world.run(100);
    const fine = await world.candles('btc', 300);
    // The recording’s first two points, at 14:45:19 and 14:50:36, and its last full step.
    const [open, high, low, close] = Array<number>(4).fill(50675.2580733708);
    expect(fine[0]).toEqual({ at: new Date('2021-05-14T14:45:00Z'), open, high, low, close, volume: null });
    expect(fine.filter((candle) => candle.at < new Date('2021-05-15T14:40:00Z')).length).toBeGreaterThan(270);
    const [firstDay, ...others] = await world.candles('btc', 86_400);
    // Six rows that close from 04:00 to 24:00 on 9 May; the row of 8 May alone makes no day.
    const rows = recordedOhlc.filter(([closes]) => closes > Date.UTC(2021, 4, 9) && closes <= Date.UTC(2021, 4, 10));
    expect(firstDay).toEqual({
      at: new Date('2021-05-09T00:00:00Z'),
      open: rows[0]?.[1],
      high: Math.max(...rows.map((row) => row[2])),
      low: Math.min(...rows.map((row) => row[3])),
      close: rows[5]?.[4],
      volume: null,
    });
    expect(others.map((day) => day.at.toISOString().slice(8, 10))).toEqual(['10', '11', '12', '13', '14']);
    expect((await world.candles('btc', 900)).length).toBeGreaterThan(90);
    expect(await world.candles('bsv', 86_400)).toHaveLength(6);
  });

  test('are fetched once, and again after a long outage; stored prices stay', async () => {
    quoteRecorded();
    world = await begin({}, RECORDED);
    await world.run(100);
    const asked = node.calls.length;
    expect(asked).toBe(1 + COINS * 2);
    await world.run(60);
    expect(node.calls).toHaveLength(asked);

    node.fault = refusals.serverError;
    await world.beat(1200);
    node.fault = null;
    const taken = await world.candles('btc', 300);
    for (const price of node.prices.values()) price.last_updated_at = Date.parse(RECORDED) / 1000 + 1500;
    await world.beat(300);
    await world.run(100);
    expect(node.calls.filter((call) => call.includes('market_chart'))).toHaveLength(COINS + COINS);
    expect(node.calls.filter((call) => call.includes('ohlc'))).toHaveLength(COINS);
    expect((await world.candles('btc', 300)).slice(0, taken.length)).toEqual(taken);
  });

  test('of a delisted coin delay no other coin, and take few calls of the plan', async () => {
    quoteRecorded();
    node.prices.delete('eos');
    world = await begin({}, RECORDED);
    await world.run(3600);
    expect(await world.candles('bsv', 86_400)).toHaveLength(6);
    expect(countPolls()).toBe(12);
    // After 5 s, 10 s and so on: ten in the first hour.
    expect(node.calls.filter((call) => call.includes('/coins/eos/'))).toHaveLength(10);
    expect(world.logged('historical candles not read').at(-1)).toMatchObject({ symbol: 'eos', failures: 10 });
  });

  test('wait, like current prices, for as long as the source asks', async () => {
    await world.beat(0);
    node.fault = refusals.rateLimit;
    await world.beat(5);
    expect(world.logged('historical candles not read')).toMatchObject([{ pauseMs: 53_000 }]);
    await world.run(52);
    expect(node.calls).toHaveLength(2);
  });

  test('that cannot be read stay missing, and prices continue', async () => {
    await world.run(20);
    expect(world.logged('historical candles read')).not.toEqual([]);
    expect((await world.find('btc'))?.stale).toBe(false);
    expect(await world.candles('btc', 86_400)).toEqual([]);
  });
});

describe('several processes', () => {
  test('poll once: only the one that holds the clock', async () => {
    await world.beat(0, 'first');
    expect(countPolls()).toBe(1);
    await world.beat(1, 'second');
    for (let minute = 0; minute < 10; minute += 1) {
      await world.beat(30, 'first');
      await world.beat(0.1, 'second');
    }
    expect(countPolls()).toBe(2);
  });

  test('do not confirm an absurd price with the same one, that the next holder of the clock fetches again', async () => {
    const { config } = world.context;
    const coingecko = { ...config.market.coingecko, pollSeconds: 299 };
    const other = { ...world.context, config: { ...config, market: { ...config.market, coingecko } } };
    await world.beat(0, 'first');
    quoteAll(101, '12:04:50');
    quote('bitcoin', 100_000, '12:04:50');
    await world.beat(300, 'first');
    await releaseMarket(world.context, 'first');
    await world.beatOf(other, 5, 'second');
    expect(await world.find('btc')).toMatchObject({ mark: { price: '100' } });
    quote('bitcoin', 101, '12:10:00');
    await world.beatOf(other, 301, 'second');
    expect(await world.find('btc')).toMatchObject({ mark: { price: '101' } });
    expect((await world.ticks('btc')).map(({ price }) => price)).toEqual([100, 101]);
  });

  test('poll nothing before one of them holds the clock, or without a market', async () => {
    await pollPrices(world.context);
    expect(node.calls).toEqual([]);
  });
});

test('the server starts without its source, with stale prices', async () => {
  await world.beat(0);
  await node.close();
  await prepareMarket(world.context);
  expect((await world.find('btc'))?.mark?.price).toBe('100');
});
