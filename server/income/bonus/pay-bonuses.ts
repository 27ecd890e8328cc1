import assert from 'node:assert';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inBatchTransaction, inTransaction, runWorkers } from '#server/db/tx.ts';
import { type FeePlan, getFeePlan } from '#server/fee-plans/index.ts';
import { post } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { notifyMembers } from '#server/notify/index.ts';
import {
  batchOf,
  chargeBatches,
  getExecutionResult,
  type MemberBatch,
  type SettledSession,
} from '#server/trading/index.ts';
import { bonusMessage } from '../core/messages.ts';
import { inputsText, outputsText } from '../core/run-digest.ts';
import { chargeExecution, costTransfers, houseTransfers, shareableOf, shareHouse } from '../core/waterfall.ts';
import { type IncomeGuard, reconcileRun, unguarded } from '../reconciliation/reconcile.ts';
import { payWaitingRewards } from '../rewards/pay-waiting-rewards.ts';
import { sha256 } from '../sha256.ts';
import { findNextMember, insertBatch, payMembers, readBatches } from './bonus-batch-sql.ts';
import {
  type BonusRun,
  findRun,
  getCollected,
  insertOwnSums,
  insertRun,
  joinRun,
  lockRun,
  type RunState,
  updateCollected,
  updateDone,
  updateLevel,
  updatePaid,
} from './bonus-run-sql.ts';
import {
  analyzeLevels,
  clearSums,
  type Half,
  hasMany,
  insertHalf,
  insertNextLevel,
  listTraderHashes,
  runSums,
  sumOwn,
} from './level-sum-sql.ts';

/**
 * Distributes the fees of a settled session (docs/product.md, section 6, docs/incomes.md): sums them level by level,
 * pays members batch by batch, allocates the shares of pools and house, and reconciles the ledger. Each step is one
 * transaction that checks and advances the run's state: a run resumes after a crash, tolerates concurrent workers, and
 * pays nobody twice.
 */
export async function payBonuses(
  context: Context,
  session: SettledSession,
  guard: IncomeGuard = unguarded,
): Promise<void> {
  await beginRun(context, session);
  for (;;) {
    const run = await findRun(context.db, session.day);
    assert(run, 'runs are never deleted');
    if (run.state === 'done') return;
    if (run.state === 'checking') await endRun(context, run, guard);
    else await steps[run.state](context, run, await getFeePlan(context.db, run.feePlanId));
  }
}

type Step = (context: Context, run: BonusRun, plan: FeePlan) => Promise<void>;

const steps: Readonly<Record<Exclude<RunState, 'checking' | 'done'>, Step>> = {
  collecting: ({ db }, run, plan) =>
    run.collectedLevel < LAST_LEVEL ? collectLevel(db, run) : endCollecting(db, run, plan),
  paying: async (context, run, plan) => {
    await payBatches(context.db, run, plan);
    await payHouse(context.db, run, plan);
  },
};

const LAST_LEVEL = 10;

async function beginRun({ db }: Context, session: SettledSession): Promise<void> {
  if ((await findRun(db, session.day)) !== undefined) return;
  await inTransaction(db, async (tx) => {
    if (await insertRun(tx, session, await getMarketTime(tx))) await clearSums(tx);
  });
}

/** Does nothing when another worker has advanced the run since it was read. */
const runStep = (db: Db, run: BonusRun, work: (tx: Tx) => Promise<void>): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (await lockRun(tx, run)) await work(tx);
  });

/**
 * Sums each half of a level in its own transaction, then marks the level, together with higher levels that are small.
 */
async function collectLevel(db: Db, run: BonusRun): Promise<void> {
  const level = run.collectedLevel + 1;
  await runWorkers<Half>(nextHalf, (half) =>
    inTransaction(db, async (tx) => {
      if (!(await joinRun(tx, run))) return;
      await insertHalf(tx, level, half, () =>
        level === 0 ? insertOwnSums(tx, run, half) : insertNextLevel(tx, runSums, level, half),
      );
    }),
  );
  await runStep(db, run, async (tx) => {
    let last = level;
    for (; last < LAST_LEVEL && !(await hasMany(tx, runSums, last)); last += 1)
      await insertNextLevel(tx, runSums, last + 1);
    if (last === LAST_LEVEL) await analyzeLevels(tx, runSums);
    await updateLevel(tx, run.day, last);
  });
}

const nextHalf = async (last: Half | undefined): Promise<Half | undefined> =>
  last === undefined ? 0 : last === 0 ? 1 : undefined;

/** Charges the execution cost to the collected fees, before any share. */
const endCollecting = (db: Db, run: BonusRun, plan: FeePlan): Promise<void> =>
  runStep(db, run, async (tx) => {
    const batches = await listTraderHashes(tx, runSums);
    const sums = await sumOwn(tx, runSums);
    await chargeBatches(tx, run.day);
    const charge = chargeExecution(sums, await getExecutionResult(tx, run.day));
    const { executionCost } = charge;
    const text = inputsText({ day: run.day, feePlanId: run.feePlanId, shares: plan, executionCost, batches });
    await post(tx, costTransfers(run, charge));
    await updateCollected(tx, run.day, { ...sums, ...charge }, sha256(text));
  });

async function payBatches(db: Db, run: BonusRun, plan: FeePlan): Promise<void> {
  const collected = await getCollected(db, run.day);
  const shareable = shareableOf(collected, collected);
  await runWorkers<MemberBatch>(
    async (last) => {
      const memberId = await findNextMember(db, run, last?.upTo ?? 0n);
      return memberId === undefined ? undefined : batchOf(memberId);
    },
    (batch) =>
      inBatchTransaction(db, async (tx) => {
        if (!(await joinRun(tx, run))) return;
        if (!(await insertBatch(tx, run.day, batch))) return;
        const paid = await payMembers(tx, run, batch, plan, shareable);
        await notifyMembers(
          tx,
          paid.map(({ memberId, micros }) => ({
            memberId,
            kind: 'bonus_paid',
            message: bonusMessage(run.day, micros),
          })),
        );
      }),
  );
}

/** Runs after all batches are paid: a worker holds the row of its batch, and the others wait for it. */
const payHouse = (db: Db, run: BonusRun, plan: FeePlan): Promise<void> =>
  runStep(db, run, async (tx) => {
    const collected = await getCollected(tx, run.day);
    const { bonuses, hashes } = await readBatches(tx, run.day);
    const house = shareHouse(collected, bonuses, plan);
    await post(tx, houseTransfers(run, house));
    const text = outputsText({ day: run.day, batches: hashes, ...collected, ...bonuses, ...house });
    await updatePaid(tx, run.day, { ...bonuses, ...house }, sha256(text));
  });

/**
 * Pays waiting rewards from the new pool money and reconciles the run; no other run begins before it is done. A
 * discrepancy raises an alarm (`IncomeGuard`), and the run still ends.
 */
async function endRun(context: Context, run: BonusRun, guard: IncomeGuard): Promise<void> {
  await payWaitingRewards(context);
  const fault = await reconcileRun(context.db, run);
  if (fault !== undefined) await guard.reportFault(fault);
  await runStep(context.db, run, (tx) => updateDone(tx, run.day, context.now(), fault === undefined));
}
