import { expect, onTestFinished, test } from 'vitest';
import { still } from '#test/recorded/recorded-market.ts';
import { findDuplicates, openExchangeWorld, readHolding } from '#test/worlds/exchange-world.ts';
import { findVenueFunds } from './venue-funds.ts';
import { findVenueState } from './venue-state.ts';

test('a clock that was ahead and is put right keeps neither the exchange nor an asset waiting until the time it showed', async () => {
  const world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000 });
  onTestFinished(() => world.close());
  const { context, clock, node } = world;
  await world.execute(1);
  await world.goTo('12:31:00');
  const { id } = await world.place({ amount: 1000 });
  clock.advance(3600);
  node.account.balances.set('USDT', 0n);
  await world.goTo('12:32:00', 1);
  expect(await readHolding(context, 'btc')).toMatchObject({ rejections: 1 });
  await node.goAway();
  await world.execute(1);
  expect(await findVenueState(context.db)).toMatchObject({ state: 'down' });
  await node.comeBack();
  node.account.balances.set('USDT', 100_000_000_000_000n);
  clock.advance(-3600);
  await world.execute(30);
  expect(await findVenueState(context.db)).toMatchObject({ state: 'up' });
  expect((await findVenueFunds(context))?.freeAt?.getTime()).toBeLessThanOrEqual(clock.now().getTime());
  clock.advance(300);
  await world.execute(3);
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
});

test.each([30, -3600])(
  'a clock set by %d s while an order is unanswered neither buys it twice nor keeps it waiting',
  async (seconds) => {
    const world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000 });
    onTestFinished(() => world.close());
    const { context, clock, node } = world;
    node.market.now = clock.elapsed;
    await world.execute(1);
    await world.goTo('12:31:00');
    const { id } = await world.place({ amount: 1000 });
    node.interferences.push({ call: node.calls.send, with: 'delay' });
    await world.goTo('12:32:00', 1);
    clock.shift(seconds);
    await world.execute(3);
    node.deliverLate();
    await world.execute(15);
    expect(await world.trade(id)).toMatchObject({ state: 'open' });
    expect(node.account.orders).toHaveLength(1);
    expect(await findDuplicates(context, node)).toEqual([]);
  },
);
