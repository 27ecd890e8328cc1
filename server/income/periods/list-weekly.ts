import assert from 'node:assert';
import type { DataOf } from '#contract/endpoint.ts';
import type { income, WeeklyLine } from '#contract/income.ts';
import { toDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readCursor } from '#server/cursor.ts';
import type { Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { findStart, isActiveAt, lastDay, paysAt, periodId, weekName, weekOf } from '../core/periods.ts';
import { findWeeklyReason } from '../core/weekly.ts';
import { readPresent } from '../statement/read-present.ts';
import { getPool, listPeriodRuns, type PeriodRun } from './period-sql.ts';
import { findWeekStanding, listWeeklyRows, sumWeekly, type WeeklyRow } from './weekly-sql.ts';

type Weekly = DataOf<typeof income.listWeekly>;

/** A member's weeks, newest first, and where the member stands in the one that runs. The cursor is the last week's id. */
export function listWeekly(
  { db }: Context,
  memberId: bigint,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<Weekly> {
  const before = readCursor(cursor, (text) => findStart('weekly', text));
  return inSnapshot(db, async (tx) => {
    const found = await listWeeklyRows(tx, { memberId, before, limit: limit + 1 });
    const { rows, nextCursor } = cutPage(found, limit, ({ week }) => periodId(week));
    const runs = await listPeriodRuns(
      tx,
      'weekly',
      rows.map(({ week }) => week),
    );
    const { paid, weeks } = await sumWeekly(tx, memberId);
    return {
      items: rows.map((row) => showWeek(row, runs)),
      next_cursor: nextCursor,
      lifetime: toDollars(paid),
      weeks_paid: Number(weeks),
      current: await readCurrent(tx, memberId),
    };
  });
}

export function showWeek(row: WeeklyRow, runs: readonly PeriodRun[]): WeeklyLine {
  const run = runs.find(({ startsOn }) => startsOn === row.week);
  assert(run, `the week ${row.week} was run, for it has lines`);
  return {
    id: periodId(row.week),
    week: weekName(row.week),
    from: row.week,
    to: lastDay(run),
    pool: toDollars(run.pool),
    volume: toDollars(row.volume),
    qualifying_volume: toDollars(run.total),
    share: row.paid === 0n ? null : (100 * Number(row.paid)) / Number(run.pool),
    nominal: toDollars(row.nominal),
    paid: toDollars(row.paid),
    held: row.isHeld && row.paid > 0n,
    // A week divides what its pool has. The cap is the rule and no shortage.
    coverage: row.paid === 0n ? null : 1,
    reason: row.reason,
    created_at: run.ranAt.toISOString(),
  };
}

/** By the plan that the next session takes, which is the week's own unless another is written meanwhile. */
async function readCurrent(tx: Tx, memberId: bigint): Promise<Weekly['current']> {
  const { today, sharedDay, plan } = await readPresent(tx);
  const week = weekOf(today);
  const standing = await findWeekStanding(tx, memberId, week.startsOn);
  const activeDirects = standing?.activeDirects ?? 0n;
  const reason = findWeeklyReason({
    isCompany: standing?.isCompany ?? false,
    // Nobody signs in to one.
    isClosed: false,
    isActive: isActiveAt(sharedDay, standing?.lastTradedOn),
    activeDirects,
    neededDirects: plan.weeklyMinDirects,
  });
  return {
    week: weekName(week.startsOn),
    from: week.startsOn,
    to: lastDay(week),
    volume: toDollars(standing?.volume ?? 0n),
    pool: toDollars((await getPool(tx, week)).pool),
    qualifies: reason === undefined,
    reason: reason ?? null,
    active_directs: Number(activeDirects),
    needed_directs: plan.weeklyMinDirects,
    pays_at: paysAt(week).toISOString(),
  };
}
