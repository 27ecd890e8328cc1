import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, getRow, hasRow, listRows } from '#server/db/rows.ts';
import { dailyResults, dailyResultsOf, type SettledSession } from '#server/trading/index.ts';
import { addDays } from '../core/periods.ts';
import type { Bonuses, Collected, ExecutionCharge, HouseShares } from '../core/waterfall.ts';
import { type CollectedSums, type Half, insertOwn, roomForSessions, runSums } from './level-sum-sql.ts';

export type RunState = 'collecting' | 'paying' | 'checking' | 'done';

/** A bonus run, and which days its window of 30 days is about. */
export type BonusRun = SettledSession & {
  readonly state: RunState;
  /** -1 before the first level. */
  readonly collectedLevel: number;
  /** The session shared before this one; null for the first. Standings are as of it. */
  readonly previousDay: string | null;
  /** Sessions that were in its 30 days and are not in those of this one. */
  readonly leavingDays: readonly string[];
};

type Row = Omit<BonusRun, 'leavingDays'>;

/** The run of a session, once it has begun. */
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
      and session_day <= ${previousDay}::date
    order by session_day`;
  return rows.map((row) => row.day);
}

/** The last session that was shared out. */
export const findLastDoneDay = (db: Db): Promise<string | undefined> =>
  findValue(db)`
    select session_day::text as day from income.bonus_run where state = 'done' order by session_day desc limit 1`;

/** @returns whether this call began it: of two workers one does */
export const insertRun = (tx: Tx, session: SettledSession, marketAt: Date): Promise<boolean> =>
  hasRow(tx)`
    insert into income.bonus_run (session_day, closes_at, fee_plan_id, ran_at)
    values (${session.day}::date, ${session.closesAt}, ${session.feePlanId}, ${marketAt})
    on conflict do nothing returning 1`;

/**
 * Serializes those who work on a run: whoever goes on to its next step holds the row.
 * @returns whether it still is where the caller saw it: another worker may have gone on meanwhile
 */
export const lockRun = (tx: Tx, seen: BonusRun): Promise<boolean> => takeTurn(tx, seen, sql`for update`);

/** The same for workers that pay batches concurrently; the row of a batch keeps two from the same one. */
export const joinRun = (tx: Tx, seen: BonusRun): Promise<boolean> => takeTurn(tx, seen, sql`for share`);

const takeTurn = (tx: Tx, seen: BonusRun, lock: RawBuilder<unknown>): Promise<boolean> =>
  hasRow(tx)`
    select ${roomForSessions} from income.bonus_run
    where session_day = ${seen.day}::date and state = ${seen.state} and collected_level = ${seen.collectedLevel}::int ${lock}`;

/**
 * Level 0 of a run: who traded, and who became active by it or ceased to be, because the last trade was in a session that
 * left the 30 days. Standings are as of the session before.
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

/** What a run collected and what of it execution took, which stays as it is from then on. */
export const getCollected = (db: Db, day: string): Promise<Collected & ExecutionCharge> =>
  getRow(db)`
    select trade_fees as "tradeFees", performance_fees as "performanceFees", execution_cost as "executionCost",
      trade_cost as "tradeCost", performance_cost as "performanceCost" from income.bonus_run where session_day = ${day}::date`;

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

/** @param booksHold whether the check that ends the run found nothing */
export const updateDone = (tx: Tx, day: string, now: Date, booksHold: boolean): Promise<void> =>
  execute(tx)`
    update income.bonus_run set state = 'done', finished_at = ${now}, books_hold = ${booksHold}
    where session_day = ${day}::date`;
