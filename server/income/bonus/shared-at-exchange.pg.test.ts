import { expect, test } from 'vitest';
import { inSnapshot } from '#server/db/tx.ts';
import { getHouseBalances, verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/close-after-all.ts';
import { findDoubles, openExchangeWorld } from '#test/exchange-world.ts';
import { checkIncomes } from '#test/income/check-incomes.ts';
import { still } from '#test/recorded-market.ts';
import { findDiscrepancy } from '../core/discrepancy.ts';
import { payDue } from '../periods/pay-due.ts';
import { listAllChecks } from '../reconciliation/reconcile.ts';
import { findBonusRun } from './bonus-world.test-setup.ts';
import { replayBonuses } from './replay-session.ts';

const DAY = '2026-03-04';

/** Bitcoin rises from 50 000 to 53 000, Ether stands. */
const prices = (symbol: string, at: Date) =>
  symbol === 'btc' && at >= new Date(`${DAY}T13:30:00Z`) ? '53000' : '50000';
const world = closeAfterAll(
  await openExchangeWorld({ candle: (symbol, at) => still(prices(symbol, at)), dollars: 20_000 }),
);

test('the fees of a session at an exchange are shared less what its execution cost, and all of it comes out the same again', async () => {
  const { context, node } = world;
  // The larger trade alone is enough for an order: the house lacks the coins of the other while they rise.
  Object.assign(world.pair('btc'), { minNotional: '100' });
  await world.restart();
  await world.execute();
  const ben = await world.member('Ben');
  await world.place({ amount: 90 }, ben.memberId);
  await world.place({ tradeId: 'eth', amount: 2000 });
  await world.goTo('13:00:00');
  expect(node.account.orders.map(({ symbol }) => symbol)).toEqual(['ETHUSDT']);
  await world.goTo('14:00:00');
  await world.closeSession();
  const { trade_fees, venue_result } = await getHouseBalances(context.db);
  expect(trade_fees).toBe(8_360_000n);
  await payDue(context);
  const run = await findBonusRun(context, DAY);
  // The markup of both is less than what the coins cost that were missing.
  expect(venue_result).toBeLessThan(0n);
  expect(run).toMatchObject({
    state: 'done',
    trade_fees: 8_360_000n,
    execution_cost: -venue_result,
    trade_cost: -venue_result,
  });
  expect(await getHouseBalances(context.db)).toMatchObject({ trade_fees: 0n, performance_fees: 0n, venue_result: 0n });
  expect(await findDoubles(context, node)).toEqual([]);
  const checks = await inSnapshot(context.db, listAllChecks);
  expect(checks.flatMap((check) => findDiscrepancy(check) ?? [])).toEqual([]);
  expect(await checkIncomes(context.db)).toEqual([]);
  expect(await verifyLedger(context.db)).toEqual([]);
  const replay = await replayBonuses(context, DAY);
  expect([replay.replayedInputsHash, replay.replayedOutputsHash]).toEqual([replay.inputsHash, replay.outputsHash]);
});
