import { expect, test } from 'vitest';
import { verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { openExchangeWorld } from '#test/worlds/exchange-world.ts';
import { getPortfolio, redeemPlan } from '../index.ts';

const world = closeAfterAll(await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000 }));
const { context, node, memberId } = world;

test('what the exchange does not fill of a plan’s trade stays the plan’s: in its value, its sessions and when redeemed', async () => {
  await world.execute(1);
  const { id } = await world.createPlan({ amount: 2000, compounding: true });
  // 0.02 coins are 1 000 dollars: half of what the plan wants.
  node.account.book.coinsAPiece = '0.02';
  await world.goTo('12:31:00', 1);
  const [trade] = await world.trades();
  const part = trade?.amount ?? 0;
  expect(trade?.state).toBe('open');
  expect(part).toBeGreaterThan(1000);
  expect(part).toBeLessThan(1020);
  const during = await world.plan(id);
  expect(during.principal).toBe(2000);
  expect(during.value).toBeCloseTo(2000 + (trade?.live?.result ?? 0), 6);
  const shown = await getPortfolio(context, memberId);
  expect(shown.plans.map(({ value }) => value)).toEqual([during.value]);
  expect(shown.in_plans).toBe(during.value);

  node.account.book.coinsAPiece = '1';
  await world.goTo('15:30:00');
  await world.closeSession();
  const after = await world.plan(id);
  const left = Number((await world.balances()).investment) / 1e6;
  expect(left).toBeGreaterThan(1980);
  expect(after).toMatchObject({ principal: left, value: left });
  expect(after.sessions.map(({ value }) => value)).toEqual([left]);
  await redeemPlan(context, memberId, BigInt(id));
  expect(await world.plan(id)).toMatchObject({ redeemed: left });
  expect(await world.balances()).toMatchObject({ investment: 0n });
  expect(await verifyLedger(context.db)).toEqual([]);
});
