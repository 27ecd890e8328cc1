import { type RawBuilder, sql } from 'kysely';
import { allOfFees, type FeeShares, type Ratio, type Shareable } from '../core/waterfall.ts';

/**
 * Why a level pays a beneficiary `b` nothing, or null when it pays (docs/product.md, section 6): the company and closed
 * accounts earn nothing, level 1 requires an active member, and level n also n active directs. With 3 active directs
 * level 3 pays, and level 4 is missed for `directs`.
 */
const beneficiaryReason = (level: RawBuilder<unknown>) => sql`
  case
    when b.is_company then 'company'
    when b.is_closed then 'closed'
    when not b.is_active then 'inactive'
    when ${level} > 1 and b.active_directs < ${level} then 'directs'
  end`;

/** Converts ten-thousandths to micros, less the execution cost; only a session with such a cost needs numerics. */
const microsOf = (parts: RawBuilder<unknown>, { left, of }: Ratio): RawBuilder<unknown> =>
  left === of
    ? sql`${parts} / 10000`
    : sql`div(${parts}::numeric * ${left.toString()}::numeric, ${(of * 10_000n).toString()}::numeric)::bigint`;

/**
 * The lines of a session, with the columns of `income.bonus_line` except its day. The only place that computes amounts,
 * for runs, replays and dry runs. A member gets at most three transfers, each rounded down once: the referral bonus
 * (level 1), the level bonus (levels 2 to 10 together) and team profit (levels 1 to 3 together). A level's amount is the
 * increase of the rounded running sum, so that the lines add up to the transfer exactly.
 *
 * Level 2 with fees of 199 micros and level 3 with 199, at 10 % and 6 %: 19.9 and 11.94 make a transfer of 31; the
 * lines are 19 and 12. With an execution cost of a quarter of the trade fees, 23.88 are distributed: the lines are 14
 * and 9.
 *
 * Bigint suffices for fees of 9·10⁸ dollars a session times basis points, and overflows with an error beyond; numerics
 * would take a sixth of the run's time. `offset 0` keeps PostgreSQL from evaluating a member's qualification again
 * wherever the reason is used.
 *
 * @param sums a relation of `level, member_id, traders, volume, trade_fees, performance_fees`; level 0 and levels
 * without traders have no line
 * @param beneficiaries a relation of `member_id, is_company, is_closed, is_active, active_directs`, a row per member
 * with a line
 * @param shareable the part of the session's fees that is distributed
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
 * SQL aggregate for the hash of a batch of lines, over all their columns, ordered by member and level. Null without
 * any.
 */
export const hashOfLines: RawBuilder<unknown> = sql`
  sha256(convert_to(string_agg(concat_ws(' ', member_id, level, traders, volume, trade_fees, performance_fees, bonus_bps, bonus,
    profit_bps, team_profit, active_directs, coalesce(reason, 'paid')) || chr(10), '' order by member_id, level), 'UTF8'))`;

/** SQL aggregate for the hash of a batch of traders and their fees, as `hashOfLines`. */
export const hashOfTraders: RawBuilder<unknown> = sql`
  sha256(convert_to(string_agg(concat_ws(' ', member_id, volume, trade_fees, performance_fees) || chr(10), '' order by member_id), 'UTF8'))`;

/** SQL aggregates for the sums of lines. */
export const sumsOfLines: RawBuilder<unknown> = sql`
  ledger.bigint_sum(bonus) filter (where level = 1) as referral_bonus,
  ledger.bigint_sum(bonus) filter (where level > 1) as level_bonus,
  ledger.bigint_sum(team_profit) as team_profit`;
