import { expect, test } from 'vitest';
import { verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { findDuplicates, openExchangeWorld } from '#test/worlds/exchange-world.ts';
import { Exact } from '../core/price.ts';
import { closeTrade, getTrade } from '../index.ts';

const world = closeAfterAll(
  await openExchangeWorld({
    candle: (_, at) => still(at < new Date('2026-03-05T00:00:00Z') ? '50123.57' : '51000'),
    dollars: 20_000,
    minutes: 2 * 1440,
  }),
);
const { context, node, memberId } = world;

test('the rest of a trade that the exchange sold in part, by an odd number of coins, is sold when it is carried over as well', async () => {
  await world.execute(1);
  const trades = [await world.place({ amount: 777 }), await world.place({ amount: 1234 })];
  await world.goTo('12:31:00');
  for (const { id } of trades) await closeTrade(context, memberId, BigInt(id));
  // What new trades buy is not sold at the exchange: dollars divided by a price.
  for (const amount of [111, 97]) trades.push(await world.place({ amount }));
  node.account.book.filledBps = 3333n;
  await world.goTo('12:32:00', 1);
  expect((await world.trades()).map(({ state }) => state)).toEqual(['open', 'open', 'open', 'settled']);
  node.account.book.filledBps = 10_000n;
  world.pair('btc').status = 'BREAK';
  await world.goTo('17:24:00');
  await world.closeSession();
  await world.goTo('05T12:29:00');
  await world.goTo('05T12:30:05');
  world.pair('btc').status = 'TRADING';
  world.clock.advance(300);
  await world.goTo('05T12:40:00', 10);
  expect((await world.trades()).map(({ state }) => state)).toEqual(trades.map(() => 'settled'));
  expect(await findDuplicates(context, node)).toEqual([]);
  expect(await verifyLedger(context.db)).toEqual([]);

  const details = await Promise.all(trades.map(({ id }) => getTrade(context, memberId, BigInt(id))));
  for (const { closing } of details) {
    const { fill, exchange_fee, markup } = closing?.execution ?? {};
    const price = new Exact(fill ?? 0).minus(exchange_fee ?? 0).minus(markup ?? 0);
    expect(price.toFixed()).toBe(new Exact(closing?.price ?? 0).toFixed());
  }
  // The second one was sold in part at the first price, with and without a fee, and its rest at the other.
  const fills = details.map(({ closing }) => Number(closing?.execution?.fill));
  expect(fills).toEqual([50_123.57, expect.any(Number), 51_000, 51_000]);
  expect(fills[1]).toBeGreaterThan(50_124);
  expect(fills[1]).toBeLessThan(50_999);
});
