import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { post, reverse } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { DAY, openWorldOfTest } from '#test/worlds/trading-world.ts';
import { getPortfolio } from './get-portfolio.ts';

const time = (text: string) => new Date(`${DAY}T${text}Z`);

/** A trade is open, and closes at a price that comes at 17:41. */
async function openLateWorld() {
  const world = await openWorldOfTest({
    minutes: 26 * 60,
    candle: (_symbol, at) => (at >= time('17:20:00') && at < time('17:41:00') ? null : still('100')),
  });
  await world.place({ amount: 100 });
  return world;
}

test('money put in while a session settles late is no result of that session', async () => {
  const world = await openLateWorld();
  await world.play('17:35:00');
  await inTransaction(world.context.db, async (tx) =>
    post(tx, [
      {
        key: 'late',
        from: { class: 'gateway' },
        to: { memberId: world.memberId, class: 'primary' },
        amountMicros: 500_000_000n,
        reason: 'deposit',
        reference: 'D-1',
        marketAt: await getMarketTime(tx),
      },
    ]),
  );
  await world.play('17:50:00');
  const { equity, drawdown } = await getPortfolio(world.context, world.memberId);
  // 99.60 × 99.95 ÷ 100.05 = 99.500449…, of 100.
  expect(equity[0]).toMatchObject({ time: `${DAY}T17:30:00.000Z`, value: 999.500449, put_in: 1000 });
  expect(equity[1]).toMatchObject({ value: 1499.500449, put_in: 1500 });
  expect(drawdown.deepest_amount.amount).toBe(0.499551);
});

test('nor is what was corrected or reversed meanwhile, also of who had nothing before', async () => {
  const world = await openLateWorld();
  const { memberId } = await world.member('Late', 0);
  await world.play('17:35:00');
  const primary = { memberId, class: 'primary' } as const;
  await inTransaction(world.context.db, async (tx) => {
    const about = { reference: 'late', marketAt: await getMarketTime(tx) };
    const given = { key: 'given', from: { class: 'gateway' }, to: primary, amountMicros: 500_000_000n } as const;
    const taken = { key: 'taken', from: primary, to: { class: 'adjustments' }, amountMicros: 100_000_000n } as const;
    const [, , wrong] = await post(tx, [
      { ...about, ...given, reason: 'deposit' },
      { ...about, ...taken, reason: 'correction' },
      { ...about, ...taken, key: 'wrong', reason: 'correction' },
    ]);
    await reverse(tx, { ...about, key: 'reversed', transferId: wrong?.id as bigint });
  });
  await world.play('17:50:00');
  const { equity } = await getPortfolio(world.context, memberId);
  expect(equity.map(({ value, put_in }) => [value, put_in])).toEqual([
    [0, 0],
    [400, 500],
  ]);
});

test('the points of a recording that ended inside its session are in the order of time', async () => {
  const world = await openWorldOfTest({ minutes: 180, candle: () => still('100') });
  await world.place({ amount: 100 });
  await world.play('15:00:00');
  const { equity } = await getPortfolio(world.context, world.memberId);
  const times = equity.map(({ time: at }) => at);
  expect(times).toHaveLength(2);
  expect(times).toEqual(times.toSorted());
});
