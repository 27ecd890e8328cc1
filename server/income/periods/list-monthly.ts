import assert from 'node:assert';
import type { DataOf } from '#contract/endpoint.ts';
import type { income, MonthlyLine } from '#contract/income.ts';
import { toDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readCursor } from '#server/cursor.ts';
import type { Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { paidPart, scaleOf } from '../core/monthly.ts';
import { findStart, isActiveAt, monthName, monthOf, paysAt, periodId } from '../core/periods.ts';
import { findNextRank, findRank, rankName } from '../core/rank.ts';
import { type Present, readPresent } from '../statement/read-present.ts';
import { getMonthStanding, listMonthlyRows, type MonthlyRow, sumMonthly } from './monthly-sql.ts';
import { getPool, listLastPaying, listPeriodRuns, type PeriodRun } from './period-sql.ts';

type Monthly = DataOf<typeof income.listMonthly>;

const COVERAGES_SHOWN = 3;

/** A member's months, newest first, and where the member stands in the one that runs. The cursor is the last month's id. */
export function listMonthly(
  { db }: Context,
  memberId: bigint,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<Monthly> {
  const before = readCursor(cursor, (text) => findStart('monthly', text));
  return inSnapshot(db, async (tx) => {
    const found = await listMonthlyRows(tx, { memberId, before, limit: limit + 1 });
    const { rows, nextCursor } = cutPage(found, limit, ({ month }) => periodId(month));
    const runs = await listPeriodRuns(
      tx,
      'monthly',
      rows.map(({ month }) => month),
    );
    const present = await readPresent(tx);
    const paying = await listLastPaying(tx, 'monthly', COVERAGES_SHOWN);
    return {
      items: rows.map((row) => showMonth(row, runs)),
      next_cursor: nextCursor,
      lifetime: toDollars(await sumMonthly(tx, memberId)),
      current: await readCurrent(tx, memberId, present),
      coverages: paying.map((run) => ({ period: monthName(run.startsOn), coverage: scaleOf(run.pool, run.total) })),
      ranks: present.plan.ranks.map(({ volume, monthly }, index) => ({
        rank: rankName(index + 1),
        required: toDollars(volume),
        up_to: toDollars(monthly),
      })),
    };
  });
}

export function showMonth(row: MonthlyRow, runs: readonly PeriodRun[]): MonthlyLine {
  const run = runs.find(({ startsOn }) => startsOn === row.month);
  assert(run, `the month ${row.month} was run, for it has lines`);
  return {
    id: periodId(row.month),
    period: monthName(row.month),
    rank: row.rank === null ? null : rankName(row.rank),
    volume: toDollars(row.volume),
    nominal: toDollars(row.nominal),
    paid: toDollars(row.paid),
    held: row.isHeld && row.paid > 0n,
    scale: scaleOf(run.pool, run.total),
    coverage: paidPart(row.paid, row.nominal),
    reason: row.reason,
    created_at: run.ranAt.toISOString(),
  };
}

/** By the plan that the next session takes, which is the month's own unless another is written meanwhile. */
async function readCurrent(tx: Tx, memberId: bigint, { today, sharedDay, plan }: Present): Promise<Monthly['current']> {
  const month = monthOf(today);
  const standing = await getMonthStanding(tx, memberId, { month: month.startsOn, ...plan });
  const progress = plan.ranks.map(({ volume }, index) => ({
    required: volume,
    counted: standing.counted[index] as bigint,
  }));
  const rank = findRank(progress);
  const next = findNextRank(rank);
  const { required, counted } = progress[(next ?? progress.length) - 1] as (typeof progress)[number];
  return {
    period: monthName(month.startsOn),
    active: isActiveAt(sharedDay, standing.lastTradedOn),
    rank: rank === undefined ? null : rankName(rank),
    team_volume: toDollars(standing.teamVolume),
    volume: toDollars(counted),
    next:
      next === undefined ? null : { rank: rankName(next), required: toDollars(required), reached: toDollars(counted) },
    pool: toDollars((await getPool(tx, month)).pool),
    pays_at: paysAt(month).toISOString(),
  };
}
