import assert from 'node:assert';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction, runWorkers } from '#server/db/tx.ts';
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
  countLevels,
  emptySums,
  type Half,
  hasMany,
  insertHalf,
  insertNextLevel,
  listTraderHashes,
  runSums,
  sumOwn,
} from './level-sum-sql.ts';

/**
 * Shares the fees of a settled session out (docs/product.md, section 6, docs/incomes.md): sums them up level by level,
 * pays members batch by batch, allocates the shares of pools and house, and reconciles the ledger.
 * Each step is one transaction that looks whether it is still its turn and leaves its mark: killed anywhere, or done by
 * two workers at once, a run goes on where it stands and pays nobody twice.
 */
export async function payBonuses(
  context: Context,
  session: SettledSession,
  guard: IncomeGuard = unguarded,
): Promise<void> {
  await beginRun(context, session);
  for (;;) {
    const run = await findRun(context.db, session.day);
    assert(run, 'a run that has begun stays');
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
    if (await insertRun(tx, session, await getMarketTime(tx))) await emptySums(tx);
  });
}

/** Goes on if the run still is where it was seen. */
const takeStep = (db: Db, run: BonusRun, work: (tx: Tx) => Promise<void>): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (await lockRun(tx, run)) await work(tx);
  });

/** Each half of a level is a transaction of its own; the level is marked once both are there, and with it those above it that have few rows. */
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
  await takeStep(db, run, async (tx) => {
    let last = level;
    for (; last < LAST_LEVEL && !(await hasMany(tx, runSums, last)); last += 1)
      await insertNextLevel(tx, runSums, last + 1);
    if (last === LAST_LEVEL) await countLevels(tx, runSums);
    await updateLevel(tx, run.day, last);
  });
}

const nextHalf = async (last: Half | undefined): Promise<Half | undefined> =>
  last === undefined ? 0 : last === 0 ? 1 : undefined;

/** Fees and execution cost are known, and the cost is taken before anybody gets a share. */
const endCollecting = (db: Db, run: BonusRun, plan: FeePlan): Promise<void> =>
  takeStep(db, run, async (tx) => {
    const blocks = await listTraderHashes(tx, runSums);
    const sums = await sumOwn(tx, runSums);
    await chargeBatches(tx, run.day);
    const charge = chargeExecution(sums, await getExecutionResult(tx, run.day));
    const { executionCost } = charge;
    const text = inputsText({ day: run.day, feePlanId: run.feePlanId, shares: plan, executionCost, blocks });
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
    (block) =>
      inTransaction(db, async (tx) => {
        if (!(await joinRun(tx, run))) return;
        if (!(await insertBatch(tx, run.day, block))) return;
        const paid = await payMembers(tx, run, block, plan, shareable);
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

/** All batches are paid: whoever paid one held its row, and other workers waited for it. */
const payHouse = (db: Db, run: BonusRun, plan: FeePlan): Promise<void> =>
  takeStep(db, run, async (tx) => {
    const collected = await getCollected(tx, run.day);
    const { bonuses, hashes } = await readBatches(tx, run.day);
    const house = shareHouse(collected, bonuses, plan);
    await post(tx, houseTransfers(run, house));
    const text = outputsText({ day: run.day, blocks: hashes, ...collected, ...bonuses, ...house });
    await updatePaid(tx, run.day, { ...bonuses, ...house }, sha256(text));
  });

/**
 * What the run allocated to the rewards pool goes to those who wait for it, and the run is reconciled before it is done:
 * until then nobody begins another. A discrepancy raises an alarm (`IncomeGuard`), and the run ends.
 */
async function endRun(context: Context, run: BonusRun, guard: IncomeGuard): Promise<void> {
  await payWaitingRewards(context);
  const fault = await reconcileRun(context.db, run);
  if (fault !== undefined) await guard.reportFault(fault);
  await takeStep(context.db, run, (tx) => updateDone(tx, run.day, context.now(), fault === undefined));
}
