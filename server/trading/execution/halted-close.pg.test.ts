import { expect, onTestFinished, test } from 'vitest';
import { verifyLedger } from '#server/ledger/index.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { openExchangeWorld, readBatches, readHolding } from '#test/worlds/exchange-world.ts';

test('an asset that was halted for long is sold at the close all the same, part by part', async () => {
  const world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000 });
  onTestFinished(() => world.close());
  const { context, clock, node } = world;
  await world.execute(1);
  await world.goTo('12:31:00');
  const { id } = await world.place({ amount: 1000 });
  await world.goTo('12:32:00');
  await world.place({ amount: 1000 });
  node.account.balances.set('USDT', 0n);
  await world.goTo('12:33:00', 0);
  for (let attempt = 0; attempt < 8; attempt += 1) {
    clock.advance(300);
    await world.execute(1);
  }
  expect(await readHolding(context, 'btc')).toMatchObject({ rejections: 8 });
  for (const minute of ['25', '26', '27', '28', '29']) {
    await world.goTo(`17:${minute}:05`);
    clock.advance(57);
  }
  const sold = (await readBatches(context)).filter(({ kind }) => kind === 'close');
  expect(sold.map(({ state }) => state)).toEqual(['booked', 'booked', 'booked', 'booked']);
  await world.goTo('17:30:05');
  await world.goTo('17:30:10');
  expect(await world.trade(id)).toMatchObject({ state: 'settled' });
  expect(await verifyLedger(context.db)).toEqual([]);
});
