import type { Db } from '#server/db/connect.ts';
import { findRow, listRows } from '#server/db/rows.ts';
import type { Bonuses, ExecutionCharge, HouseShares } from '../core/waterfall.ts';
import type { PeriodRun } from '../periods/period-sql.ts';
import { chargeColumns, paidColumns, type RunState } from './bonus-run-sql.ts';

/** States of the sessions' bonus runs; has no entry before a run begins. */
export async function listRunStates(db: Db, days: readonly string[]): Promise<Map<string, RunState>> {
  const rows = await listRows(db)<{ day: string; state: RunState }>`
    select session_day::text as day, state from income.bonus_run where session_day = any(${[...days]}::date[])`;
  return new Map(rows.map(({ day, state }) => [day, state]));
}

export type SessionRun = {
  readonly state: RunState;
  readonly feePlanId: number;
  /** Batches paid. */
  readonly blocks: bigint;
  /** Market time; null in runs of older versions. */
  readonly ranAt: Date | null;
  /** When its reconciliation passed; null otherwise. */
  readonly finishedAt: Date | null;
  readonly inputsHash: string | null;
  readonly outputsHash: string | null;
  /** Null until fees are collected. */
  readonly execution: ExecutionCharge | null;
  /** Null until all is paid. */
  readonly shares: (Bonuses & HouseShares) | null;
};

type Row = Omit<SessionRun, 'shares' | 'execution'> &
  ExecutionCharge & { readonly [K in keyof (Bonuses & HouseShares)]: bigint | null };

/** The run of a session, for display; undefined before it begins. */
export async function findSessionRun(db: Db, day: string): Promise<SessionRun | undefined> {
  const row = await findRow(db)<Row>`
    select state, fee_plan_id as "feePlanId", ran_at as "ranAt", case when books_hold then finished_at end as "finishedAt", inputs_hash as "inputsHash",
      outputs_hash as "outputsHash", (select count(*) from income.bonus_block b where b.session_day = run.session_day) as blocks,
      ${paidColumns}, ${chargeColumns}
    from income.bonus_run run where session_day = ${day}::date`;
  if (row === undefined) return undefined;
  const { state, feePlanId, ranAt, finishedAt, inputsHash, outputsHash, blocks, ...rest } = row;
  const { executionCost, tradeCost, performanceCost, ...shares } = rest;
  const execution = state === 'collecting' ? null : { executionCost, tradeCost, performanceCost };
  const run = { state, feePlanId, ranAt, finishedAt, inputsHash, outputsHash, blocks };
  // A constraint of the table ensures that they are set together.
  return { ...run, execution, shares: shares.referralBonus === null ? null : (shares as Bonuses & HouseShares) };
}

export type SessionPeriod = Pick<PeriodRun, 'kind' | 'startsOn' | 'endsOn' | 'state' | 'pool' | 'paid'> & {
  /** Null where the rest carries over to the next period, and until all lines are computed. */
  readonly released: bigint | null;
  readonly inputsHash: string | null;
  readonly outputsHash: string | null;
};

/** The week and the month of a session, as far as their runs have begun. */
export const listSessionPeriods = (db: Db, day: string): Promise<SessionPeriod[]> =>
  listRows(db)`
    select kind, starts_on::text as "startsOn", ends_on::text as "endsOn", state, pool, paid,
      case when rule = 2 and paid is not null then released end as released, inputs_hash as "inputsHash",
      outputs_hash as "outputsHash"
    from income.period_run
    where (kind, starts_on) in (
      ('weekly', date_trunc('week', ${day}::date)::date), ('monthly', date_trunc('month', ${day}::date)::date))
    order by kind desc`;
