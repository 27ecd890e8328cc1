import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { findRow, getRow, listRows } from '#server/db/rows.ts';
import { allFlows, amountsOfKeys, houseBalances, paidUnderKeys, venueMoves } from '#server/ledger/index.ts';
import {
  cashOfPlans,
  dailyResults,
  escrowedAmount,
  executionResult,
  feesAfter,
  settledTrades,
} from '#server/trading/index.ts';
import type { IncomeCheck } from '../core/discrepancy.ts';

type Figure = Pick<IncomeCheck, 'what' | 'found' | 'expected'>;
type Wrong = { readonly wrong: bigint; readonly example: string | null };

const paidRuns = sql`state in ('checking', 'done')`;
const sumOf = (column: string, of: RawBuilder<unknown>) =>
  sql`coalesce((select sum(${sql.ref(column)}) from ${of}), 0)`;

/** Payments of finished runs plus paid batches of the others: correct at any time, also while a run is paying. */
const bonusPaid = (column: string) => sql`(
  ${sumOf(column, sql`income.bonus_run where ${paidRuns}`)}
  + ${sumOf(column, sql`income.bonus_block where session_day in (select session_day from income.bonus_run where state = 'paying')`)})`;
const periodPaid = (kind: string) => sql`(
  ${sumOf('paid', sql`income.period_run where kind = ${kind} and ${paidRuns}`)}
  + ${sumOf('paid', sql`income.period_block where kind = ${kind} and is_paid and starts_on in (select starts_on from income.period_run where kind = ${kind} and not (${paidRuns}))`)})`;
const periodReleased = (kind: string) => sumOf('released', sql`income.period_run where kind = ${kind} and ${paidRuns}`);
const rewardsPaid = sql`${sumOf('nominal', sql`income.reward where state = 'paid'`)}`;
const runSum = (column: string) => sumOf(column, sql`income.bonus_run where ${paidRuns}`);

const inHouse = (name: string) => sql`(select balance from house where name = ${name})`;
const byFlows = (name: string) => sql`
  coalesce((select sum(case when to_name = ${name} then amount else -amount end) from flow where ${name} in (from_name, to_name)), 0)`;
const moved = (reason: string) => sql`${sumOf('amount', sql`flow where reason = ${reason}`)}`;
const figure = (what: string, found: RawBuilder<unknown>, expected: RawBuilder<unknown>) =>
  sql`select ${what}::text as what, (${found})::bigint as found, (${expected})::bigint as expected`;

/**
 * Totals of the ledger in one statement, so that concurrent postings are on both sides or on neither. Collected fees
 * belong to sessions not yet distributed, those of a carried-over trade to the session in which it settles; pools hold
 * their fills less their payments; members' escrow is that of their trades; and the sum for every reason is that of the
 * runs.
 */
export async function compareTotals(db: Db): Promise<Figure[]> {
  const lastDistributed = sql`(select max(session_day) from income.bonus_run where ${paidRuns})`;
  const left = {
    trade: sql`(select trade_fees from collected)
      - ${sumOf('trade_cost', payingRuns)} - ${sumOf('referral_bonus', payingBatches)} - ${sumOf('level_bonus', payingBatches)}`,
    performance: sql`(select performance_fees from collected)
      - ${sumOf('performance_cost', payingRuns)} - ${sumOf('team_profit', payingBatches)}`,
  };
  return listRows(db)<Figure>`
    with house as materialized (${houseBalances}), flow as materialized (${allFlows}),
      collected as materialized (${feesAfter(lastDistributed)})
    ${sql.join(
      [
        figure('undistributed trade fees', inHouse('trade_fees'), left.trade),
        figure('undistributed performance fees', inHouse('performance_fees'), left.performance),
        figure(
          'execution cost',
          moved('execution_cost'),
          sql`${sumOf('trade_cost', sql`income.bonus_run`)} + ${sumOf('performance_cost', sql`income.bonus_run`)}`,
        ),
        figure('trade escrow', byFlows('trade_escrow'), escrowedAmount),
        figure(
          'weekly pool',
          inHouse('pool_weekly'),
          sql`${runSum('pool_weekly')} - ${periodPaid('weekly')} - ${periodReleased('weekly')}`,
        ),
        figure(
          'monthly pool',
          inHouse('pool_monthly'),
          sql`${runSum('pool_monthly')} - ${periodPaid('monthly')} - ${periodReleased('monthly')}`,
        ),
        figure('rewards pool', inHouse('pool_rewards'), sql`${runSum('pool_rewards')} - ${rewardsPaid}`),
        figure('referral bonus paid', moved('referral_bonus'), bonusPaid('referral_bonus')),
        figure('team level bonus paid', moved('level_bonus'), bonusPaid('level_bonus')),
        figure('team profit paid', moved('team_profit'), bonusPaid('team_profit')),
        figure('weekly income paid', moved('weekly_income'), periodPaid('weekly')),
        figure('monthly income paid', moved('monthly_income'), periodPaid('monthly')),
        figure('rewards paid', moved('reward'), rewardsPaid),
        figure(
          'released from pools',
          moved('pool_release'),
          sql`${periodReleased('weekly')} + ${periodReleased('monthly')}`,
        ),
        figure(
          'revenue from fees',
          moved('fee_revenue'),
          sql`${runSum('trade_revenue')} + ${runSum('performance_revenue')}`,
        ),
      ],
      sql` union all `,
    )}`;
}

/** What members have in plans by the ledger and by their plans. */
export const comparePlans = (db: Db): Promise<Figure> => getRow(db)<Figure>`
  with flow as materialized (${allFlows}) ${figure('plan cash', byFlows('investment'), cashOfPlans)}`;

const payingRuns = sql`income.bonus_run where state = 'paying'`;
const payingBatches = sql`income.bonus_block where session_day in (select session_day from income.bonus_run where state = 'paying')`;

type Kinds = { readonly referral: bigint; readonly level: bigint; readonly profit: bigint };
type Sums = Readonly<Record<`${'line' | 'paid'}_${keyof Kinds}`, bigint>>;
type LineSums = Wrong & { readonly lines: Kinds; readonly transfers: Kinds };

/** Compares the lines of a session with the transfers that paid them, by member, reading each once without lookups. */
export async function sumLines(db: Db, day: string): Promise<LineSums> {
  const summed = sql`
    ledger.bigint_sum(line_referral) as line_referral, ledger.bigint_sum(line_level) as line_level, ledger.bigint_sum(line_profit) as line_profit,
    ledger.bigint_sum(paid_referral) as paid_referral, ledger.bigint_sum(paid_level) as paid_level, ledger.bigint_sum(paid_profit) as paid_profit`;
  const isWrong = sql`(line_referral, line_level, line_profit) <> (paid_referral, paid_level, paid_profit)`;
  const { wrong, example, ...sums } = await getRow(db)<Sums & Wrong>`
    select ${summed}, ${wrongOf(isWrong, sql`'member ' || min(member_id)`)}
    from (
      select member_id, ${summed} from (
        select member_id, case when level = 1 then bonus else 0 end as line_referral, case when level > 1 then bonus else 0 end as line_level,
          team_profit as line_profit, 0 as paid_referral, 0 as paid_level, 0 as paid_profit
        from income.bonus_line where session_day = ${day}::date
        union all
        select member_id, 0, 0, 0, case reason when 'referral_bonus' then amount else 0 end, case reason when 'level_bonus' then amount else 0 end,
          case reason when 'team_profit' then amount else 0 end
        from (${paidUnderKeys(`bonus/${day}`)}) as transfer) as part
      group by member_id) as member`;
  const kinds = (side: 'line' | 'paid'): Kinds => ({
    referral: sums[`${side}_referral`],
    level: sums[`${side}_level`],
    profit: sums[`${side}_profit`],
  });
  return { wrong, example, lines: kinds('line'), transfers: kinds('paid') };
}

const wrongOf = (isWrong: RawBuilder<unknown>, example: RawBuilder<unknown>) =>
  sql`count(*) filter (where ${isWrong}) as wrong, ${example} filter (where ${isWrong}) as example`;

/** Trades whose venue transfers are not the difference of their prices, P − N; of one session, or of all. */
export const countWrongTrades = (db: Db, day: string | undefined, sinceKey: string): Promise<Wrong> =>
  getRow(db)`
    select count(*) as wrong, min(reference) as example from (
      select reference from (
        select 'trade ' || trade.id as reference, trade.gross as gross, 0 as moved, true as known from (${settledTrades(day)}) as trade
        union all
        select reference, 0, signed, false from (${venueMoves(sinceKey)}) as move) as part
      group by reference
      having ledger.bigint_sum(gross) <> ledger.bigint_sum(moved) and (bool_or(known) or ${day === undefined}::boolean)) as wrong`;

/** Members whose paid rewards differ from the ledger's transfers. */
export const countWrongRewards = (db: Db): Promise<Wrong> =>
  getRow(db)`
    select ${wrongOf(sql`due <> moved`, sql`'member ' || min(member_id)`)}
    from (
      select member_id, sum(due) as due, sum(moved) as moved from (
        select member_id, nominal as due, 0 as moved from income.reward where state = 'paid'
        union all
        select member_id, 0, amount from (${paidUnderKeys('reward')}) as transfer) as part
      group by member_id) as member`;

/** Compares the sums of a session's run with its trades, its batches and the ledger. */
export async function compareRun(db: Db, day: string): Promise<Figure[]> {
  const key = (name: string) => `bonus/${day}/${name}`;
  const keys = [
    'trade-cost',
    'performance-cost',
    'weekly-pool',
    'monthly-pool',
    'rewards-pool',
    'trade-revenue',
    'performance-revenue',
  ];
  const run = (column: string) => sql`(select ${sql.ref(column)} from run)`;
  const result = (column: string) => sql`coalesce((select sum(${sql.ref(column)}) from result), 0)`;
  const block = (column: string) => sumOf(column, sql`income.bonus_block where session_day = ${day}::date`);
  const executionCost = sql`(select greatest(-coalesce(sum(signed), 0), 0) from (${executionResult(day)}) as moved)`;
  const transfer = (name: string) => sql`coalesce((select amount from transfer where key = ${key(name)}), 0)`;
  return listRows(db)<Figure>`
    with run as materialized (select * from income.bonus_run where session_day = ${day}::date),
      result as materialized (select sum(trade_fees) as trade_fees, sum(performance_fees) as performance_fees from (${dailyResults(day)}) as r),
      transfer as materialized (${amountsOfKeys(keys.map(key))})
    ${sql.join(
      [
        figure('trade fees distributed', run('trade_fees'), result('trade_fees')),
        figure('performance fees distributed', run('performance_fees'), result('performance_fees')),
        figure('execution cost by batch', executionCost, run('execution_cost')),
        figure('execution cost from trade fees', transfer('trade-cost'), run('trade_cost')),
        figure('execution cost from performance fees', transfer('performance-cost'), run('performance_cost')),
        figure('referral bonus by batch', block('referral_bonus'), run('referral_bonus')),
        figure('team level bonus by batch', block('level_bonus'), run('level_bonus')),
        figure('team profit by batch', block('team_profit'), run('team_profit')),
        figure('allocated to the weekly pool', transfer('weekly-pool'), run('pool_weekly')),
        figure('allocated to the monthly pool', transfer('monthly-pool'), run('pool_monthly')),
        figure('allocated to the rewards pool', transfer('rewards-pool'), run('pool_rewards')),
        figure('revenue from trade fees', transfer('trade-revenue'), run('trade_revenue')),
        figure('revenue from performance fees', transfer('performance-revenue'), run('performance_revenue')),
      ],
      sql` union all `,
    )}`;
}

/** Bonuses paid according to the session's run. */
export const getPaid = (db: Db, day: string): Promise<Kinds> =>
  getRow(db)`
    select referral_bonus as referral, level_bonus as level, team_profit as profit from income.bonus_run where session_day = ${day}::date`;

export type PeriodKey = { readonly kind: 'weekly' | 'monthly'; readonly startsOn: string };
export type PeriodFigures = Wrong & {
  readonly pool: bigint;
  /** Rule 2. */
  readonly isCountedOnce: boolean;
  /** Fills of its sessions and earlier ones, less what earlier periods paid and released. */
  readonly available: bigint;
  readonly paid: bigint;
  /** Unclaimed rest, what of it is due to be transferred (after all payments), and what was. */
  readonly released: bigint;
  readonly releaseDue: bigint;
  readonly releaseTransfer: bigint;
  /** Fills of its own sessions, and the contributed parts of them. */
  readonly fill: bigint;
  readonly contributed: bigint;
  /** Members whose income or monthly reward exceeds their contributed part. */
  readonly over: bigint;
  readonly overExample: string | null;
  readonly blocks: bigint;
  readonly lines: bigint;
  /** Payments that must have been transferred: all, or those of paid batches while the run is held. */
  readonly due: bigint;
  readonly transfers: bigint;
};

const periodLines = {
  weekly: sql`select member_id, paid from income.weekly_line where week =`,
  monthly: sql`select member_id, paid from income.monthly_line where month =`,
};

/** Figures of a week or month by its run, its batches, its lines, the ledger and the contributions. */
export const getPeriodFigures = (db: Db, { kind, startsOn }: PeriodKey): Promise<PeriodFigures> =>
  getRow(db)`
    with run as materialized (select * from income.period_run where kind = ${kind} and starts_on = ${startsOn}::date),
    held as materialized (
      select no from income.period_block where kind = ${kind} and starts_on = ${startsOn}::date and not is_paid
        and (select state from run) = 'paying'),
    member as (
      select member_id, sum(line) as line, sum(due) as due, sum(moved) as moved, sum(contributed) as contributed,
        sum(line) > sum(contributed) or sum(reward) > sum(reward_contributed) as is_over
      from (
        select member_id, paid as line, case when member_id / 4096 in (select no from held) then 0 else paid end as due, 0 as moved,
          0 as contributed, 0 as reward, 0 as reward_contributed
        from (${periodLines[kind]} ${startsOn}::date) as l
        union all
        select member_id, 0, 0, amount, 0, 0, 0 from (${paidUnderKeys(`${kind}/${startsOn}`)}) as transfer
        union all
        select part.member_id, 0, 0, 0, part.contributed, 0, coalesce(part.reward_contributed, 0)
        from income.contribution c
        cross join lateral unnest(c.contributors, c.contributed, c.reward_contributed) as part(member_id, contributed, reward_contributed)
        where c.kind = ${kind} and c.starts_on = ${startsOn}::date
        union all
        select member_id, 0, 0, 0, 0, nominal, 0 from income.reward where ${kind} = 'monthly' and month = ${startsOn}::date) as part
      group by member_id)
    select run.rule = 2 as "isCountedOnce", run.pool, run.paid, run.released,
      case when run.state = 'paying' then 0 else run.released end as "releaseDue",
      coalesce((select amount from (${amountsOfKeys([`${kind}/${startsOn}/release`])}) as release), 0)::bigint as "releaseTransfer",
      ${sumOf(`pool_${kind}`, sql`income.bonus_run where ${paidRuns} and session_day >= run.starts_on and session_day < run.ends_on`)}::bigint as fill,
      (${sumOf(`pool_${kind}`, sql`income.bonus_run where ${paidRuns} and session_day < run.ends_on`)}
        - ${sumOf('taken', sql`(select kind, starts_on, paid + released as taken from income.period_run) as earlier where earlier.kind = ${kind} and earlier.starts_on < run.starts_on`)})::bigint as available,
      ${sumOf('paid', sql`income.period_block where kind = ${kind} and starts_on = ${startsOn}::date`)}::bigint as blocks, sums.*
    from run cross join (
      select coalesce(sum(line), 0)::bigint as lines, coalesce(sum(due), 0)::bigint as due, coalesce(sum(moved), 0)::bigint as transfers,
        coalesce(sum(contributed), 0)::bigint as contributed, count(*) filter (where is_over) as over,
        'member ' || min(member_id) filter (where is_over) as "overExample",
        ${wrongOf(sql`due <> moved`, sql`'member ' || min(member_id)`)}
      from member) as sums`;

/** Sessions whose runs have paid, and computed periods, oldest first. */
export async function listPaidRuns(db: Db): Promise<{ days: string[]; periods: PeriodKey[] }> {
  const days = await listRows(db)<{ day: string }>`
    select session_day::text as day from income.bonus_run where ${paidRuns} order by session_day`;
  const periods = await listRows(db)<PeriodKey>`
    select kind, starts_on::text as "startsOn" from income.period_run where state <> 'computing' order by starts_on, kind`;
  return { days: days.map(({ day }) => day), periods };
}

/** The last session whose reconciliation passed, and when, in real time. */
export const findLastCheck = (db: Db): Promise<{ day: string; at: Date } | undefined> =>
  findRow(db)`
    select session_day::text as day, finished_at as at from income.bonus_run where state = 'done' and books_hold order by session_day desc limit 1`;
