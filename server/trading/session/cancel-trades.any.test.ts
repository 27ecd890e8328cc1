import { expect, test } from 'vitest';
import { listValues } from '#server/db/rows.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { freeze } from '#test/worlds/members.ts';
import { openWorldOfTest } from '#test/worlds/trading-world.ts';

test('a member is told which trades the system cancelled, why, and what came back', async () => {
  const world = await openWorldOfTest({
    minutes: 26 * 60,
    symbols: ['btc', 'eth', 'ltc'],
    // eth has no price in the session.
    candle: (symbol, at) => (symbol === 'eth' && at.toISOString().slice(11, 16) >= '12:25' ? null : still('100')),
  });
  const bob = await world.member('Bob');
  const told = (memberId: bigint) => listValues(world.context.db)<string>`
    select message from notify.notification where member_id = ${memberId} and kind = 'trade_cancelled' order by id`;
  await world.place({ amount: 100 });
  await world.place({ amount: 20.12345 });
  await world.place({ tradeId: 'ltc', amount: 5 });
  await world.createPlan({ amount: 50 });
  await world.place({ tradeId: 'eth', amount: 7 }, bob.memberId);
  await freeze(world.context, world.memberId);
  await world.play('12:31:00');
  expect(await told(world.memberId)).toEqual([
    '2 trades in BTC/USDT cancelled: your account was frozen. $120.1235 was returned.',
    '1 trade in LTC/USDT cancelled: your account was frozen. $5.00 was returned.',
  ]);
  await world.play('17:30:00');
  await world.play('17:31:00');
  expect(await told(bob.memberId)).toEqual([
    '1 trade in ETH/USDT cancelled: there was no price, or the exchange took no orders, in the whole session. $7.00 was returned.',
  ]);
  expect(await told(world.memberId)).toHaveLength(2);
});
