import assert from 'node:assert';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';
import { inBatchTransaction, inTransaction, runWorkers } from '#server/db/tx.ts';
import { Faults } from '#server/faults.ts';
import { getFeePlan } from '#server/fee-plans/index.ts';
import { findMemberChunk } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { batchOf, type MemberBatch } from '#server/trading/index.ts';
import { sessionWorkMem } from '../bonus/level-sum-sql.ts';
import { COUNTED_ONCE } from '../core/contribution.ts';
import { inputsText, outputsText } from '../core/period-digest.ts';
import { type Period, type PeriodKind, periodOf } from '../core/periods.ts';
import { type IncomeGuard, reconcileRun, unguarded } from '../reconciliation/reconcile.ts';
import { sha256 } from '../sha256.ts';
import { chunkOf, getPeriodRule, insertContributions, type TraderChunk } from './contribution-sql.ts';
import { monthlyRules } from './monthly.ts';
import { type PeriodRules, payLines, releaseRest } from './period-lines.ts';
import {
  findPeriodRun,
  findUnpaid,
  getPool,
  insertPeriodRun,
  joinPeriod,
  listComputedRuns,
  listFirstUncomputed,
  listPeriodSessions,
  lockPeriod,
  type PeriodRun,
  readBatches,
  updateComputed,
  updateDone,
  updatePaid,
  updatePaidAt,
  updateSummed,
} from './period-sql.ts';
import { weeklyRules } from './weekly.ts';

const rulesOf: Readonly<Record<PeriodKind, PeriodRules>> = { weekly: weeklyRules, monthly: monthlyRules };

/**
 * The next period to compute: the one that ended first, a week before a month with the same end. Weeks and months
 * without a session are skipped.
 *
 * @param before a day before which every session is distributed; a period is due when its last day is before it
 */
export async function findDuePeriod(db: Db, before: string): Promise<Period | undefined> {
  const firsts = await listFirstUncomputed(db);
  return firsts
    .map(({ kind, day }) => periodOf(kind, day))
    .filter(({ endsOn }) => endsOn <= before)
    .sort((a, b) => a.endsOn.localeCompare(b.endsOn) || b.kind.localeCompare(a.kind))[0];
}

/**
 * Computes the payments of a week or month (docs/product.md, section 6, docs/incomes.md) with the figures as of its
 * end, however late it runs, and stores them as lines. It resumes after a crash and tolerates concurrent workers: each
 * batch of members is one transaction that inserts the batch's row. It must be computed before a later session is
 * distributed, because that updates qualifications; the time of payment does not matter.
 */
export async function computePeriod(context: Context, due: Period): Promise<void> {
  const { db } = context;
  const run = (await findPeriodRun(db, due)) ?? (await beginPeriod(context, due));
  if (run.state !== 'computing') return;
  if (run.isSumming) await sumContributions(db, run);
  const plan = await getFeePlan(db, run.planId);
  await runWorkers<MemberBatch>(
    (last) => findBatch(db, last),
    (batch) =>
      inTransaction(db, async (tx) => {
        if (await joinPeriod(tx, run, 'computing')) await rulesOf[run.kind].computeBatch(tx, run, plan, batch);
      }),
  );
  await inTransaction(db, async (tx) => {
    if (!(await lockPeriod(tx, run, 'computing'))) return;
    const { hashes, paid } = await readBatches(tx, run);
    const released = run.rule === COUNTED_ONCE ? run.pool - paid : 0n;
    const text = outputsText({ rule: run.rule, paid, released, batches: hashes });
    await updateComputed(tx, run, { paid, released, outputsHash: sha256(text) });
  });
}

/**
 * Pays computed weeks and months from their stored lines, in the order of their ends, unless an alarm holds them. The
 * guard is checked before each batch, so that an alarm holds the rest. Each batch is one transaction that marks it, so
 * nobody is paid or notified twice. One that fails delays no later one: each has its own part of the pool.
 */
export async function payComputed(context: Context, guard: IncomeGuard = unguarded): Promise<void> {
  const faults = new Faults();
  for (const run of await listComputedRuns(context.db)) await faults.keep(() => payRun(context, run, guard));
  faults.throwAny();
}

async function payRun(context: Context, run: PeriodRun, guard: IncomeGuard): Promise<void> {
  if (run.state === 'paying' && !(await payBatches(context, run, guard))) return;
  const fault = await reconcileRun(context.db, run);
  if (fault !== undefined) await guard.reportFault(fault);
  await inTransaction(context.db, async (tx) => {
    if (await lockPeriod(tx, run, 'checking')) await updateDone(tx, run, context.now());
  });
}

async function beginPeriod({ db }: Context, due: Period): Promise<PeriodRun> {
  const sessions = await listPeriodSessions(db, due);
  const last = sessions.at(-1);
  assert(last, 'a due period has a session');
  const plan = await getFeePlan(db, last.planId);
  const rule = await getPeriodRule(db, due.startsOn);
  const inputs = { ...due, rule, planId: plan.id, ...(await getPool(db, due)) };
  const begun = {
    ...inputs,
    lastSession: last.day,
    inputsHash: sha256(inputsText({ ...inputs, sessions })),
    ranAt: await getMarketTime(db),
  };
  await inTransaction(db, async (tx) => {
    await execute(tx)`select ${sessionWorkMem}`;
    await insertPeriodRun(tx, begun, rulesOf[due.kind].totals(begun, plan));
  });
  const run = await findPeriodRun(db, due);
  assert(run, `the ${due.kind} run of ${due.startsOn} begins before a later session is distributed`);
  return run;
}

/**
 * Sums the contributed parts of all qualifying members, which batches look up afterwards. Each chunk of traders is one
 * transaction; the step that marks the sum as complete waits for all of them.
 */
async function sumContributions(db: Db, run: PeriodRun): Promise<void> {
  const { contributionsOf, totalOf } = rulesOf[run.kind];
  await runWorkers<TraderChunk>(
    async (last) => {
      const memberId = await findMemberChunk(db, last?.upTo ?? 0n, 1);
      return memberId === undefined ? undefined : chunkOf(memberId);
    },
    (chunk) =>
      inTransaction(db, async (tx) => {
        if (await joinPeriod(tx, run, 'computing'))
          await insertContributions(tx, run, chunk, contributionsOf(run.startsOn));
      }),
  );
  await inTransaction(db, async (tx) => {
    if (await lockPeriod(tx, run, 'computing')) await updateSummed(tx, run, totalOf(run.startsOn));
  });
}

/** @returns whether all batches are paid; an alarm holds the others */
async function payBatches({ db }: Context, run: PeriodRun, guard: IncomeGuard): Promise<boolean> {
  if (!(await guard.mayPayPeriod())) return false;
  const paid = await beginPaying(db, run);
  await runWorkers<MemberBatch>(
    async (last) => {
      const id = await findUnpaid(db, run, last?.no ?? -1n);
      return id !== undefined && (await guard.mayPayPeriod()) ? batchOf(id) : undefined;
    },
    (batch) =>
      inBatchTransaction(db, async (tx) => {
        if (await joinPeriod(tx, run, 'paying')) await payBatch(tx, paid, batch);
      }),
  );
  return inTransaction(db, async (tx) => {
    const isUnchanged = await lockPeriod(tx, run, 'paying');
    if ((await findUnpaid(tx, run, -1n)) !== undefined) return false;
    if (isUnchanged) {
      await releaseRest(tx, paid);
      await updatePaid(tx, run);
    }
    return true;
  });
}

/** Pays a batch of members from its lines and notifies them, unless the batch is paid. */
async function payBatch(tx: Tx, run: PaidRun, batch: MemberBatch): Promise<void> {
  const { kind, startsOn } = run;
  const paid = await payLines(tx, run, batch);
  await notifyMembers(
    tx,
    paid.map((line) => ({
      memberId: line.memberId,
      kind: `${kind}_income`,
      message: rulesOf[kind].message({ startsOn, ...line }),
    })),
  );
}

/** A run that begins to pay, or continues after an alarm: `paidAt` is the market time of the current payments. */
type PaidRun = PeriodRun & { readonly paidAt: Date };

async function beginPaying(db: Db, run: PeriodRun): Promise<PaidRun> {
  const paidAt = await getMarketTime(db);
  if (run.paidAt === null) await updatePaidAt(db, run, paidAt);
  return { ...run, paidAt };
}

/** The next batch that has a member. */
async function findBatch(db: Db, last: MemberBatch | undefined): Promise<MemberBatch | undefined> {
  const memberId = await findMemberChunk(db, last?.upTo ?? 0n, 1);
  return memberId === undefined ? undefined : batchOf(memberId);
}
