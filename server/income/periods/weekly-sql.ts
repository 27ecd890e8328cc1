import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { houseAccount, memberAccount, postingSet } from '#server/ledger/index.ts';
import { teamSizes } from '#server/team/index.ts';
import { isClosedInWeek } from '../bonus/closed-member-sql.ts';
import { activeAfter } from '../core/periods.ts';
import type { PaidRun } from './period-rules.ts';
import { idsOf, isLineHeld, type MemberRange, markBlock, type PeriodRun, payLines } from './period-sql.ts';

/** What a week's lines are made by. */
export type WeekTerms = {
  readonly startsOn: string;
  readonly lastSession: string;
  readonly minDirects: number;
};

/** `core/weekly.ts`, `findWeeklyReason`, in SQL: `member_id, volume, active_directs, reason` of members whose team traded. */
const weekStandings = ({ startsOn, lastSession, minDirects }: WeekTerms): RawBuilder<unknown> => sql`
  select s.member_id, s.week_team_volume as volume, s.active_by_level[1] as active_directs,
    case
      when s.sponsor_id is null then 'company'
      when ${isClosedInWeek(startsOn, sql`s.member_id`)} then 'closed'
      when s.last_traded_on is null or s.last_traded_on <= ${activeAfter(lastSession)}::date then 'inactive'
      when s.active_by_level[1] < ${minDirects}::int then 'directs'
    end as reason
  from income.standing s
  where s.week = ${startsOn}::date and s.week_team_volume > 0`;

/** Team volume of all who qualify, and how many they are. */
export const weekTotals = (terms: WeekTerms): RawBuilder<unknown> => sql`
  select coalesce(sum(volume), 0) as total, count(*) as qualified
  from (${weekStandings(terms)}) as standing where reason is null`;

export type PaidWeek = { readonly memberId: bigint; readonly paid: bigint };

export type WeekBlock = {
  readonly run: PeriodRun;
  readonly terms: WeekTerms;
  /** The most of the pool one member gets. */
  readonly cap: bigint;
  readonly range: MemberRange;
  readonly no: bigint;
  /** Of team's counts (`findCountHorizon`). */
  readonly countedTx: bigint;
};

/**
 * Stores the lines of a block of members, unless they are there: `core/weekly.ts`, `weeklyShare`, word for word in SQL. Also
 * notes how large each team is at the end of the week, for those who have one.
 */
export async function storeWeek(tx: Tx, { run, terms, cap, range, no, countedTx }: WeekBlock): Promise<void> {
  const { startsOn, pool, total } = run;
  await sql`
    with settled as materialized (
      select w.*, p.nominal, least(p.nominal, ${cap}::bigint) as paid
      from (${weekStandings(terms)} and s.member_id > ${range.after} and s.member_id <= ${range.upTo}) as w
      cross join lateral (
        select case when w.reason is null then div(${pool}::numeric * w.volume, ${total.toString()}::numeric)::bigint else 0 end
          as nominal) as p),
    ${markBlock(run, no, sql`concat_ws(' ', member_id, volume, active_directs, nominal, paid, coalesce(reason, 'paid'))`)},
    lines as (
      insert into income.weekly_line (member_id, week, volume, active_directs, nominal, paid, reason)
      select member_id, ${startsOn}::date, volume, active_directs, nominal, paid, reason
      from settled where exists (select from block) order by member_id)
    insert into income.growth (member_id, week, members, active)
      select t.member_id, ${startsOn}::date, t.members,
        coalesce((select sum(level) from unnest(s.active_by_level) as level), 0)
      from (${teamSizes(idsOf(range), countedTx)}) as t left join income.standing s on s.member_id = t.member_id
      -- The range once more: by it the planner reads only the block's part of the counts.
      where t.member_id > ${range.after} and t.member_id <= ${range.upTo} and t.members > 0 and exists (select from block)
      order by t.member_id`.execute(tx);
}

const lineOf = (week: string) => (memberId: RawBuilder<unknown>) =>
  sql`select l.member_id, l.paid from income.weekly_line l where l.member_id = ${memberId} and l.week = ${week}::date`;

/**
 * Pays the stored lines of a block of members, unless it is paid.
 *
 * @returns whom it paid, in the order of their ids
 */
export async function payWeek(tx: Tx, run: PaidRun, no: bigint, range: MemberRange): Promise<PaidWeek[]> {
  const { startsOn } = run;
  const { rows } = await sql<PaidWeek>`
    with ${payLines(run, no, lineOf(startsOn), range)},
    posted as materialized (select ${postingSet(sql`
      select ${`weekly/${startsOn}/`} || member_id, ${houseAccount('pool_weekly')}, ${memberAccount(sql`member_id`, 'profit')}, paid,
        'weekly_income', ${`week ${startsOn}`}, ${run.paidAt}::timestamptz, null::text
      from due order by member_id`)})
    select member_id as "memberId", paid from due cross join posted order by member_id`.execute(tx);
  return rows;
}

export type WeeklyRow = {
  readonly week: string;
  readonly volume: bigint;
  readonly nominal: bigint;
  readonly paid: bigint;
  readonly isHeld: boolean;
  readonly reason: 'company' | 'closed' | 'inactive' | 'directs' | null;
};

const isHeld = isLineHeld('weekly', sql`l.week`, sql`l.member_id`);
const columns = sql`l.week::text, l.volume, l.nominal, l.paid, ${isHeld} as "isHeld", l.reason`;

/** A member's weeks, newest first, those before the given one. */
export async function listWeeklyRows(
  db: Db,
  { memberId, before, limit }: { memberId: bigint; before: string | undefined; limit: number },
): Promise<WeeklyRow[]> {
  const { rows } = await sql<WeeklyRow>`
    select ${columns} from income.weekly_line l
    where l.member_id = ${memberId} and l.week < ${before ?? 'infinity'}::date order by l.week desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

export async function findWeeklyRow(db: Db, memberId: bigint, week: string): Promise<WeeklyRow | undefined> {
  const { rows } = await sql<WeeklyRow>`
    select ${columns} from income.weekly_line l where l.member_id = ${memberId} and l.week = ${week}::date`.execute(db);
  return rows[0];
}

export async function sumWeekly(db: Db, memberId: bigint): Promise<{ paid: bigint; weeks: bigint }> {
  const { rows } = await sql<{ paid: bigint; weeks: bigint }>`
    select coalesce(sum(paid), 0)::bigint as paid, count(*) filter (where paid > 0) as weeks
    from income.weekly_line l where l.member_id = ${memberId} and not ${isHeld}`.execute(db);
  return rows[0] as { paid: bigint; weeks: bigint };
}

/** Team volume of a member's levels in some sessions, of levels that traded. */
export async function sumVolumeByLevel(
  db: Db,
  memberId: bigint,
  days: readonly string[],
): Promise<{ level: number; volume: bigint }[]> {
  const { rows } = await sql<{ level: number; volume: bigint }>`
    select l.level, sum(l.volume)::bigint as volume
    from unnest(${days}::date[]) as session(day)
    join income.bonus_line l on l.session_day = session.day and l.member_id = ${memberId}
    group by l.level order by l.level`.execute(db);
  return rows;
}

export type StandingOfWeek = {
  readonly isCompany: boolean;
  readonly lastTradedOn: string | null;
  readonly activeDirects: bigint;
  readonly volume: bigint;
};

/** Where a member stands in a week that runs; undefined for who never traded and has nobody below who did. */
export async function findWeekStanding(db: Db, memberId: bigint, week: string): Promise<StandingOfWeek | undefined> {
  const { rows } = await sql<StandingOfWeek>`
    select sponsor_id is null as "isCompany", last_traded_on::text as "lastTradedOn", active_by_level[1] as "activeDirects",
      case when week = ${week}::date then week_team_volume else 0 end as volume
    from income.standing where member_id = ${memberId}`.execute(db);
  return rows[0];
}
