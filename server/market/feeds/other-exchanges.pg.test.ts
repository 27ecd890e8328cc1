import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { type FakeExchange, startExchange } from '#test/fake-servers/exchange.ts';
import { type ExchangePair, sawCandle } from '#test/fake-servers/exchange-market.ts';
import { listAssets } from '../assets/list-assets.ts';
import { getMarketTime } from '../clock/clock-sql.ts';
import { beginLive, type LiveWorld } from './live-world.test.fixture.ts';

const START = '2026-03-04T12:07:20.000Z';
const LISTED = ['btc', 'eos'];

const database = closeAfterAll(await openTestDatabase());

/** By exchange, its own names of Bitcoin and EOS, and the first quarter of an hour for which it still has a candle. */
const exchanges = {
  kraken: { names: ['XXBTZUSD', 'AUSD'], firstQuarter: '2026-02-25T00:15:00.000Z' },
  okx: { names: ['BTC-USDT', 'A-USDT'], firstQuarter: '2025-12-04T00:00:00.000Z' },
};

describe.each(Object.entries(exchanges))('at %s', (id, { names, firstQuarter }) => {
  let node: FakeExchange;
  let world: LiveWorld;
  const pair = (symbol: string) => node.market.pairs.get(node.nameOf(symbol)) as ExchangePair;

  beforeAll(async () => {
    node = await startExchange({}, id);
    for (const [name, { base }] of node.market.pairs) if (!LISTED.includes(base)) node.market.pairs.delete(name);
    const env = { MARKET_FEED: 'ccxt', CCXT_EXCHANGE: id, CCXT_URL: node.url, CCXT_RATE_LIMIT_MS: '1' };
    node.market.now = () => Date.parse(START);
    world = await beginLive(database, START, env);
    node.market.now = () => world.clock.now().getTime();
  });
  afterAll(() => node.close());

  test('prices arrive under its own names: EOS is A, in its own dollar', async () => {
    expect(LISTED.map(node.nameOf)).toEqual(names);
    pair('eos').lastPrice = '0.55';
    await world.beat(0);
    expect((await world.find('btc'))?.mark?.price).toBe('60000');
    expect((await world.find('eos'))?.mark?.price).toBe('0.55');
    const active = (await listAssets(world.context.db)).filter((asset) => asset.active);
    expect(active.map(({ symbol }) => symbol)).toEqual(LISTED);
    pair('eos').lastPrice = '0.56';
    await world.beat(5);
    expect((await world.ticks('eos')).map(({ price }) => price)).toEqual([0.55, 0.56]);
  });

  test('historical candles are those it has, as far back as it goes', async () => {
    await world.run(20);
    const sawAt = (symbol: string, openMs: number, stepMs: number) => {
      const [open, high, low, close] = sawCandle(symbol, openMs, stepMs).map(Number);
      return { at: new Date(openMs), open, high, low, close };
    };
    for (const symbol of LISTED) {
      const [quarters, minutes] = [await world.candles(symbol, 900), await world.candles(symbol, 60)];
      expect(quarters[0]).toMatchObject(sawAt(symbol, Date.parse(firstQuarter), 900_000));
      expect(quarters.at(-1)?.at).toEqual(new Date('2026-03-04T11:45:00Z'));
      expect(minutes.at(-1)).toMatchObject(sawAt(symbol, Date.parse('2026-03-04T12:06:00Z'), 60_000));
    }
  });

  test('a computer’s clock that jumps a day ahead does not take the market along', async () => {
    const { context, clock, beat } = world;
    await beat(5);
    const reached = await getMarketTime(context.db);
    clock.advance(24 * 3600);
    node.market.now = () => clock.now().getTime() - 24 * 3_600_000;
    for (let beats = 0; beats < 3; beats += 1) await beat(5);
    expect(await getMarketTime(context.db)).toEqual(reached);
    clock.advance(-24 * 3600);
    node.market.now = () => clock.now().getTime();
    await beat(5);
    expect(await getMarketTime(context.db)).toEqual(clock.now());
  });
});
