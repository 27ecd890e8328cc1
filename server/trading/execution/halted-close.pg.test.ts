import { expect, onTestFinished, test } from 'vitest';
import { listRows } from '#server/db/rows.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { findDuplicates, openExchangeWorld, readBatches, readHolding } from '#test/worlds/exchange-world.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { closeTrade } from '../index.ts';

/** An open trade, and a purchase that the exchange refuses again and again for want of money. */
async function haltForLong() {
  const world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000 });
  onTestFinished(() => world.close());
  const { context, clock, node } = world;
  await makeOperator(context, 'finance');
  await world.execute(1);
  await world.goTo('12:31:00');
  const { id } = await world.place({ amount: 1000 });
  await world.goTo('12:32:00');
  const { id: waiting } = await world.place({ amount: 2000 });
  node.account.balances.set('USDT', 0n);
  await world.goTo('12:33:00', 0);
  for (let attempt = 0; attempt < 8; attempt += 1) {
    clock.advance(300);
    await world.execute(1);
  }
  expect(await readHolding(context, 'btc')).toMatchObject({ rejections: 8 });
  return { ...world, id, waiting };
}

test('a trade in an asset whose purchases are refused is closed within half a minute, whatever waits to be bought', async () => {
  const { context, clock, node, id, waiting, ...world } = await haltForLong();
  await world.goTo('13:00:00', 1);
  await closeTrade(context, world.memberId, BigInt(id));
  await world.goTo('13:01:00', 1);
  clock.advance(30);
  await world.execute(2);
  await world.goTo('13:02:00', 1);
  expect(await world.trade(id)).toMatchObject({ state: 'settled', close_reason: 'close_now' });
  expect(await world.trade(waiting)).toMatchObject({ state: 'queued' });
  // It stays halted for purchases, of which finance knows.
  expect(await readHolding(context, 'btc')).toMatchObject({ rejections: 9 });
  expect(await listRows(context.db)`select 1 from notify.mail where subject like '%is halted%'`).toHaveLength(1);
  expect(await findDuplicates(context, node)).toEqual([]);
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('an asset that was halted for long is sold at the close all the same, part by part', async () => {
  const { context, clock, id, ...world } = await haltForLong();
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
