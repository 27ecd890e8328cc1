import { type RawBuilder, sql } from 'kysely';
import { allOfFees, type FeeShares, type Ratio, type Shareable } from '../core/waterfall.ts';

/** `core/waterfall.ts`, `findMissReason`, word for word in SQL: of a beneficiary `b` and a level. */
const beneficiaryReason = (level: RawBuilder<unknown>) => sql`
  case
    when b.is_company then 'company'
    when b.is_closed then 'closed'
    when not b.is_active then 'inactive'
    when ${level} > 1 and b.active_directs < ${level} then 'directs'
  end`;

/** Whole micros of what is left of ten-thousandths of them. Only a session whose execution cost something needs numerics. */
const microsOf = (parts: RawBuilder<unknown>, { left, of }: Ratio): RawBuilder<unknown> =>
  left === of
    ? sql`${parts} / 10000`
    : sql`div(${parts}::numeric * ${left.toString()}::numeric, ${(of * 10_000n).toString()}::numeric)::bigint`;

/**
 * `core/waterfall.ts`, `shareLevels`, word for word in SQL: the lines of a session, as `income.bonus_line` has them, without
 * its day. The one place in which amounts are computed, for the run itself, its replay and dry runs. Integers carry fees of
 * 9·10⁸ dollars a session times basis points, and beyond that refuse; numerics would take a sixth of the run's time. `offset 0`
 * keeps PostgreSQL from finding out again, wherever a reason is named, what was found out about the member.
 *
 * @param sums a relation of `level, member_id, traders, volume, trade_fees, performance_fees`; level 0 and levels at which
 *   nobody traded have no line
 * @param beneficiaries a relation of `member_id, is_company, is_closed, is_active, active_directs`, a row for each member with a line
 * @param shareable what of the session's fees is shared at all
 */
export const bonusLines = (
  sums: RawBuilder<unknown>,
  beneficiaries: RawBuilder<unknown>,
  { levelBps, teamProfitBps }: FeeShares,
  { ofTradeFees, ofPerformanceFees }: Shareable = allOfFees,
): RawBuilder<unknown> => sql`
  select member_id, level, traders, volume, trade_fees, performance_fees, bonus_bps,
    case when level = 1 then ${microsOf(sql`bonus_part`, ofTradeFees)}
      else ${microsOf(sql`level_sum`, ofTradeFees)} - ${microsOf(sql`(level_sum - bonus_part)`, ofTradeFees)} end as bonus,
    profit_bps, ${microsOf(sql`profit_sum`, ofPerformanceFees)} - ${microsOf(sql`(profit_sum - profit_part)`, ofPerformanceFees)} as team_profit,
    active_directs, reason
  from (
    select p.*,
      ledger.bigint_sum(case when level > 1 then bonus_part else 0 end) over upward as level_sum,
      ledger.bigint_sum(profit_part) over upward as profit_sum
    from (
      select r.*, case when reason is null then trade_fees * bonus_bps else 0 end as bonus_part,
        case when reason is null then performance_fees * profit_bps else 0 end as profit_part
      from (
        select s.level, s.member_id, s.traders, s.volume, s.trade_fees, s.performance_fees, b.active_directs,
          ${beneficiaryReason(sql`s.level`)} as reason, (${levelBps}::int[])[s.level] as bonus_bps,
          coalesce((${teamProfitBps}::int[])[s.level], 0) as profit_bps
        from ${sums} as s join (select * from ${beneficiaries} as beneficiary offset 0) as b on b.member_id = s.member_id
        where s.level > 0 and s.traders > 0 offset 0) as r) as p
    window upward as (partition by member_id order by level rows unbounded preceding)) as summed`;

/**
 * SQL for the hash of a block of lines, an aggregate: a line each, in the order of members and levels, of everything it
 * says. Null without any.
 */
export const hashOfLines: RawBuilder<unknown> = sql`
  sha256(convert_to(string_agg(concat_ws(' ', member_id, level, traders, volume, trade_fees, performance_fees, bonus_bps, bonus,
    profit_bps, team_profit, active_directs, coalesce(reason, 'paid')) || chr(10), '' order by member_id, level), 'UTF8'))`;

/** SQL for the hash of a block of members who traded, as `hashOfLines`: what was shared out of whose fees. */
export const hashOfTraders: RawBuilder<unknown> = sql`
  sha256(convert_to(string_agg(concat_ws(' ', member_id, volume, trade_fees, performance_fees) || chr(10), '' order by member_id), 'UTF8'))`;

/** SQL for what lines come to in all, aggregates over lines. */
export const sumsOfLines: RawBuilder<unknown> = sql`
  ledger.bigint_sum(bonus) filter (where level = 1) as referral_bonus,
  ledger.bigint_sum(bonus) filter (where level > 1) as level_bonus,
  ledger.bigint_sum(team_profit) as team_profit`;
