import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inSnapshot, inTransaction } from '#server/db/tx.ts';
import { getHouseBalances, verifyLedger } from '#server/ledger/index.ts';
import { dailyResults, dailyResultsUnder, type MemberBatch } from '#server/trading/index.ts';
import { insertMemberBatch } from '#server/trading/session/book-session.ts';
import { replayMemberBatches } from '#server/trading/session/replay-session.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { checkIncomes } from '#test/income/check-incomes.ts';
import { executeBatch } from '#test/worlds/executed-batches.ts';
import { addTeam, carryOver, settleCarried, settleSession } from '#test/worlds/settled-session.ts';
import { afterTampering } from '#test/worlds/tamper.ts';
import { findDiscrepancy } from '../core/discrepancy.ts';
import { payDue } from '../periods/pay-due.ts';
import { dollars, even, moveClock, periodWorlds, read, writePlan } from '../periods/period-world.test-setup.ts';
import { listAllChecks } from '../reconciliation/reconcile.ts';
import { bonusTransfers, findBonusRun } from './bonus-world.test-setup.ts';
import { dryRunFeePlan } from './dry-run-fee-plan.ts';
import { replayBonuses } from './replay-session.ts';

const worlds = closeAfterAll(periodWorlds());
const [MONDAY, TUESDAY] = ['2026-03-02', '2026-03-03'] as const;

const collected = async (context: Context) => {
  const { trade_fees, performance_fees } = await getHouseBalances(context.db);
  return { trade_fees, performance_fees };
};
const findAll = async (tx: Tx) => (await listAllChecks(tx)).flatMap((check) => findDiscrepancy(check)?.message ?? []);
const findings = (context: Context) => inSnapshot(context.db, findAll);

/** 2 has 3. Fees of 0.04 and 0.04 on Monday, and 0.40 of a carried-over trade that gains 9.56 less 10 % on Tuesday. */
const context = await worlds.open(MONDAY);
await addTeam(context, [1n, 2n]);
const monday = await settleSession(context, MONDAY, [even(2n, 10), even(3n, 10)]);
const chunk = await carryOver(context, monday, [{ memberId: 3n, micros: dollars(100), trend: 'up' }]);
await moveClock(context, `${MONDAY}T17:30:00Z`);
await payDue(context);

test('the run of the session in which it opened leaves its fee where it is, and reconciles', async () => {
  expect(await findBonusRun(context, MONDAY)).toMatchObject({ state: 'done', trade_fees: 80_000n });
  expect(await collected(context)).toEqual({ trade_fees: 400_000n, performance_fees: 0n });
  expect(await findings(context)).toEqual([]);
});

test('only the fees of trades that are carried over may be left', async () => {
  const after = (statement: string) => afterTampering(context.db, [statement], findAll);
  expect(await after('update trading.trade set fee = fee - 1 where carried')).toContain(
    'undistributed trade fees is 400000, expected 399999',
  );
  expect(await after('delete from trading.trade where carried')).toContain(
    'undistributed trade fees is 400000, expected 0',
  );
});

test('the session in which it closes shares its fee, under its own plan, after its own execution cost', async () => {
  const planId = await writePlan(context, { trade_fee_bps: 100, performance_fee_bps: 2000 });
  const tuesday = await settleSession(context, TUESDAY, [even(3n, 10)], planId);
  await settleCarried(context, tuesday, chunk);
  await executeBatch(context, TUESDAY, -125_000n);
  // The sale of the carried-over position is a batch of Monday, booked on Tuesday.
  await executeBatch(context, MONDAY, -125_000n);
  await moveClock(context, `${TUESDAY}T17:30:00Z`);
  await payDue(context);
  expect(
    await read(context, sql`select session_day::text, fee from trading.trade where id > ${chunk.after} order by id`),
  ).toEqual([
    { session_day: TUESDAY, fee: 400_000n },
    { session_day: TUESDAY, fee: 100_000n },
  ]);
  expect(await findBonusRun(context, TUESDAY)).toMatchObject({
    state: 'done',
    trade_fees: 500_000n,
    performance_fees: 1_912_000n,
    execution_cost: 250_000n,
    trade_cost: 250_000n,
    referral_bonus: 50_000n,
  });
  // 2 did not trade that day, but is active because of Monday: a fifth of the half left by the execution cost.
  expect(await bonusTransfers(context)).toMatchObject({ [`bonus/${TUESDAY}/weekly-pool`]: 25_000n });
  expect(await collected(context)).toEqual({ trade_fees: 0n, performance_fees: 0n });
  expect(await findings(context)).toEqual([]);
  expect(await checkIncomes(context.db)).toEqual([]);
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('its fee is recalculated at the rate of the session in which it opened', async () => {
  const rates = { tradeBps: 100, performanceBps: 2000 };
  const [stored, replayed] = await inTransaction(context.db, async (tx) => {
    const block = { no: 0n, after: -1n, upTo: 4095n } satisfies MemberBatch;
    await insertMemberBatch(tx, TUESDAY, block, { after: 0n, upTo: 0n });
    const { rows } = await sql<{ hash: string }>`
      select encode(hash, 'hex') as hash from trading.booked_block where session_day = ${TUESDAY}::date`.execute(tx);
    return [rows.map(({ hash }) => hash), await replayMemberBatches(tx, TUESDAY, rates)];
  });
  expect(replayed).toEqual(stored);
  for (const day of [MONDAY, TUESDAY]) {
    const replay = await replayBonuses(context, day);
    expect([replay.replayedInputsHash, replay.replayedOutputsHash]).toEqual([replay.inputsHash, replay.outputsHash]);
  }
});

test('another plan changes the fees of the session, and not that which was collected before it', async () => {
  const columns = sql`member_id, volume, trade_fees, performance_fees`;
  const own = await read(context, sql`select ${columns} from (${dailyResults(TUESDAY)}) as r`);
  const rates = { tradeBps: 100, performanceBps: 2000 };
  expect(await read(context, sql`select ${columns} from (${dailyResultsUnder(TUESDAY, rates)}) as r`)).toEqual(own);
  const { actual, proposed } = await dryRunFeePlan(context, firstFeePlan);
  expect([actual.trade_fees, proposed.trade_fees]).toEqual([0.5, 0.44]);
  expect(proposed).toMatchObject({ execution_cost: 0.25, performance_fees: 0.956, pool_weekly: 0.019 });
});
