import assert from 'node:assert';
import type { DataOf } from '#contract/endpoint.ts';
import type { income, MonthlyLine, WeeklyLine } from '#contract/income.ts';
import { toDollars, toTotal } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { cutPage, type Paging, readCursor } from '#server/cursor.ts';
import type { Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { COUNTED_ONCE } from '../core/contribution.ts';
import { paidPart, scaleOf } from '../core/monthly.ts';
import {
  findStart,
  isActiveAt,
  lastDay,
  monthName,
  type Period,
  type PeriodKind,
  paysAt,
  periodId,
  weekName,
} from '../core/periods.ts';
import { findNextRank, findRank, rankName } from '../core/rank.ts';
import { percentOf } from '../core/show-line.ts';
import { findWeeklyReason } from '../core/weekly.ts';
import { type Present, readPresent } from '../statement/read-present.ts';
import { getPeriodRule } from './contribution-sql.ts';
import { getMonthQualification } from './monthly.ts';
import { type LineOf, listLines, type MonthLine, sumPaid, type WeekLine } from './period-lines.ts';
import { getPool, listLastPaying, listPeriodRuns, type PeriodRun } from './period-sql.ts';
import { findWeekQualification } from './weekly.ts';

type Weekly = DataOf<typeof income.listWeekly>;
type Monthly = DataOf<typeof income.listMonthly>;

const COVERAGES_SHOWN = 3;

/** A member's weeks, newest first, and the standing in the current one. */
export const listWeekly = ({ db }: Context, memberId: bigint, paging: Paging): Promise<Weekly> =>
  inSnapshot(db, async (tx) => {
    const { paid, count } = await sumPaid(tx, 'weekly', memberId);
    return {
      ...(await showPage(tx, 'weekly', memberId, paging, showWeek)),
      lifetime: toTotal(paid),
      weeks_paid: Number(count),
      current: await readCurrentWeek(tx, memberId, await readPresent(tx, 'weekly')),
    };
  });

/** A member's months, newest first, and the standing in the current one. */
export const listMonthly = ({ db }: Context, memberId: bigint, paging: Paging): Promise<Monthly> =>
  inSnapshot(db, async (tx) => {
    const present = await readPresent(tx, 'monthly');
    const paying = await listLastPaying(tx, 'monthly', COVERAGES_SHOWN);
    return {
      ...(await showPage(tx, 'monthly', memberId, paging, showMonth)),
      lifetime: toTotal((await sumPaid(tx, 'monthly', memberId)).paid),
      current: await readCurrentMonth(tx, memberId, present),
      coverages: paying.map((run) => ({ period: monthName(run.startsOn), coverage: coverageOf(run) })),
      ranks: present.plan.ranks.map(({ volume, monthly }, index) => ({
        rank: rankName(index + 1),
        required: toDollars(volume),
        up_to: toDollars(monthly),
      })),
    };
  });

/** A page of lines with their runs. The cursor is the id of the last period. */
async function showPage<Kind extends PeriodKind, Shown>(
  tx: Tx,
  kind: Kind,
  memberId: bigint,
  { cursor, limit }: Paging,
  show: (line: LineOf[Kind], run: PeriodRun) => Shown,
): Promise<{ items: Shown[]; next_cursor: string | null }> {
  const before = readCursor(cursor, (text) => findStart(kind, text));
  const found = await listLines(tx, kind, { memberId, before, limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ startsOn }) => periodId(startsOn));
  const starts = rows.map(({ startsOn }) => startsOn);
  const runs = new Map((await listPeriodRuns(tx, kind, starts)).map((run) => [run.startsOn, run]));
  const items = rows.map((line) => {
    const run = runs.get(line.startsOn);
    assert(run, `the ${kind} run of ${line.startsOn} exists, as it has lines`);
    return show(line, run);
  });
  return { items, next_cursor: nextCursor };
}

export const showWeek = (line: WeekLine, run: PeriodRun): WeeklyLine => ({
  id: periodId(line.startsOn),
  week: weekName(line.startsOn),
  from: line.startsOn,
  to: lastDay(run),
  pool: toDollars(run.pool),
  volume: toTotal(line.volume),
  qualifying_volume: isCountedOnce(run) ? null : toTotal(run.total),
  contributed: isCountedOnce(run) ? toDollars(line.nominal) : null,
  share: line.paid === 0n ? null : (100 * Number(line.paid)) / Number(run.pool),
  ...showPaid(line),
  coverage: paidPart(line.paid, line.nominal),
  reason: line.reason,
  created_at: run.ranAt.toISOString(),
});

export const showMonth = (line: MonthLine, run: PeriodRun): MonthlyLine => ({
  id: periodId(line.startsOn),
  period: monthName(line.startsOn),
  rank: line.rank === null ? null : rankName(line.rank),
  volume: toTotal(line.volume),
  contributed: isCountedOnce(run) ? toDollars(line.contributed) : null,
  ...showPaid(line),
  scale: isCountedOnce(run) ? 1 : scaleOf(run.pool, run.total),
  coverage: paidPart(line.paid, line.nominal),
  reason: line.reason,
  created_at: run.ranAt.toISOString(),
});

const isCountedOnce = ({ rule }: PeriodRun): boolean => rule === COUNTED_ONCE;

/**
 * Coverage of all incomes of a month together. Under rule 1 it is the same for each, under rule 2 it differs by member.
 */
const coverageOf = (run: PeriodRun): number =>
  isCountedOnce(run) ? Number(run.paid) / Number(run.total) : scaleOf(run.pool, run.total);

const showPaid = ({ nominal, paid, isHeld }: WeekLine | MonthLine) => ({
  nominal: toDollars(nominal),
  paid: toDollars(paid),
  held: isHeld && paid > 0n,
});

/** The current period's pool so far; under rule 2 without the amount carried over, which is not distributed. */
async function readCurrentPool(tx: Tx, period: Period): Promise<{ pool: number; counted_once: boolean }> {
  const { pool, carried } = await getPool(tx, period);
  const counts = (await getPeriodRule(tx, period.startsOn)) === COUNTED_ONCE;
  return { pool: toDollars(counts ? pool - carried : pool), counted_once: counts };
}

async function readCurrentWeek(
  tx: Tx,
  memberId: bigint,
  { period: week, distributedDay, plan }: Present,
): Promise<Weekly['current']> {
  const qualification = await findWeekQualification(tx, memberId, week.startsOn);
  const activeDirects = qualification?.activeDirects ?? 0n;
  const reason = findWeeklyReason({
    isCompany: qualification?.isCompany ?? false,
    // Closed accounts cannot sign in.
    isClosed: false,
    isActive: isActiveAt(distributedDay, qualification?.lastTradedOn),
    activeDirects,
    neededDirects: plan.weeklyMinDirects,
  });
  return {
    week: weekName(week.startsOn),
    from: week.startsOn,
    to: lastDay(week),
    volume: toTotal(qualification?.volume ?? 0n),
    cap: percentOf(plan.weeklyCapBps),
    ...(await readCurrentPool(tx, week)),
    qualifies: reason === undefined,
    reason: reason ?? null,
    active_directs: Number(activeDirects),
    needed_directs: plan.weeklyMinDirects,
    pays_at: paysAt(week).toISOString(),
  };
}

async function readCurrentMonth(
  tx: Tx,
  memberId: bigint,
  { period: month, distributedDay, plan }: Present,
): Promise<Monthly['current']> {
  const qualification = await getMonthQualification(tx, memberId, { month: month.startsOn, ...plan });
  const progress = plan.ranks.map(({ volume }, index) => ({
    required: volume,
    counted: qualification.counted[index] as bigint,
  }));
  const rank = findRank(progress);
  const next = findNextRank(rank);
  const { required, counted } = progress[(next ?? progress.length) - 1] as (typeof progress)[number];
  return {
    period: monthName(month.startsOn),
    active: isActiveAt(distributedDay, qualification.lastTradedOn),
    rank: rank === undefined ? null : rankName(rank),
    team_volume: toTotal(qualification.teamVolume),
    volume: toTotal(counted),
    next:
      next === undefined ? null : { rank: rankName(next), required: toDollars(required), reached: toTotal(counted) },
    leg_cap: percentOf(plan.legCapBps),
    ...(await readCurrentPool(tx, month)),
    pays_at: paysAt(month).toISOString(),
  };
}
