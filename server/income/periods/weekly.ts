import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { execute, findRow, listRows } from '#server/db/rows.ts';
import type { FeePlan } from '#server/fee-plans/index.ts';
import { findCountWatermark, teamSizes } from '#server/team/index.ts';
import { isClosedIn } from '../close-member.ts';
import { SHARED_POOL } from '../core/contribution.ts';
import { weeklyMessage } from '../core/messages.ts';
import { activeAfter } from '../core/periods.ts';
import { weeklyCap } from '../core/weekly.ts';
import { batchContributions, contributions, flagsOf, sumOfContributions } from './contribution-sql.ts';
import { type PeriodDays, type PeriodRules, storeLines } from './period-lines.ts';
import { idsOf } from './period-sql.ts';

/**
 * Weekly income (docs/product.md, section 6): each qualifying member's contributed part, up to the cap. Under rule 1
 * the pool is divided in proportion to team volume instead.
 */
export const weeklyRules: PeriodRules = {
  totals: (week, { weeklyMinDirects }) =>
    week.rule === SHARED_POOL
      ? sql`
        select coalesce(sum(volume), 0) as total, count(*) as qualified, null::bytea as flags
        from (${weekQualifications(week, weeklyMinDirects)}) as standing where reason is null`
      : sql`select 0 as total, qualified, flags from (${flagsOf(qualifiedOf(week, weeklyMinDirects))}) as flagged`,

  contributionsOf: (startsOn) => ({
    pools: 'one',
    traders: sql`
      select member_id, own_week_put as put, 0::bigint as reward_put from income.standing where week = ${startsOn}::date and own_week_put > 0`,
  }),

  totalOf: (startsOn) => sql`(${sumOfContributions({ kind: 'weekly', startsOn })})`,

  /**
   * Under rule 1 a qualifying member gets floor(pool × min(volume ÷ total, cap)) (docs/product.md, section 6): of a
   * pool of $100, a volume of $30 of $400 gets $7.50; a volume of $100 nominally gets $25, but only $10 at a cap of 10
   * %. There is no second pass: the capped rest stays in the pool. Under rule 2 a member gets the contributed part, at most
   * the cap. Also stores the size of each team, if any, at the end of the week.
   */
  async computeBatch(tx, run, { weeklyMinDirects, weeklyCapBps }, { no, ...range }) {
    const { startsOn, rule, pool, carried, total } = run;
    const isShared = rule === SHARED_POOL;
    const cap = weeklyCap(isShared ? pool : pool - carried, weeklyCapBps);
    const nominal = isShared
      ? sql`case when w.reason is null then div(${pool}::numeric * w.volume, ${total.toString()}::numeric)::bigint else 0 end`
      : sql`(select contributed from part)[w.member_id - ${range.after}]`;
    await execute(tx)`
      with ${isShared ? sql`` : sql`part as materialized (${batchContributions(run, { no, ...range })}),`}
      settled as materialized (
        select w.*, least(w.nominal, ${cap}::bigint) as paid
        from (
          select w.*, ${nominal} as nominal
          from (${weekQualifications(run, weeklyMinDirects)} and s.member_id > ${range.after} and s.member_id <= ${range.upTo}) as w
          -- offset 0 keeps the planner from inlining it and computing it for every use.
          offset 0) as w),
      ${storeLines(run, no, {
        digest: sql`concat_ws(' ', member_id, volume, active_directs, nominal, paid, coalesce(reason, 'paid'))`,
        columns: sql`volume, active_directs, nominal, paid, reason`,
      })}
      insert into income.growth (member_id, week, members, active)
        select t.member_id, ${startsOn}::date, t.members,
          coalesce((select sum(level) from unnest(s.active_by_level) as level), 0)
        from (${teamSizes(idsOf(range), await findCountWatermark(tx))}) as t left join income.standing s on s.member_id = t.member_id
        -- Repeats the range, so that the planner reads only the batch's part of the counts.
        where t.member_id > ${range.after} and t.member_id <= ${range.upTo} and t.members > 0 and exists (select from block)
        order by t.member_id`;
  },

  message: weeklyMessage,
};

/**
 * What a week would pay for given contributions under rule 2: one row with `paid`.
 *
 * @param fill sum of the contributions
 * @param traders a query of `member_id, put, reward_put`, in micros
 */
export const weeklyPaymentOf = (
  week: PeriodDays,
  { weeklyMinDirects, weeklyCapBps }: Pick<FeePlan, 'weeklyMinDirects' | 'weeklyCapBps'>,
  fill: bigint,
  traders: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  with ${contributions(qualifiedOf(week, weeklyMinDirects), traders)}
  select coalesce(sum(least(contributed, ${weeklyCap(fill, weeklyCapBps)}::bigint)), 0)::bigint as paid from part`;

const qualifiedOf = (week: PeriodDays, minDirects: number): RawBuilder<unknown> => sql`
  select member_id, true as is_paid, false as is_rewarded from (${weekQualifications(week, minDirects)}) as standing where reason is null`;

/**
 * `core/weekly.ts`, `findWeeklyReason`, in SQL: `member_id, volume, active_directs, reason` of members whose team
 * traded.
 */
const weekQualifications = ({ startsOn, lastSession }: PeriodDays, minDirects: number): RawBuilder<unknown> => sql`
  select s.member_id, s.week_team_volume as volume, s.active_by_level[1] as active_directs,
    case
      when s.sponsor_id is null then 'company'
      when ${isClosedIn('weekly', startsOn, sql`s.member_id`)} then 'closed'
      when s.last_traded_on is null or s.last_traded_on <= ${activeAfter(lastSession)}::date then 'inactive'
      when s.active_by_level[1] < ${minDirects}::int then 'directs'
    end as reason
  from income.standing s
  where s.week = ${startsOn}::date and s.week_team_volume > 0`;

/** Team volume of a member by level in some sessions; no row for a level without trades. */
export const sumVolumeByLevel = (
  db: Db,
  memberId: bigint,
  days: readonly string[],
): Promise<{ level: number; volume: bigint }[]> =>
  listRows(db)`
    select l.level, sum(l.volume)::bigint as volume
    from unnest(${days}::date[]) as session(day)
    join income.bonus_line l on l.session_day = session.day and l.member_id = ${memberId}
    group by l.level order by l.level`;

export type WeekQualification = {
  readonly isCompany: boolean;
  readonly lastTradedOn: string | null;
  readonly activeDirects: bigint;
  readonly volume: bigint;
};

/** A member's qualification in the current week; undefined when neither the member nor the team ever traded. */
export const findWeekQualification = (db: Db, memberId: bigint, week: string): Promise<WeekQualification | undefined> =>
  findRow(db)`
    select sponsor_id is null as "isCompany", last_traded_on::text as "lastTradedOn", active_by_level[1] as "activeDirects",
      case when week = ${week}::date then week_team_volume else 0 end as volume
    from income.standing where member_id = ${memberId}`;
