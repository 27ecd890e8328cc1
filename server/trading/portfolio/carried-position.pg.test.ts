import { beforeAll, expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { refusals } from '#contract/refusals.ts';
import type { TradeFill } from '#contract/trading/trade-detail.ts';
import { inTransaction } from '#server/db/tx.ts';
import { changeSpread } from '#server/market/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { codeOf } from '#test/kit/at-once.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { openExchangeWorld } from '#test/worlds/exchange-world.ts';
import { writeFeePlan } from '#test/worlds/fee-plans.ts';
import { getSession, getTrade, redeemPlan } from '../index.ts';
import { closeTrade } from '../orders/close-trade.ts';
import { pausePlan } from '../plans/change-plan.ts';
import { requestExits } from '../plans/plan-trade-sql.ts';
import { setTradeStops } from '../stops/set-trade-stops.ts';
import { getPortfolio } from './get-portfolio.ts';
import { getWalletSummary } from './get-wallet.ts';

const world = closeAfterAll(
  await openExchangeWorld({
    candle: (_, at) => still(at < new Date('2026-03-06T14:00:00Z') ? '50000' : '51000'),
    dollars: 3000,
    minutes: 4000,
    symbols: ['btc', 'eth'],
  }),
);
let planId: string;

/** A plan's position that the exchange does not take back: the next session has come and gone without it. */
beforeAll(async () => {
  planId = (await world.createPlan({ amount: 1000, stop_loss: 50 })).id;
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
});

test('in the next session a position that was carried over is being closed: its member cannot change how', async () => {
  expect(await getSession(world.context)).toMatchObject({ state: 'open' });
  const [carried] = await world.trades();
  expect(carried).toMatchObject({ state: 'open', closing: true, closing_cause: null });
  const id = BigInt(carried?.id ?? 0);
  // It would be sold as it is anyway, and not by these.
  expect(await closeTrade(world.context, world.memberId, id)).toMatchObject({ closing: true, closing_cause: null });
  expect(await codeOf(setTradeStops(world.context, world.memberId, id, { take_profit: 5 }))).toBe('trade_not_open');
  expect((await getTrade(world.context, world.memberId, id)).events.map(({ kind }) => kind)).toEqual([
    'placed',
    'opened',
  ]);
  // Nor by its plan's strategy, or by the stop that it was placed with.
  await inTransaction(world.context.db, (tx) =>
    requestExits(
      tx,
      { after: 0n, upTo: id },
      [{ symbol: 'btc', strategy: 'session_hold', params: {} }],
      world.context.now(),
    ),
  );
  expect(await world.trade(`${id}`)).toMatchObject({ closing: true, closing_cause: null });
  const [position] = (await getPortfolio(world.context, world.memberId)).positions;
  expect(position).toMatchObject({ stops: { stop_loss: 50 }, distances: { stop_loss: null } });
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
  expect(await codeOf(redeemPlan(world.context, world.memberId, BigInt(planId)))).toBe('plan_in_session');
  // No session is under way.
  expect(refusals.plan_in_session[1]).toContain('or the plan’s trade is not settled yet');
  expect(await world.plan(planId)).toMatchObject({ state: 'active', redeemed: null });
  expect(await codeOf(pausePlan(world.context, world.memberId, BigInt(planId)))).toBe('done');
});

test('its page says what the exchange filled of it, whatever is sold at the close of the session in which it settles', async () => {
  const [carried] = await world.trades();
  const page = () => getTrade(world.context, world.memberId, BigInt(carried?.id ?? 0));
  const closing = async () => (await page()).closing;
  await writeFeePlan(world.context, { ...firstFeePlan, trade_fee_bps: 50, performance_fee_bps: 2000 });
  const { spread_bps: spreadBps } = (await page()).opening as TradeFill;
  const change = { symbol: 'btc', version: 1, spreadBps: 900, reason: 'test', operatorId: 1n, at: world.context.now() };
  await inTransaction(world.context.db, (tx) => changeSpread(tx, change));
  world.pair('btc').status = 'TRADING';
  world.clock.advance(3601);
  await world.restart();
  await world.goTo('06T12:30:05');
  await world.goTo('06T12:31:05');
  await world.goTo('06T12:32:05');
  expect((await closing())?.execution).toMatchObject({ fill: '50000' });
  world.clock.advance(2);
  const { id } = await world.place({ amount: 1000 });
  await world.goTo('06T12:40:05');
  for (const minute of ['25', '26', '27', '28', '29', '30']) await world.goTo(`06T17:${minute}:05`);
  expect(await world.trade(id)).toMatchObject({ state: 'settled', close_execution: { fill_price: 51_000 } });
  expect(await closing()).toMatchObject({ execution: { fill: '50000' }, mark: '49950', mark_source: 'stored' });
  // Its fee was taken in the session in which it opened, the performance fee where it settled.
  expect(await page()).toMatchObject({ trade: { fee: 4 }, rates: { trade_bps: 40, performance_bps: 2000 } });
  // So was the spread.
  expect((await page()).opening).toMatchObject({ spread_bps: spreadBps });
});
