import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { openExchangeWorld, readBatches } from '#test/worlds/exchange-world.ts';
import { getTrade } from '../index.ts';

const world = closeAfterAll(
  await openExchangeWorld({
    candle: (_, at) => still(at < new Date('2026-03-05T14:00:00Z') ? '50000' : '60000'),
    dollars: 5000,
    minutes: 4000,
    symbols: ['btc'],
  }),
);

test('a trade whose fill is read only on the next day shows how it was sold itself, and not the sale of that day', async () => {
  await world.execute(1);
  await world.goTo('12:31:00');
  const { id } = await world.place({ amount: 1000 });
  world.node.interferences.push({ call: 'GET /api/v3/order', with: 'break' });
  await world.goTo('12:32:00', 1);
  expect(await readBatches(world.context)).toMatchObject([{ state: 'sent' }]);
  await world.goTo('05T12:20:05', 0);
  world.clock.advance(60);
  await world.execute(4);
  expect(await world.trade(id)).toMatchObject({ opened_at: '2026-03-05T12:20:05.000Z', state: 'settling' });
  await world.goTo('05T12:25:05');
  await world.goTo('05T12:31:05');
  expect(await world.trade(id)).toMatchObject({ state: 'settled', close_execution: { fill_price: 50_000 } });

  await world.place({ amount: 1000 });
  await world.goTo('05T14:01:00');
  for (const minute of ['25', '26', '27', '28', '29']) await world.goTo(`05T17:${minute}:05`);
  await world.goTo('05T17:30:05');
  const { trade, closing } = await getTrade(world.context, world.memberId, BigInt(id));
  expect(trade.close_execution).toMatchObject({ fill_price: 50_000 });
  expect(closing).toMatchObject({ execution: { fill: '50000' }, spread_bps: 10 });
  const other = (await world.trades()).find((one) => one.id !== id);
  expect(other).toMatchObject({ state: 'settled', close_execution: { fill_price: 60_000 } });
});
