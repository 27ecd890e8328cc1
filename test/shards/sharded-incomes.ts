import { strict as assert } from 'node:assert';
import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { listRows, listValues } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getFeePlan } from '#server/fee-plans/index.ts';
import {
  addBonuses,
  findNextMember,
  insertBatch,
  payMembers,
  readBatches,
} from '#server/income/bonus/bonus-batch-sql.ts';
import {
  type BonusRun,
  findRun,
  insertOwnSums,
  insertRun,
  updateCollected,
  updateDone,
  updateLevel,
  updatePaid,
} from '#server/income/bonus/bonus-run-sql.ts';
import {
  type CollectedSums,
  clearSums,
  insertNextLevel,
  listTraderHashes,
  runSums,
  sumOwn,
} from '#server/income/bonus/level-sum-sql.ts';
import { hashOfLines } from '#server/income/bonus/waterfall-sql.ts';
import { weekOf } from '#server/income/core/periods.ts';
import { inputsText, outputsText } from '#server/income/core/run-digest.ts';
import { chargeExecution, houseTransfers, shareableOf, shareHouse } from '#server/income/core/waterfall.ts';
import { computePeriod } from '#server/income/periods/pay-period.ts';
import { sha256 } from '#server/income/sha256.ts';
import { post } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { batchOf, listSettledSessions } from '#server/trading/index.ts';
import { exchangeLevel, putRows, type Shard, type Shards, takeRows } from './shards.ts';

const LAST_LEVEL = 10;

/**
 * `payBonuses` across shards, by its own statements: each shard sums up its own traders, sends the sums of a level to
 * the shards of their recipients, and pays its own members out of its share of the house accounts. The house's part is
 * posted in one shard.
 *
 * @returns the digests of inputs and outputs, over all shards
 */
export async function shareBonuses(world: Shards, day: string): Promise<{ inputs: string; outputs: string }> {
  const { shards, coordinator } = world;
  const [home] = shards;
  await everywhere(world, async (tx) => {
    const session = (await listSettledSessions(tx, { limit: 10 })).find((one) => one.day === day);
    assert(session);
    await insertRun(tx, session, await getMarketTime(tx));
    await clearSums(tx);
  });
  for (let level = 0; level <= LAST_LEVEL; level += 1) {
    for (const shard of shards)
      await inTransaction(shard.context.db, async (tx) => {
        const run = await runOf(tx, day);
        await (level === 0 ? insertOwnSums(tx, run) : insertNextLevel(tx, runSums, level));
      });
    await exchangeLevel(world, level);
    await everywhere(world, (tx) => updateLevel(tx, day, level));
  }

  const run = await runOf(home.context.db, day);
  const plan = await getFeePlan(home.context.db, run.feePlanId);
  const sums = await addSums(shards);
  const charge = chargeExecution(sums, 0n);
  const shareable = shareableOf(sums, charge);
  const batches = await inTransaction(coordinator.context.db, (tx) => listTraderHashes(tx, runSums));
  const inputs = sha256(
    inputsText({ day, feePlanId: run.feePlanId, shares: plan, executionCost: charge.executionCost, batches }),
  );
  await everywhere(world, (tx) => updateCollected(tx, day, { ...sums, ...charge }, inputs));
  for (const { context } of shards) {
    const own = await runOf(context.db, day);
    let next = await findNextMember(context.db, own, 0n);
    while (next !== undefined) {
      const block = batchOf(next);
      await inTransaction(context.db, async (tx) => {
        assert(await insertBatch(tx, day, block));
        await payMembers(tx, own, block, plan, shareable);
      });
      next = await findNextMember(context.db, own, block.upTo);
    }
  }

  const bonuses = addBonuses(
    await Promise.all(
      shards.map(({ context }) => inTransaction(context.db, async (tx) => (await readBatches(tx, day)).bonuses)),
    ),
  );
  const house = shareHouse({ ...sums, ...charge }, bonuses, plan);
  await inTransaction(home.context.db, (tx) => post(tx, houseTransfers(run, house)));
  const lines = await hashLines(world, day);
  const outputs = sha256(outputsText({ day, batches: lines, ...sums, ...charge, ...bonuses, ...house }));
  await everywhere(world, async (tx) => {
    await updatePaid(tx, day, { ...bonuses, ...house }, outputs);
    await updateDone(tx, day, home.context.now(), true);
  });
  return { inputs, outputs };
}

/**
 * Computes the week's lines from all qualifications, and pays each in its member's shard. @returns the digest of the
 * lines
 */
export async function payWeek({ shards, coordinator, of }: Shards, day: string): Promise<string> {
  const { db } = coordinator.context;
  for (const { context } of shards)
    await putRows(db, 'income.standing', await takeRows(context.db, sql`select * from income.standing`));
  const week = weekOf(day);
  await computePeriod(coordinator.context, week);
  const lines = await listRows(db)<{ memberId: bigint; paid: bigint }>`
    select member_id as "memberId", paid from income.weekly_line where week = ${week.startsOn}::date and paid > 0 order by member_id`;
  const reference = `week ${week.startsOn}`;
  const marketAt = await getMarketTime(db);
  for (const { memberId, paid } of lines)
    await inTransaction(of(memberId).context.db, (tx) =>
      post(tx, [
        {
          key: `weekly/${week.startsOn}/${memberId}`,
          from: { class: 'pool_weekly' },
          to: { class: 'profit', memberId },
          amountMicros: paid,
          reason: 'weekly_income',
          reference,
          marketAt,
        },
      ]),
    );
  const rows = await listRows(db)<{ released: bigint; hash: string }>`
    select released, outputs_hash as hash from income.period_run where kind = 'weekly' and starts_on = ${week.startsOn}::date`;
  const [run] = rows;
  assert(run);
  if (run.released > 0n)
    await inTransaction(shards[0].context.db, (tx) =>
      post(tx, [
        {
          key: `weekly/${week.startsOn}/release`,
          from: { class: 'pool_weekly' },
          to: { class: 'fee_revenue' },
          amountMicros: run.released,
          reason: 'pool_release',
          reference,
          marketAt,
        },
      ]),
    );
  return run.hash;
}

/** Runs in every shard and the coordinator, which store the same row of the run. */
async function everywhere({ shards, coordinator }: Shards, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  for (const { context } of [...shards, coordinator]) await inTransaction(context.db, work);
}

async function runOf(db: Db, day: string): Promise<BonusRun> {
  const run = await findRun(db, day);
  assert(run);
  return run;
}

async function addSums(shards: readonly Shard[]): Promise<CollectedSums> {
  const all = await Promise.all(shards.map(({ context }) => inTransaction(context.db, (tx) => sumOwn(tx, runSums))));
  return all.reduce((sum, own) => ({
    tradedMembers: sum.tradedMembers + own.tradedMembers,
    volume: sum.volume + own.volume,
    tradeFees: sum.tradeFees + own.tradeFees,
    performanceFees: sum.performanceFees + own.performanceFees,
  }));
}

async function hashLines({ shards, coordinator }: Shards, day: string): Promise<string[]> {
  const { db } = coordinator.context;
  for (const { context } of shards)
    await putRows(
      db,
      'income.bonus_line',
      await takeRows(context.db, sql`select * from income.bonus_line where session_day = ${day}::date`),
    );
  return listValues(db)<string>`
    select encode(${hashOfLines}, 'hex') as hash from income.bonus_line where session_day = ${day}::date
    group by member_id / 4096 order by member_id / 4096`;
}
