import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '#server/ledger/index.ts';
import { listMarket } from '#server/market/index.ts';
import { still } from '#test/recorded/recorded-market.ts';
import {
  type ExchangeWorld,
  findDuplicates,
  matchedFills,
  openExchangeWorld,
  readBatches,
} from '#test/worlds/exchange-world.ts';
import { closeTrade, reportVenue } from '../index.ts';
import { listTradable } from '../orders/list-trades.ts';
import { importStatement } from '../statement/import-statement.ts';

describe.each(['kraken', 'okx'])('at %s', (exchange) => {
  let world: ExchangeWorld;
  beforeAll(async () => {
    world = await openExchangeWorld({ exchange, candle: () => still('50000'), dollars: 20_000 });
  });
  afterAll(() => world.close());

  test('an asset that is not listed is in the market but cannot be traded, until it is listed again', async () => {
    const { context, node } = world;
    const eth = world.pair('eth');
    const tradable = async () => (await listTradable(context)).map(({ id }) => id);
    const listed = async () =>
      (await listMarket(context.db)).filter((pair) => pair.listed).map(({ apiname }) => apiname);
    expect(await tradable()).toEqual(['btc', 'eth']);
    node.market.pairs.delete(node.nameOf('eth'));
    await world.restart();
    await world.execute();
    expect(await tradable()).toEqual(['btc']);
    expect(await listed()).not.toContain('ethereum');
    await expect(world.place({ tradeId: 'eth', amount: 10 })).rejects.toMatchObject({ code: 'trade_not_selected' });
    node.market.pairs.set(node.nameOf('eth'), eth);
    await world.restart();
    world.clock.advance(61);
    await world.execute();
    expect(await tradable()).toEqual(['btc', 'eth']);
  });

  test('a session opens, closes and settles at its fills, and the exchange agrees with the ledger', async () => {
    const { context, node } = world;
    Object.assign(node.account.book, { slippageBps: 4n, pieces: 3 });
    const trade = await world.place({ amount: 10_000 });
    await world.place({ amount: 5000 });
    await world.goTo('13:00:00');
    expect(await readBatches(context)).toMatchObject([{ symbol: 'btc', state: 'booked', side: 'buy' }]);
    await closeTrade(context, world.memberId, BigInt(trade.id));
    await world.goTo('14:01:00');
    expect(await world.trade(trade.id)).toMatchObject({ state: 'settled', close_reason: 'close_now' });
    await world.closeSession();
    expect((await world.trades()).map(({ state }) => state)).toEqual(['settled', 'settled']);
    expect(await findDuplicates(context, node)).toEqual([]);
    expect(await verifyLedger(context.db)).toEqual([]);
    const { lines } = await reportVenue(context, world.venue);
    // The account began with a million dollars that no treasury move booked, and Kraken rounds a fill.
    expect(lines[0]?.coin).toBe(world.venue.dollar);
    expect(Number(lines[0]?.difference)).toBeCloseTo(1_000_000, 2);
    await importStatement(context, world.venue);
    expect(await matchedFills(context)).toEqual({ fills: 'all', open: 0 });
  });
});
