import { expect, test } from 'vitest';
import { verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { findDuplicates, openExchangeWorld } from '#test/worlds/exchange-world.ts';
import { closeTrade } from '../index.ts';

const world = closeAfterAll(
  await openExchangeWorld({ candle: () => still('50123.57'), dollars: 20_000, minutes: 2 * 1440 }),
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
});
