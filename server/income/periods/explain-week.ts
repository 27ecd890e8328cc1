import assert from 'node:assert';
import type { DataOf } from '#contract/endpoint.ts';
import type { income } from '#contract/income.ts';
import { toDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { getFeePlan } from '#server/fee-plans/index.ts';
import { Refused } from '#server/refused.ts';
import { findStart } from '../core/periods.ts';
import { percentOf } from '../core/show-line.ts';
import { showTransfers } from '../statement/show-transfers.ts';
import { showWeek } from './list-weekly.ts';
import { findPeriodRun, listPeriodSessions } from './period-sql.ts';
import { findWeeklyRow, sumVolumeByLevel } from './weekly-sql.ts';

/**
 * A week down to its sources: the fees of all members, what of them went into the pool, the member's part of it, the ledger's
 * transfer.
 *
 * @throws Refused not_found, also for a week in which the member's team did not trade
 */
export function explainWeek({ db }: Context, memberId: bigint, id: string): Promise<DataOf<typeof income.explainWeek>> {
  const week = findStart('weekly', id);
  if (week === undefined) throw new Refused('not_found');
  return inSnapshot(db, async (tx) => {
    const row = await findWeeklyRow(tx, memberId, week);
    if (row === undefined) throw new Refused('not_found');
    const run = await findPeriodRun(tx, { kind: 'weekly', startsOn: week });
    assert(run, `the week ${week} was run, for it has lines`);
    const sessions = await listPeriodSessions(tx, run);
    const levels = await sumVolumeByLevel(
      tx,
      memberId,
      sessions.map(({ day }) => day),
    );
    const { weeklyCapBps } = await getFeePlan(tx, run.planId);
    return {
      line: showWeek(row, [run]),
      sessions: sessions.length,
      trade_volume: toDollars(sessions.reduce((sum, { volume }) => sum + volume, 0n)),
      trade_fees: toDollars(sessions.reduce((sum, { tradeFees }) => sum + tradeFees, 0n)),
      filled: toDollars(run.pool - run.carried),
      carried: toDollars(run.carried),
      cap: percentOf(weeklyCapBps),
      capped: row.paid < row.nominal,
      levels: levels.map(({ level, volume }) => ({ level, volume: toDollars(volume) })),
      transfers: await showTransfers(tx, [`weekly/${week}/${memberId}`]),
    };
  });
}
