import { beforeAll, expect, test } from 'vitest';
import { refusals } from '#contract/refusals.ts';
import { closeAfterAll } from '#test/close-after-all.ts';
import { openExchangeWorld } from '#test/exchange-world.ts';
import { still } from '#test/recorded-market.ts';
import { codesOf } from '#test/trading-world.ts';
import { getSession, redeemPlan } from '../index.ts';
import { pausePlan } from '../plans/change-plan.ts';
import { getPortfolio } from './get-portfolio.ts';
import { getWalletSummary } from './get-wallet.ts';

const world = closeAfterAll(
  await openExchangeWorld({ candle: () => still('50000'), dollars: 3000, minutes: 4000, symbols: ['btc', 'eth'] }),
);
let planId: string;

/** A plan's position that the exchange does not take back: the next session has come and gone without it. */
beforeAll(async () => {
  planId = (await world.createPlan({ amount: 1000 })).id;
  await world.execute(1);
  await world.goTo('12:31:00');
  await world.goTo('12:32:00');
  world.pair('btc').status = 'BREAK';
  // Terms are asked again after an hour.
  world.clock.advance(3601);
  await world.restart();
  await world.closeSession();
  await world.goTo('05T12:30:05');
  await world.goTo('05T12:31:05');
  await world.goTo('05T17:30:05');
  await world.goTo('05T18:00:00');
});

test('between sessions a position that was carried over is worth what selling it now would give', async () => {
  expect(await getSession(world.context)).toMatchObject({ state: 'closed' });
  expect(await world.trades()).toMatchObject([{ state: 'open', live: { price: 50_000 } }]);
  const [{ live } = { live: null }] = await world.trades();
  const portfolio = await getPortfolio(world.context, world.memberId);
  expect(portfolio).toMatchObject({ net_worth: 3000 + (live?.result ?? 0), positions: [{ live }] });
  expect(await getWalletSummary(world.context.db, world.memberId)).toEqual(portfolio.summary);
  expect((await world.plan(planId)).value).toBe(1000 + (live?.result ?? 0));
});

test('its plan keeps until it is sold what it has in it', async () => {
  const change = (call: Promise<unknown>) => Promise.allSettled([call]).then(codesOf);
  expect(await change(redeemPlan(world.context, world.memberId, BigInt(planId)))).toEqual(['plan_in_session']);
  // No session is under way.
  expect(refusals.plan_in_session[1]).toContain('or the plan’s trade is not settled yet');
  expect(await world.plan(planId)).toMatchObject({ state: 'active', redeemed: null });
  expect(await change(pausePlan(world.context, world.memberId, BigInt(planId)))).toEqual([]);
});
