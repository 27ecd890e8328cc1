import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { findRow, hasRow, listRows } from '#server/db/rows.ts';
import { houseAccount, memberAccount, postingSet } from '#server/ledger/index.ts';
import { sponsorLinks } from '#server/team/index.ts';
import { dailyResults, dailyResultsOf, type MemberBatch } from '#server/trading/index.ts';
import { closedMembers } from '../close-member.ts';
import { activeAfter, monthOf, weekOf } from '../core/periods.ts';
import { type Bonuses, type FeeShares, fillsOf, type Ratio, type Shareable } from '../core/waterfall.ts';
import type { BonusRun } from './bonus-run-sql.ts';
import { bonusLines, hashOfLines, sumsOfLines } from './waterfall-sql.ts';

const levels = Array.from({ length: 10 }, (_, index) => index + 1);
const listed = (parts: RawBuilder<unknown>[]) => sql.join(parts, sql`, `);

/**
 * The next member that a run affects: fees were collected from them or their team, or a session leaves their 30-day
 * window. Each candidate is one index lookup.
 */
export async function findNextMember(db: Db, { leavingDays }: BonusRun, after: bigint): Promise<bigint | undefined> {
  const first = (rows: RawBuilder<unknown>) =>
    sql`(select member_id from ${rows} where member_id > ${after} order by member_id limit 1)`;
  const candidates = [
    ...[0, ...levels].map((level) =>
      first(sql`(select member_id from income.level_sum where level = ${level}::int) as s`),
    ),
    ...leavingDays.flatMap((day) => [
      first(sql`(${dailyResults(day)}) as r`),
      first(sql`(select member_id from income.bonus_line where session_day = ${day}::date) as l`),
    ]),
  ];
  const row = await findRow(db)<{ next: bigint | null }>`
    select min(member_id) as next from (${sql.join(candidates, sql` union all `)}) as candidate`;
  return row?.next ?? undefined;
}

/** Marks a batch as paid, waiting for a worker that is paying it. @returns false when another worker has paid it */
export const insertBatch = (tx: Tx, day: string, { no }: MemberBatch): Promise<boolean> =>
  hasRow(tx)`
    insert into income.bonus_block (session_day, no, lines, referral_bonus, level_bonus, team_profit)
    values (${day}::date, ${no}::int, 0, 0, 0, 0) on conflict do nothing returning 1`;

/** A member's total bonus of a session, all kinds together. */
export type PaidMember = { readonly memberId: bigint; readonly micros: bigint };

/**
 * Everything a run does for a batch of members, in one statement, so that each figure is computed once: their lines,
 * payments and qualifications, and the sums of the batch.
 *
 * @returns the members paid, in id order
 */
export async function payMembers(
  tx: Tx,
  run: BonusRun,
  batch: MemberBatch,
  shares: FeeShares,
  shareable: Shareable,
): Promise<PaidMember[]> {
  const beneficiaries = sql`
    (select s.member_id, s.sponsor_id is null as is_company, closed.member_id is not null as is_closed,
      s.active_by_level[1] as active_directs, coalesce(s.last_traded_on > ${activeAfter(run.day)}::date, false) as is_active
    from qualification s left join (
      select member_id from (${closedMembers}) as c where closed_on < ${run.day}::date and ${isIn(batch)}) as closed
      on closed.member_id = s.member_id)`;
  return listRows(tx)<PaidMember>`
    with sums as materialized (
      select * from income.level_sum where level = any(${[0, ...levels]}::smallint[]) and ${isIn(batch)}),
    changes as materialized (${changesOf(run, batch)}),
    qualification as materialized (${qualificationsOf(run, batch, shares, shareable)}),
    lines as materialized (${bonusLines(sql`sums`, beneficiaries, shares, shareable)}),
    written as (
      insert into income.bonus_line (session_day, member_id, level, traders, volume, trade_fees, performance_fees, bonus_bps, bonus,
        profit_bps, team_profit, active_directs, reason)
      select ${run.day}::date, member_id, level, traders, volume, trade_fees, performance_fees, bonus_bps, bonus,
        profit_bps, team_profit, active_directs, reason
      from lines),
    paid as materialized (select member_id, ${sumsOfLines} from lines group by member_id),
    standing as (${storedQualifications}),
    summed as (
      update income.bonus_block b
      set hash = l.hash, lines = l.lines, referral_bonus = l.referral_bonus, level_bonus = l.level_bonus, team_profit = l.team_profit
      from (select ${hashOfLines} as hash, count(*) as lines, ${sumsOfLines} from lines) as l
      where b.session_day = ${run.day}::date and b.no = ${batch.no}::int),
    posted as materialized (select ${postingSet(draftsOf(run))} as transfers)
    select member_id as "memberId", referral_bonus + level_bonus + team_profit as micros
    from paid cross join posted
    where referral_bonus + level_bonus + team_profit > 0 order by member_id`;
}

const isIn = ({ after, upTo }: MemberBatch) => sql`member_id > ${after} and member_id <= ${upTo}`;

const sumWhere = (column: string, where: RawBuilder<unknown>) =>
  sql`ledger.bigint_sum(${sql.ref(column)}) filter (where ${where})`;

/** Change of each member's sums: today's session, less the sessions that leave the 30-day window. */
const changesOf = ({ leavingDays }: BonusRun, batch: MemberBatch) => sql`
  select member_id,
    ${sumWhere('volume', sql`level = 0`)} as volume,
    ${sumWhere('volume', sql`level < 10`)} as leg_volume,
    ${sumWhere('new_volume', sql`level > 0`)} as new_team_volume,
    ${sumWhere('new_volume', sql`level < 10`)} as new_leg_volume,
    ${sumWhere('new_fees', sql`level > 0`)}::numeric as new_team_fees,
    ${sumWhere('new_fees', sql`level = 0`)} as new_own_fees,
    bool_or(level = 0 and traders > 0) as has_traded,
    ${listed(levels.map((level) => sql`${sumWhere('active_change', sql`level = ${sql.lit(level)}`)} as active_${sql.raw(`${level}`)}`))}
  from (
    select member_id, level, traders, volume, volume as new_volume, trade_fees as new_fees, active_change from sums
    union all
    select member_id, 0, 0, -volume, 0, 0, 0 from (${dailyResultsOf(leavingDays)}) as r where ${isIn(batch)}
    union all
    select member_id, level, 0, -volume, 0, 0, 0 from income.bonus_line
    where session_day = any(${leavingDays}::date[]) and ${isIn(batch)}) as part
  group by member_id`;

/** New qualifications of the members of `changes`. Sums of an earlier week or month are reset. */
const qualificationsOf = ({ day }: BonusRun, batch: MemberBatch, shares: FeeShares, { ofTradeFees }: Shareable) => {
  const { monthlyBps, rewardsBps } = shares;
  const fills = fillsOf(ofTradeFees.left, shares);
  const week = sql`${weekOf(day).startsOn}::date`;
  const month = sql`${monthOf(day).startsOn}::date`;
  const contribution = (bps: number) => leftOf(sql`c.new_team_fees * ${bps}::int`, ofTradeFees);
  const ownContribution = (fill: bigint) => poolContribution(sql`c.new_own_fees`, ofTradeFees.of, fill);
  const inMonth = (sum: RawBuilder<unknown>) => sql`case when s.month = ${month} then s.${sum} else 0 end`;
  return sql`
    select c.member_id, link.sponsor_id,
      case when c.has_traded then ${day}::date else s.last_traded_on end as last_traded_on,
      coalesce(s.volume, 0) + c.volume as volume,
      coalesce(s.leg_volume, 0) + c.leg_volume as leg_volume,
      array[${listed(levels.map((level) => sql`coalesce(s.active_by_level[${sql.lit(level)}], 0) + c.active_${sql.raw(`${level}`)}`))}] as active_by_level,
      ${week} as week,
      case when s.week = ${week} then s.week_team_volume else 0 end + c.new_team_volume as week_team_volume,
      ${month} as month,
      ${inMonth(sql`month_team_volume`)} + c.new_team_volume as month_team_volume,
      ${inMonth(sql`month_leg_volume`)} + c.new_leg_volume as month_leg_volume,
      ${inMonth(sql`month_put_monthly`)} + ${contribution(monthlyBps)} as month_put_monthly,
      ${inMonth(sql`month_put_rewards`)} + ${contribution(rewardsBps)} as month_put_rewards,
      case when s.week = ${week} then s.own_week_put else 0 end + ${ownContribution(fills.poolWeekly)} as own_week_put,
      ${inMonth(sql`own_month_put`)} + ${ownContribution(fills.poolMonthly)} as own_month_put,
      ${inMonth(sql`own_reward_put`)} + ${ownContribution(fills.poolRewards)} as own_reward_put
    from changes c
    left join (select * from income.standing where ${isIn(batch)}) as s on s.member_id = c.member_id
    left join (select member_id, sponsor_id from (${sponsorLinks}) as links where ${isIn(batch)}) as link on link.member_id = c.member_id`;
};

/** Fees' contribution to a pool in ten-thousandths of a micro, reduced by the execution cost. */
const leftOf = (parts: RawBuilder<unknown>, { left, of }: Ratio): RawBuilder<unknown> =>
  left === of ? parts : sql`div(${parts} * ${left.toString()}::numeric, ${of.toString()}::numeric)`;

/**
 * What a member's own fees of a session contribute to a pool: floor(fee × fill ÷ the session's fees). With fees of $10
 * and a fill of $1, a fee of $0.40 contributes $0.04. Uses numerics, as products exceed bigint.
 */
export const poolContribution = (fee: RawBuilder<unknown>, fees: bigint, fill: bigint): RawBuilder<unknown> =>
  fill === 0n
    ? sql`0::bigint`
    : sql`case when ${fee} = 0 then 0 else div(${fee}::numeric * ${fill.toString()}::numeric, ${fees.toString()}::numeric)::bigint end`;

const qualificationColumns = [
  'sponsor_id',
  'last_traded_on',
  'volume',
  'leg_volume',
  'active_by_level',
  'week',
  'week_team_volume',
  'month',
  'month_team_volume',
  'month_leg_volume',
  'month_put_monthly',
  'month_put_rewards',
  'own_week_put',
  'own_month_put',
  'own_reward_put',
].map((name) => sql.raw(name));

/** Replaces whole rows, which include the previous sums. */
const storedQualifications = sql`
  insert into income.standing (member_id, ${listed(qualificationColumns)})
  select member_id, ${listed(qualificationColumns)} from qualification order by member_id
  on conflict (member_id) do update set ${listed(qualificationColumns.map((name) => sql`${name} = excluded.${name}`))}`;

/**
 * One transfer per member and kind (docs/incomes.md), dated at the session's close like everything else of it. Not
 * `values`, whose expressions PostgreSQL would initialize again for each member.
 */
const draftsOf = ({ day, closesAt }: BonusRun) => sql`
  select 'bonus/' || ${day}::text || '/' || m.name || '/' || paid.member_id, m.from_account, ${memberAccount(sql`paid.member_id`, 'profit')},
    m.amount, m.reason, 'session ' || ${day}::text, ${closesAt}::timestamptz, null::text
  from paid cross join lateral (
    select 1, 'referral', ${houseAccount('trade_fees')}, paid.referral_bonus, 'referral_bonus' where paid.referral_bonus > 0
    union all
    select 2, 'level', ${houseAccount('trade_fees')}, paid.level_bonus, 'level_bonus' where paid.level_bonus > 0
    union all
    select 3, 'profit', ${houseAccount('performance_fees')}, paid.team_profit, 'team_profit' where paid.team_profit > 0
  ) as m(place, name, from_account, amount, reason)
  order by paid.member_id, m.place`;

/** Sums of all batches of a run, with the hashes of those that have lines, in order. */
export async function readBatches(tx: Tx, day: string): Promise<{ bonuses: Bonuses; hashes: string[] }> {
  const rows = await listRows(tx)<Bonuses & { hash: string | null }>`
    select encode(hash, 'hex') as hash, referral_bonus as "referralBonus", level_bonus as "levelBonus", team_profit as "teamProfit"
    from income.bonus_block where session_day = ${day}::date order by no`;
  return { bonuses: addBonuses(rows), hashes: rows.flatMap(({ hash }) => hash ?? []) };
}

export const addBonuses = (batches: readonly Bonuses[]): Bonuses =>
  batches.reduce(
    (sum, batch) => ({
      referralBonus: sum.referralBonus + batch.referralBonus,
      levelBonus: sum.levelBonus + batch.levelBonus,
      teamProfit: sum.teamProfit + batch.teamProfit,
    }),
    { referralBonus: 0n, levelBonus: 0n, teamProfit: 0n },
  );
