import { sql } from 'kysely';
import { teamLevels } from '#contract/team.ts';
import { type ExportSection, inDollars } from '#server/db/export-sql.ts';
import { isLineHeld } from '../periods/period-lines.ts';

/**
 * The key of bonus lines begins with the session: looked up in each, they are found without those of all members. The limit,
 * one line a level, keeps the planner from reading all at once.
 */
const bonusLines = (memberId: bigint) => sql`
  (select line.session_day, level, traders, line.volume, line.trade_fees, bonus_bps, bonus, line.performance_fees, profit_bps,
    line.team_profit, active_directs, reason
  from income.bonus_run r cross join lateral (
    select session_day, level, traders, volume, trade_fees, bonus_bps, bonus, performance_fees, profit_bps, team_profit,
      active_directs, reason
    from income.bonus_line l where l.session_day = r.session_day and l.member_id = ${memberId}
    order by level limit ${teamLevels}) as line) as line`;

/** A member's incomes by session, week, month and rank, as sums of the team without the traders' identities. */
export const exportIncomes = (memberId: bigint): readonly ExportSection[] => [
  {
    name: 'bonuses',
    place: 'text',
    rows: sql`
      select session_day || '/' || lpad(level::text, 2, '0') as place, session_day::text as session, level, traders,
        ${inDollars(sql`volume`)} as volume, ${inDollars(sql`trade_fees`)} as trade_fees, bonus_bps, ${inDollars(sql`bonus`)} as bonus,
        ${inDollars(sql`performance_fees`)} as performance_fees, profit_bps, ${inDollars(sql`team_profit`)} as team_profit,
        active_directs, reason
      from ${bonusLines(memberId)}`,
  },
  {
    name: 'weekly_incomes',
    place: 'date',
    rows: sql`
      select week as place, week::text as week, ${inDollars(sql`volume`)} as volume, active_directs,
        ${inDollars(sql`nominal`)} as nominal, ${inDollars(sql`paid`)} as paid,
        paid > 0 and ${isLineHeld('weekly', sql`week`, sql`member_id`)} as held, reason
      from income.weekly_line where member_id = ${memberId}`,
  },
  {
    name: 'monthly_incomes',
    place: 'date',
    rows: sql`
      select month as place, month::text as month, rank, ${inDollars(sql`team_volume`)} as team_volume,
        ${inDollars(sql`volume`)} as volume, ${inDollars(sql`contributed`)} as contributed, ${inDollars(sql`nominal`)} as nominal,
        ${inDollars(sql`paid`)} as paid, paid > 0 and ${isLineHeld('monthly', sql`month`, sql`member_id`)} as held, reason
      from income.monthly_line where member_id = ${memberId}`,
  },
  {
    name: 'rewards',
    place: 'bigint',
    rows: sql`
      select rank as place, rank, month::text as month, ${inDollars(sql`nominal`)} as nominal, state, claimed_at, paid_at
      from income.reward where member_id = ${memberId}`,
  },
  {
    name: 'team_by_week',
    place: 'date',
    rows: sql`
      select week as place, week::text as week, members, active from income.growth where member_id = ${memberId}`,
  },
];
