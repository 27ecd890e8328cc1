import type { Db } from '#server/db/connect.ts';
import { findValue, listRows, prepared } from '#server/db/rows.ts';

/** The session of the last finished bonus run, as of which all figures are. */
export const findDistributedDay = (db: Db): Promise<string | undefined> =>
  findValue(db)`
    ${prepared} select session_day::text as day from income.bonus_run where state = 'done' order by session_day desc limit 1`;

export type Qualification = {
  readonly memberId: bigint;
  /** The session of the last settled trade. */
  readonly lastTradedOn: string | null;
  /** Of the last 30 days. */
  readonly volume: bigint;
  /** Active members at levels 1 to 10. */
  readonly activeByLevel: readonly bigint[];
};

/** Has no entry for members who never traded and whose teams never did. */
export async function listQualifications(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, Qualification>> {
  const rows = await listRows(db)<Qualification>`
    ${prepared} select member_id as "memberId", last_traded_on::text as "lastTradedOn", volume, active_by_level as "activeByLevel"
    from income.standing where member_id = any(${memberIds}::bigint[])`;
  return new Map(rows.map((row) => [row.memberId, row]));
}

export type LevelFigures = {
  readonly level: number;
  readonly volume: bigint;
  readonly tradeFees: bigint;
  /** Referral bonus, level bonus and team profit. */
  readonly bonus: bigint;
};

/** Figures of a member's levels in the sessions after one day and up to another; no row for levels without trades. */
export const listLevelFigures = (db: Db, memberId: bigint, afterDay: string, day: string): Promise<LevelFigures[]> =>
  listRows(db)`
    ${prepared} select l.level, sum(l.volume)::bigint as volume, sum(l.trade_fees)::bigint as "tradeFees",
      sum(l.bonus + l.team_profit)::bigint as bonus
    from income.bonus_run r join income.bonus_line l on l.session_day = r.session_day and l.member_id = ${memberId}
    where r.session_day > ${afterDay}::date and r.session_day <= ${day}::date
    group by l.level`;

export type Leg = { readonly memberId: bigint; readonly volume: bigint };

/** The largest legs of the last 30 days, each a direct with its team; excludes legs without trades. */
export const listLegs = (db: Db, memberId: bigint, limit: number): Promise<Leg[]> =>
  listRows(db)`
    ${prepared} select member_id as "memberId", leg_volume as volume from income.standing
    where sponsor_id = ${memberId} and leg_volume > 0
    order by leg_volume desc, member_id limit ${limit}`;

export type Growth = { readonly week: string; readonly members: bigint; readonly active: bigint };

/** Team sizes at the ends of weeks before a given one, latest first. */
export const listGrowth = (db: Db, memberId: bigint, beforeWeek: string, limit: number): Promise<Growth[]> =>
  listRows(db)`
    ${prepared} select week::text as week, members, active from income.growth
    where member_id = ${memberId} and week < ${beforeWeek}::date order by week desc limit ${limit}`;
