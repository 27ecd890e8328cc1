import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import type { Context } from '#server/context.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { getHouseBalances, verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { checkIncomes } from '#test/income/check-incomes.ts';
import { bookBatch, executeBatch, fillBatch } from '#test/worlds/executed-batches.ts';
import { addTeam, type SettledTrade } from '#test/worlds/settled-session.ts';
import { afterTampering } from '#test/worlds/tamper.ts';
import { findDiscrepancy } from '../core/discrepancy.ts';
import { dollars, even, periodWorlds, read } from '../periods/period-world.test-setup.ts';
import { findDiscrepancies, listAllChecks } from '../reconciliation/reconcile.ts';
import { bonusTransfers, findBonusRun, findQualification, listedLines, shareDay } from './bonus-world.test-setup.ts';
import { dryRunFeePlan } from './dry-run-fee-plan.ts';
import { replayBonuses } from './replay-session.ts';

const worlds = closeAfterAll(periodWorlds());
const DAY = '2026-03-04';
const up = (memberId: bigint, amount: number) => ({ memberId, micros: dollars(amount), trend: 'up' }) as const;

/**
 * 2 has 3, who has 4. Trade fees of 1 $ from 250 $ of 4, performance fees of 0.956 $ from 100 $ of 3, whose own fee is
 * 0.40 $.
 */
const trades: readonly SettledTrade[] = [even(2n, 50), up(3n, 100), even(4n, 250)];
const FEES = 1_600_000n;
const PERFORMANCE_FEES = 956_000n;

async function openWorld(): Promise<Context> {
  const context = await worlds.open('2026-03-03');
  await addTeam(context, [1n, 2n, 3n]);
  return context;
}

/** The fee accounts are empty, every check passes, and a replay gives the same result. */
async function expectSound(context: Context, ...days: string[]): Promise<void> {
  const { trade_fees, performance_fees } = await getHouseBalances(context.db);
  expect({ trade_fees, performance_fees }).toEqual({ trade_fees: 0n, performance_fees: 0n });
  const checks = await inSnapshot(context.db, listAllChecks);
  expect(checks.flatMap((check) => findDiscrepancy(check) ?? [])).toEqual([]);
  expect(await verifyLedger(context.db)).toEqual([]);
  expect(await checkIncomes(context.db)).toEqual([]);
  for (const day of days) {
    const replay = await replayBonuses(context, day);
    expect([replay.replayedInputsHash, replay.replayedOutputsHash]).toEqual([replay.inputsHash, replay.outputsHash]);
  }
}

async function share(results: readonly bigint[]): Promise<Context> {
  const context = await openWorld();
  for (const result of results) await executeBatch(context, DAY, result);
  await shareDay(context, DAY, trades);
  return context;
}

describe('what execution cost comes before every share', () => {
  test('a quarter of the trade fees: every share is of the other three', async () => {
    // The gain of one batch offsets the cost of others.
    const context = await share([-500_000n, 150_000n, 0n, -50_000n]);
    expect(await listedLines(context, DAY)).toEqual([
      '1/1 1 200000 0 → 0 0 (1) company',
      '1/2 1 400000 956000 → 0 0 (1) company',
      '1/3 1 1000000 0 → 0 0 (1) company',
      '2/1 1 400000 956000 → 60000 143400 (1)',
      '2/2 1 1000000 0 → 0 0 (1) directs',
      '3/1 1 1000000 0 → 150000 0 (1)',
    ]);
    expect(await bonusTransfers(context)).toEqual({
      'bonus/2026-03-04/monthly-pool': 120_000n,
      'bonus/2026-03-04/performance-revenue': PERFORMANCE_FEES - 143_400n,
      'bonus/2026-03-04/profit/2': 143_400n,
      'bonus/2026-03-04/referral/2': 60_000n,
      'bonus/2026-03-04/referral/3': 150_000n,
      'bonus/2026-03-04/rewards-pool': 60_000n,
      'bonus/2026-03-04/trade-cost': 400_000n,
      'bonus/2026-03-04/trade-revenue': 1_200_000n - 210_000n - 300_000n,
      'bonus/2026-03-04/weekly-pool': 120_000n,
    });
    // The month's limit is based on the actual contribution after the execution cost.
    expect(await findQualification(context, 3n)).toMatchObject({
      month_put_monthly: '750000000',
      month_put_rewards: '375000000',
    });
    // The house is where it was before the session: cost and charge are the same.
    expect((await getHouseBalances(context.db)).venue_result).toBe(0n);
    await expectSound(context, DAY);
  });

  test('more than all fees: nobody gets a share, and the house has lost what they did not cover', async () => {
    const context = await share([-10_000_000n]);
    expect(await bonusTransfers(context)).toEqual({
      'bonus/2026-03-04/performance-cost': PERFORMANCE_FEES,
      'bonus/2026-03-04/trade-cost': FEES,
    });
    expect(await findBonusRun(context, DAY)).toMatchObject({
      execution_cost: 10_000_000n,
      trade_cost: FEES,
      performance_cost: PERFORMANCE_FEES,
      team_profit: 0n,
    });
    expect((await getHouseBalances(context.db)).venue_result).toBe(-10_000_000n + FEES + PERFORMANCE_FEES);
    await expectSound(context, DAY);
  });

  test.each([
    ['nothing', []],
    ['as much as it gained', [-70n, 70n]],
    ['less than it gained', [-70n, 900_000n]],
  ])('%s: the session is the one that the paper venue leaves, hashes and all', async (_, results) => {
    const paper = await findBonusRun(await share([]), DAY);
    const context = await share(results);
    expect(await findBonusRun(context, DAY)).toEqual(paper);
    expect(paper).toMatchObject({
      execution_cost: 0n,
      inputs_hash: 'db06af1c9ac5d203ebb3184c94cbbe029dccb796c21c5d5a7d630ca0a9c7994b',
      outputs_hash: 'accf6df77da097e35d661b48d6cbac40ab876b4d6c0478a703e88372590b67d4',
    });
    await expectSound(context, DAY);
  });
});

describe('a batch is charged once, to the run of its session or the next', () => {
  test('one booked after its session was distributed is charged to the next', async () => {
    const context = await openWorld();
    const late = await fillBatch(context, DAY);
    await shareDay(context, DAY, trades);
    expect(await findBonusRun(context, DAY)).toMatchObject({ execution_cost: 0n });
    await bookBatch(context, late, { day: '2026-03-05', result: -300_000n });
    await executeBatch(context, '2026-03-05', -20_000n);
    // Of a session that is not settled yet.
    const next = await executeBatch(context, '2026-03-06', -1n);
    await shareDay(context, '2026-03-05', trades);
    expect(await findBonusRun(context, '2026-03-05')).toMatchObject({ execution_cost: 320_000n, trade_cost: 320_000n });
    expect(await read(context, sql`select id from trading.batch where charged_on is null`)).toEqual([{ id: next }]);
    await shareDay(context, '2026-03-06', trades);
    expect(await findBonusRun(context, '2026-03-06')).toMatchObject({ execution_cost: 1n });
    await expectSound(context, DAY, '2026-03-05', '2026-03-06');
  });

  test('what a hedge of before cost is no session’s', async () => {
    const context = await openWorld();
    await sql`
      select * from ledger.post_one(('hedge/1/x', 16, 7, 5000, 'venue_fee', 'hedge 1', now(), null, null)::ledger.draft)`.execute(
      context.db,
    );
    await shareDay(context, DAY, trades);
    expect(await findBonusRun(context, DAY)).toMatchObject({ execution_cost: 0n });
  });

  test('the database keeps a run from taking more or less than the cost, and a batch from two runs', async () => {
    const context = await share([-400_000n]);
    const change = (columns: string) =>
      sql`update income.bonus_run set ${sql.raw(columns)} where session_day = ${DAY}::date`.execute(context.db);
    await expect(change('trade_cost = trade_cost - 1, trade_revenue = trade_revenue + 1')).rejects.toMatchObject({
      constraint: 'bonus_run_cost_taken',
    });
    await expect(change('trade_cost = trade_cost + 1')).rejects.toMatchObject({
      constraint: expect.stringMatching(/^bonus_run_/),
    });
    await expect(sql`update trading.batch set charged_on = session_day - 1`.execute(context.db)).rejects.toMatchObject({
      constraint: 'batch_charged',
    });
  });
});

describe('a run does not end with', () => {
  const findAfter = (context: Context, statement: string) =>
    afterTampering(context.db, [statement], (tx) => findDiscrepancies(tx, { day: DAY }));

  test('a cost that was not taken, was taken from the wrong fees, or is none of its batches', async () => {
    const context = await share([-(FEES + 239_000n)]);
    const drop = (key: string) => findAfter(context, `delete from ledger.transfer where key = '${key}'`);
    expect(await findAfter(context, 'select 1')).toBeUndefined();
    expect(await drop(`bonus/${DAY}/trade-cost`)).toContain(
      `session ${DAY}: execution cost from trade fees is 0, expected 1600000`,
    );
    expect(await drop(`bonus/${DAY}/performance-cost`)).toContain(
      `session ${DAY}: execution cost from performance fees is 0, expected 239000`,
    );
    expect(await drop('batch/1/result')).toContain(`session ${DAY}: execution cost by batch is 0, expected 1839000`);
    expect(await findAfter(context, 'update trading.batch set charged_on = null')).toContain('execution cost by batch');
    const forged = `
      insert into ledger.transfer (from_account, to_account, amount, tx, market_at, created_at, reason, key, reference, hash)
      values (9, 16, 5, (select max(tx) from ledger.transfer), now(), now(), 'execution_cost', 'x', 'forged', '')`;
    expect(await findAfter(context, forged)).toContain('ledger: execution cost is 1839005, expected 1839000');
  });
});

test('a dry run charges the session’s cost to the fees that it computes', async () => {
  const context = await share([-2_000_000n]);
  const { actual, proposed, outputs_hash } = await dryRunFeePlan(context, firstFeePlan);
  expect(proposed).toEqual(actual);
  expect(outputs_hash).toBe((await findBonusRun(context, DAY)).outputs_hash);
  expect(actual).toMatchObject({ trade_fees: 1.6, performance_fees: 0.956, execution_cost: 2, referral_bonus: 0 });
  // Team profit is of the 0.556 that the cost of 2 leaves.
  expect(actual.team_profit).toBe(Number((956_000n * 1500n * 556_000n) / (956_000n * 10_000n)) / 1e6);
  const dearer = await dryRunFeePlan(context, { ...firstFeePlan, trade_fee_bps: 80, performance_fee_bps: 0 });
  expect(dearer.proposed).toMatchObject({ trade_fees: 3.2, performance_fees: 0, execution_cost: 2, pool_weekly: 0.12 });
  const none = await dryRunFeePlan(context, { ...firstFeePlan, trade_fee_bps: 0, performance_fee_bps: 0 });
  expect(none.proposed).toMatchObject({ execution_cost: 0, revenue: 0 });
});
