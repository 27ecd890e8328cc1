import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, getRow, hasRow, listRows } from '#server/db/rows.ts';
import { dailyResults, dailyResultsOf, type SettledSession } from '#server/trading/index.ts';
import { addDays } from '../core/periods.ts';
import type { Bonuses, Collected, ExecutionCharge, HouseShares } from '../core/waterfall.ts';
import { type CollectedSums, type Half, insertOwn, runSums, sessionWorkMem } from './level-sum-sql.ts';

export type RunState = 'collecting' | 'paying' | 'checking' | 'done';

/** A bonus run, with the days that affect its 30-day window. */
export type BonusRun = SettledSession & {
  readonly state: RunState;
  /** -1 before the first level. */
  readonly collectedLevel: number;
  /** The previous distributed session, as of which qualifications are stored; null for the first. */
  readonly previousDay: string | null;
  /** Sessions that were in the previous session's window but are not in this one's. */
  readonly leavingDays: readonly string[];
};

type Row = Omit<BonusRun, 'leavingDays'>;

/** Columns of `ExecutionCharge`, of the same with `Collected`, and of `Bonuses & HouseShares`. */
export const chargeColumns = sql`
  execution_cost as "executionCost", trade_cost as "tradeCost", performance_cost as "performanceCost"`;
export const collectedColumns = sql`trade_fees as "tradeFees", performance_fees as "performanceFees", ${chargeColumns}`;
export const paidColumns = sql`
  referral_bonus as "referralBonus", level_bonus as "levelBonus", team_profit as "teamProfit", pool_weekly as "poolWeekly",
  pool_monthly as "poolMonthly", pool_rewards as "poolRewards", trade_revenue as "tradeRevenue", performance_revenue as "performanceRevenue"`;

/** The run of a session; undefined before it begins. */
export async function findRun(db: Db, day: string): Promise<BonusRun | undefined> {
  const run = await findRow(db)<Row>`
    select session_day::text as day, closes_at as "closesAt", fee_plan_id as "feePlanId", state, collected_level as "collectedLevel",
      (select max(before.session_day) from income.bonus_run before where before.session_day < run.session_day)::text as "previousDay"
    from income.bonus_run run where session_day = ${day}::date`;
  return run && { ...run, leavingDays: await listLeaving(db, run) };
}

async function listLeaving(db: Db, { day, previousDay }: Row): Promise<string[]> {
  if (previousDay === null) return [];
  const rows = await listRows(db)<{ day: string }>`
    select session_day::text as day from income.bonus_run
    where session_day > ${addDays(previousDay, -30)}::date and session_day <= ${addDays(day, -30)}::date
    order by session_day`;
  return rows.map((row) => row.day);
}

/** The last distributed session. */
export const findLastDoneDay = (db: Db): Promise<string | undefined> =>
  findValue(db)`
    select session_day::text as day from income.bonus_run where state = 'done' order by session_day desc limit 1`;

/** @returns whether this call began it: of two concurrent workers one does */
export const insertRun = (tx: Tx, session: SettledSession, marketAt: Date): Promise<boolean> =>
  hasRow(tx)`
    insert into income.bonus_run (session_day, closes_at, fee_plan_id, ran_at)
    values (${session.day}::date, ${session.closesAt}, ${session.feePlanId}, ${marketAt})
    on conflict do nothing returning 1`;

/**
 * Locks a run for its next step, which serializes workers.
 * @returns false when another worker has advanced it since it was read
 */
export const lockRun = (tx: Tx, run: BonusRun): Promise<boolean> => lockUnchanged(tx, run, sql`for update`);

/** The same, shared by workers that process batches concurrently; the row of a batch serializes them within it. */
export const joinRun = (tx: Tx, run: BonusRun): Promise<boolean> => lockUnchanged(tx, run, sql`for share`);

const lockUnchanged = (tx: Tx, run: BonusRun, lock: RawBuilder<unknown>): Promise<boolean> =>
  hasRow(tx)`
    select ${sessionWorkMem} from income.bonus_run
    where session_day = ${run.day}::date and state = ${run.state} and collected_level = ${run.collectedLevel}::int ${lock}`;

/**
 * Level 0 of a run: the members who traded, and the changes of activity: those who became active, and those whose last
 * trade was in a session that leaves the 30-day window. Reads qualifications as of the previous session.
 */
export async function insertOwnSums(tx: Tx, { day, previousDay, leavingDays }: BonusRun, half?: Half): Promise<void> {
  const wasActive =
    previousDay === null ? sql`false` : sql`coalesce(s.last_traded_on > ${addDays(previousDay, -30)}::date, false)`;
  await insertOwn(
    tx,
    runSums,
    sql`
      select r.member_id, 1 as traders, r.volume, r.trade_fees, r.performance_fees, case when ${wasActive} then 0 else 1 end as active_change
      from (${dailyResults(day)}) as r left join income.standing s on s.member_id = r.member_id
      union all
      select s.member_id, 0, 0, 0, 0, -1
      from (${dailyResultsOf(leavingDays)}) as last join income.standing s on s.member_id = last.member_id and s.last_traded_on = last.session_day
      where not exists (select from (${dailyResults(day)}) as r where r.member_id = s.member_id)`,
    half,
  );
}

export const updateLevel = (tx: Tx, day: string, level: number): Promise<void> =>
  execute(tx)`update income.bonus_run set collected_level = ${level}::int where session_day = ${day}::date`;

export const updateCollected = (
  tx: Tx,
  day: string,
  sums: CollectedSums & ExecutionCharge,
  inputsHash: string,
): Promise<void> =>
  execute(tx)`
    update income.bonus_run set state = 'paying', traded_members = ${sums.tradedMembers}, volume = ${sums.volume},
      trade_fees = ${sums.tradeFees}, performance_fees = ${sums.performanceFees}, execution_cost = ${sums.executionCost},
      trade_cost = ${sums.tradeCost}, performance_cost = ${sums.performanceCost}, inputs_hash = ${inputsHash}
    where session_day = ${day}::date`;

/** Fees collected by a run and the execution cost charged to them, both final. */
export const getCollected = (db: Db, day: string): Promise<Collected & ExecutionCharge> =>
  getRow(db)`
    select ${collectedColumns} from income.bonus_run where session_day = ${day}::date`;

export const updatePaid = (
  tx: Tx,
  day: string,
  { referralBonus, levelBonus, teamProfit, ...house }: Bonuses & HouseShares,
  outputsHash: string,
): Promise<void> =>
  execute(tx)`
    update income.bonus_run set state = 'checking', outputs_hash = ${outputsHash}, referral_bonus = ${referralBonus},
      level_bonus = ${levelBonus}, team_profit = ${teamProfit}, pool_weekly = ${house.poolWeekly}, pool_monthly = ${house.poolMonthly},
      pool_rewards = ${house.poolRewards}, trade_revenue = ${house.tradeRevenue}, performance_revenue = ${house.performanceRevenue}
    where session_day = ${day}::date`;

/** @param isReconciled whether the final reconciliation found no discrepancy */
export const updateDone = (tx: Tx, day: string, now: Date, isReconciled: boolean): Promise<void> =>
  execute(tx)`
    update income.bonus_run set state = 'done', finished_at = ${now}, books_hold = ${isReconciled}
    where session_day = ${day}::date`;
