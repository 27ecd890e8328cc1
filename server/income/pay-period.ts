import assert from 'node:assert';
import { createHash } from 'node:crypto';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot, inTransaction } from '#server/db/tx.ts';
import { findMemberChunk } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { blockOf, getFeePlan, type MemberBlock, workInLanes } from '#server/trading/index.ts';
import { checkBooks } from './check-books.ts';
import { inputsText, outputsText } from './core/period-manifest.ts';
import { type Period, type PeriodKind, periodOf } from './core/periods.ts';
import { monthlyRules } from './pay-monthly.ts';
import { weeklyRules } from './pay-weekly.ts';
import type { PeriodRules } from './period-rules.ts';
import {
  findPeriodRun,
  getPool,
  insertPeriodRun,
  joinPeriod,
  listFirstUnpaid,
  listPeriodSessions,
  lockPeriod,
  type PeriodRun,
  readBlocks,
  updateDone,
  updatePaid,
} from './period-sql.ts';

/** A week or month that ended, whose sessions are all shared, and that is not paid. */
export type DuePeriod = Period;

const rulesOf: Readonly<Record<PeriodKind, PeriodRules>> = { weekly: weeklyRules, monthly: monthlyRules };

/**
 * The next period to pay before a session is shared: the one that ended first, a week before a month that ended with it. Weeks
 * and months without a session are none.
 *
 * @param before a day before which every session is shared; a period has ended when its last day is before it too
 */
export async function findDuePeriod(db: Db, before: string): Promise<DuePeriod | undefined> {
  const firsts = await listFirstUnpaid(db);
  return firsts
    .map(({ kind, day }) => periodOf(kind, day))
    .filter(({ endsOn }) => endsOn <= before)
    .sort((a, b) => a.endsOn.localeCompare(b.endsOn) || b.kind.localeCompare(a.kind))[0];
}

/**
 * Pays a week or a month (product.md section 6, docs/pools.md), with the numbers that were its own when it ended, however late
 * it is. Killed anywhere, or called by two workers, it goes on: each block of members is one transaction that leaves its row,
 * and nobody is paid or told twice. It must be paid before a later session is shared, because standings go on with that.
 */
export async function payPeriod(context: Context, due: DuePeriod): Promise<void> {
  const { db } = context;
  const run = (await findPeriodRun(db, due)) ?? (await beginPeriod(context, due));
  if (run.state === 'paying') await payBlocks(context, run);
  await inSnapshot(db, (tx) => checkBooks(tx, due));
  await inTransaction(db, async (tx) => {
    if (await lockPeriod(tx, due, 'checking')) await updateDone(tx, due, context.now());
  });
}

async function beginPeriod({ db }: Context, due: DuePeriod): Promise<PeriodRun> {
  const sessions = await listPeriodSessions(db, due);
  const last = sessions.at(-1);
  assert(last, 'a period that is due has a session');
  const plan = await getFeePlan(db, last.planId);
  const inputs = { ...due, planId: plan.id, ...(await getPool(db, due)) };
  const begun = {
    ...inputs,
    lastSession: last.day,
    inputsHash: sha256(inputsText({ ...inputs, sessions })),
    ranAt: await getMarketTime(db),
  };
  await inTransaction(db, (tx) => insertPeriodRun(tx, begun, rulesOf[due.kind].totals(begun, plan)));
  const run = await findPeriodRun(db, due);
  assert(run, `the ${due.kind} run of ${due.startsOn} begins before a later session is shared`);
  return run;
}

async function payBlocks({ db }: Context, run: PeriodRun): Promise<void> {
  const plan = await getFeePlan(db, run.planId);
  await workInLanes<MemberBlock>(
    (last) => findBlock(db, last),
    (block) =>
      inTransaction(db, async (tx) => {
        if (await joinPeriod(tx, run, 'paying')) await rulesOf[run.kind].payBlock(tx, run, plan, block);
      }),
  );
  await inTransaction(db, async (tx) => {
    if (!(await lockPeriod(tx, run, 'paying'))) return;
    const { hashes, paid } = await readBlocks(tx, run);
    await updatePaid(tx, run, { paid, outputsHash: sha256(outputsText({ paid, blocks: hashes })) });
  });
}

/** The next block that has a member. */
async function findBlock(db: Db, last: MemberBlock | undefined): Promise<MemberBlock | undefined> {
  const memberId = await findMemberChunk(db, last?.upTo ?? 0n, 1);
  return memberId === undefined ? undefined : blockOf(memberId);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
