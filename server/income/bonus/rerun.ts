import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow, getValue, listRows } from '#server/db/rows.ts';
import { type FeePlanTerms, ratesOf } from '#server/fee-plans/index.ts';
import { sponsorLinks } from '#server/team/index.ts';
import { dailyResults, dailyResultsBetween, dailyResultsUnder, getExecutionResult } from '#server/trading/index.ts';
import { closedMembers } from '../close-member.ts';
import { activeAfter } from '../core/periods.ts';
import { inputsText, outputsText } from '../core/run-digest.ts';
import {
  type Bonuses,
  type Collected,
  chargeExecution,
  type ExecutionCharge,
  type FeeShares,
  type HouseShares,
  type Shareable,
  shareableOf,
  shareHouse,
} from '../core/waterfall.ts';
import { sha256 } from '../sha256.ts';
import { addBonuses } from './bonus-batch-sql.ts';
import { collectedColumns, paidColumns } from './bonus-run-sql.ts';
import {
  analyzeLevels,
  createTemporarySums,
  insertNextLevel,
  insertOwn,
  listTraderHashes,
  type SumTable,
  sumOwn,
} from './level-sum-sql.ts';
import { bonusLines, hashOfLines, sumsOfLines } from './waterfall-sql.ts';

/** A session to recalculate without posting. */
type Rerun = {
  readonly day: string;
  readonly feePlanId: number;
  readonly shares: FeeShares;
  /** Level 0, input of `insertOwn`. */
  readonly traders: RawBuilder<unknown>;
  /** Input of `bonusLines`. */
  readonly beneficiaries: (sums: SumTable) => RawBuilder<unknown>;
};

const LAST_LEVEL = 10;

/**
 * Recalculates a session with the statements of a run, in a transaction that can only write a temporary table of level
 * sums.
 */
export async function rerun(
  tx: Tx,
  { day, feePlanId, shares, traders, beneficiaries }: Rerun,
): Promise<{ sums: RunSums; inputsHash: string; outputsHash: string }> {
  const table = await createTemporarySums(tx);
  await forbidWriting(tx);
  await insertOwn(tx, table, traders);
  for (let level = 1; level <= LAST_LEVEL; level += 1) await insertNextLevel(tx, table, level);
  await analyzeLevels(tx, table);
  const { tradeFees, performanceFees } = await sumOwn(tx, table);
  const charge = chargeExecution({ tradeFees, performanceFees }, await getExecutionResult(tx, day));
  const collected = { tradeFees, performanceFees, ...charge };
  const { executionCost } = charge;
  const inputs = inputsText({ day, feePlanId, shares, executionCost, batches: await listTraderHashes(tx, table) });
  const shareable = shareableOf(collected, collected);
  const batches = await computeBatches(tx, table, beneficiaries(table), shares, shareable);
  const bonuses = addBonuses(batches);
  const house = shareHouse(collected, bonuses, shares);
  const outputs = outputsText({ day, batches: batches.map(({ hash }) => hash), ...collected, ...bonuses, ...house });
  const count = batches.reduce((sum, batch) => sum + batch.beneficiaries, 0);
  return {
    sums: { ...collected, ...bonuses, ...house, beneficiaries: count },
    inputsHash: sha256(inputs),
    outputsHash: sha256(outputs),
  };
}

/** From here on the transaction can only write its temporary tables. */
const forbidWriting = (tx: Tx): Promise<void> => execute(tx)`set transaction read only`;

/** The advisory lock that allows one replay at a time. */
const REPLAY_LOCK = 7_301_006;

/** False while another session is being replayed. */
export const claimReplay = (tx: Tx): Promise<boolean> =>
  getValue(tx)<boolean>`select pg_try_advisory_xact_lock(${REPLAY_LOCK}) as free`;

/** Sets the transaction's statement timeout, which the embedded engine does not support. */
export const setStatementTimeout = (tx: Tx, maxMs: number): Promise<void> =>
  execute(tx)`select set_config('statement_timeout', ${String(maxMs)}, true)`;

/** Whether the database cancelled a statement that exceeded its timeout. */
export const isStatementTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '57014';

const asTraders = (results: RawBuilder<unknown>) => sql`
  select member_id, 1 as traders, volume, trade_fees, performance_fees, 0 as active_change from (${results}) as r`;

/** Each member's trading of a session, at its own rates and at other rates. */
export const tradersOf = (day: string): RawBuilder<unknown> => asTraders(dailyResults(day));
export const tradersUnder = (day: string, terms: FeePlanTerms): RawBuilder<unknown> =>
  asTraders(dailyResultsUnder(day, ratesOf(terms)));

/** Qualifications of beneficiaries, read from the lines of the run. */
export const beneficiariesOfLines = (day: string): RawBuilder<unknown> => sql`
  (select distinct member_id, active_directs, coalesce(reason = 'company', false) as is_company,
     coalesce(reason = 'closed', false) as is_closed, coalesce(reason <> 'inactive', true) as is_active
   from income.bonus_line where session_day = ${day}::date)`;

/** Qualifications computed from trades of the 30 days, the sponsor tree and closed accounts only. */
export const beneficiariesFromSources = (day: string, sums: SumTable): RawBuilder<unknown> => sql`
  (with active as materialized (
     select distinct member_id from (${dailyResultsBetween(activeAfter(day), day)}) as traded),
   directs as materialized (
     select link.sponsor_id as member_id, count(*) as active_directs
     from active join (${sponsorLinks}) as link on link.member_id = active.member_id
     where link.sponsor_id is not null group by link.sponsor_id)
   select own.member_id, link.sponsor_id is null as is_company, closed.member_id is not null as is_closed, active.member_id is not null as is_active,
     coalesce(directs.active_directs, 0) as active_directs
   from (select distinct member_id from ${sums} where level > 0) as own
   join (${sponsorLinks}) as link on link.member_id = own.member_id
   left join active on active.member_id = own.member_id
   left join directs on directs.member_id = own.member_id
   left join (${closedMembers}) as closed on closed.member_id = own.member_id and closed.closed_on < ${day}::date)`;

type ComputedBatch = Bonuses & { readonly hash: string; readonly beneficiaries: number };

/** Computes the lines of level sums as batches in id order (`batchOf`, 4096 members), without writing. */
const computeBatches = (
  tx: Tx,
  sums: SumTable,
  beneficiaries: RawBuilder<unknown>,
  shares: FeeShares,
  shareable: Shareable,
): Promise<ComputedBatch[]> =>
  listRows(tx)`
    with lines as materialized (${bonusLines(sums, beneficiaries, shares, shareable)})
    select encode(hash, 'hex') as hash, referral_bonus as "referralBonus", level_bonus as "levelBonus", team_profit as "teamProfit", beneficiaries
    from (
      select member_id / 4096 as no, ${hashOfLines} as hash, ${sumsOfLines},
        count(distinct member_id) filter (where bonus + team_profit > 0)::int as beneficiaries
      from lines group by member_id / 4096) as block
    order by no`;

export type RunSums = Collected & ExecutionCharge & Bonuses & HouseShares & { readonly beneficiaries: number };
export type DoneRun = {
  readonly day: string;
  readonly feePlanId: number;
  readonly inputsHash: string;
  readonly outputsHash: string;
};

/** The run of the last distributed session; undefined before the first. */
export const findLastDone = (db: Db) => findDone(db, sql`state = 'done' order by session_day desc limit 1`);

export const findDoneOf = (db: Db, day: string) => findDone(db, sql`state = 'done' and session_day = ${day}::date`);

const findDone = (db: Db, which: RawBuilder<unknown>): Promise<DoneRun | undefined> =>
  findRow(db)`
    select session_day::text as day, fee_plan_id as "feePlanId", inputs_hash as "inputsHash", outputs_hash as "outputsHash"
    from income.bonus_run where ${which}`;

/** Sums of a finished run. */
export const getSums = (db: Db, day: string): Promise<RunSums> =>
  getRow(db)`
    select ${collectedColumns}, ${paidColumns},
      (select count(distinct member_id)::int from income.bonus_line l where l.session_day = run.session_day and l.bonus + l.team_profit > 0)
        as beneficiaries
    from income.bonus_run run where session_day = ${day}::date`;
