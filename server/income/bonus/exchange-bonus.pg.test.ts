import { expect, test } from 'vitest';
import { listValues } from '#server/db/rows.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { getHouseBalances, verifyLedger } from '#server/ledger/index.ts';
import { executionResult } from '#server/trading/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { checkIncomes } from '#test/income/check-incomes.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { findDuplicates, openExchangeWorld, readBatches, readHolding } from '#test/worlds/exchange-world.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { DAY } from '#test/worlds/trading-world.ts';
import { findDiscrepancy, getBalanceSheet, getSolvency, listAllChecks, replaySession, runMarket } from '../index.ts';
import { bonusTransfers, findBonusRun, listedLines } from './bonus-world.test-setup.ts';

const NOON = new Date(`${DAY}T14:00:00Z`);
/** Bitcoin does not move; Ethereum rises by 30 % in the afternoon. */
const priceOf = (symbol: string, at: Date) => (symbol === 'btc' ? '50000' : at < NOON ? '2000' : '2600');

const world = closeAfterAll(
  await openExchangeWorld({ candle: (symbol, at) => still(priceOf(symbol, at)), dollars: 20_000 }),
);
const { context, node } = world;

/** The house's result of each batch: markup and the gain or loss of the residual. */
const listResults = (): Promise<bigint[]> =>
  listValues(context.db)<bigint>`select signed from (${executionResult(DAY)}) as moved`;

test('a session played at the exchange takes what its residuals lost from its fees first, and shares what is left', async () => {
  const { ann } = world;
  const bob = await signUp(context, { name: 'Bob', email: 'bob@example.com', sponsorCode: ann.referralCode });
  await giveFunds(context, bob.memberId, 20_000_000_000n);
  // The exchange accepts no order for so little Ethereum, so the house owes it to the member.
  world.pair('eth').minNotional = '90.00000000';
  Object.assign(node.account.book, { slippageBps: 4n, pieces: 2 });
  const before = await inSnapshot(context.db, getBalanceSheet);
  await world.execute();
  await world.place({ tradeId: 'eth', amount: 80 });
  for (const memberId of [ann.memberId, bob.memberId]) await world.place({ amount: 5000 }, memberId);
  await world.goTo('13:00:00');
  expect(await readHolding(context, 'eth')).toMatchObject({ held: '0' });
  await world.goTo('14:30:00');
  await world.closeSession();
  expect((await readBatches(context)).every(({ state }) => state === 'booked')).toBe(true);
  for (let step = 0; step < 3; step += 1) await runMarket(context);

  const results = await listResults();
  const cost = -results.reduce((sum, result) => sum + result, 0n);
  // 24 dollars that the residual lost, less the markup.
  expect(cost).toBeGreaterThan(10_000_000n);
  expect(cost).toBeLessThan(24_000_000n);
  const run = await findBonusRun(context, DAY);
  expect(run).toMatchObject({ state: 'done', execution_cost: cost, trade_cost: cost, performance_cost: 0n });
  const fees = run?.trade_fees as bigint;
  expect(fees).toBe(40_320_000n);

  // A fifth of Bob's remaining fees goes to his sponsor.
  const line = (await listedLines(context, DAY)).find(
    (text) => text.includes('20000000 0 →') && text.startsWith(`${ann.memberId}/1`),
  );
  const bonus = (20_000_000n * (fees - cost) * 2000n) / (fees * 10_000n);
  expect(line).toContain(` → ${bonus} `);
  const moved = await bonusTransfers(context);
  expect(moved[`bonus/${DAY}/trade-cost`]).toBe(cost);
  const shared = Object.entries(moved).filter(([key]) => !/cost$|performance|profit/.test(key));
  expect(shared.reduce((sum, [, amount]) => sum + amount, 0n)).toBe(fees - cost);
  // The fees reimburse the house for the execution cost.
  expect((await getHouseBalances(context.db)).venue_result).toBe(0n);
  expect((await getSolvency(context)).sessions[0]).toMatchObject({ execution_cost: Number(cost) / 1e6 });

  const after = await inSnapshot(context.db, getBalanceSheet);
  const lost = results.filter((result) => result < 0n).reduce((sum, result) => sum - result, 0n);
  expect(after.surplus - before.surplus).toBeGreaterThanOrEqual(-lost);
});

test('it is the same when it is recalculated, and books, incomes and exchange agree', async () => {
  const replay = await replaySession(context, DAY);
  for (const { stored, replayed } of Object.values(replay) as { stored: string; replayed: string }[])
    expect(replayed).toBe(stored);
  expect(Object.values(replay)).toHaveLength(3);
  const checks = await inSnapshot(context.db, listAllChecks);
  expect(checks.flatMap((check) => findDiscrepancy(check) ?? [])).toEqual([]);
  expect(await checkIncomes(context.db)).toEqual([]);
  expect(await verifyLedger(context.db)).toEqual([]);
  expect(await findDuplicates(context, node)).toEqual([]);
});
