import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { getRow, getValue, listRows } from '#server/db/rows.ts';
import type { FeePlan } from '#server/fee-plans/index.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { isClosedIn } from '../close-member.ts';
import { SHARED_POOL } from '../core/contribution.ts';
import { claimableMessage, monthlyMessage } from '../core/messages.ts';
import { activeAfter, monthName } from '../core/periods.ts';
import { legCap } from '../core/rank.ts';
import { batchContributions, contributions, flagsOf } from './contribution-sql.ts';
import { type PeriodDays, type PeriodRules, storeLines } from './period-lines.ts';
import { allMembers, type MemberRange } from './period-sql.ts';

/** Terms of a month's ranks, Bronze first. */
type MonthTerms = Pick<FeePlan, 'ranks' | 'legCapBps'>;
type Ranks = MonthTerms['ranks'];

/** Ranks whose rewards became claimable, lowest first. */
type ReachedRanks = { readonly memberId: bigint; readonly ranks: readonly number[] };

/**
 * Monthly income by rank (docs/product.md, section 6): at most the rank's income and at most the contribution. Under
 * rule 1 all are scaled by one factor when the pool is short. The rewards of ranks reached for the first time become
 * claimable, even while the month's payment is held; under rule 2 only that of the highest rank.
 */
export const monthlyRules: PeriodRules = {
  /** The total due from an unlimited pool, and the number of members with something due. */
  totals: (month, plan) => {
    if (month.rule === SHARED_POOL)
      return sql`
        select coalesce(sum(nominal), 0) as total, count(*) filter (where reason is null) as qualified, null::bytea as flags
        from (${sharedOutcomes(month, plan, allMembers)}) as outcome`;
    return sql`
      with outcome as materialized (${rankedOutcomes(month, plan)}),
      flagged as materialized (${flagsOf(sql`select member_id, is_paid, is_rewarded from outcome where is_paid or is_rewarded`)})
      select coalesce(sum(r.monthly), 0) as total, count(*) as qualified, (select flags from flagged) as flags
      from outcome o join ${rankRows(plan.ranks)} on r.rank = o.rank where o.is_paid`;
  },

  contributionsOf: (startsOn) => ({
    pools: 'two',
    traders: sql`
      select member_id, own_month_put as put, own_reward_put as reward_put from income.standing
      where month = ${startsOn}::date and (own_month_put > 0 or own_reward_put > 0)`,
  }),

  // The total due from an unlimited pool was computed when the run began.
  totalOf: () => sql`total`,

  /**
   * Under rule 1 a pool that is short scales all by pool ÷ total, rounded down to the micro (docs/product.md, section
   * 6): with $3 in the pool for a total of $4, $2 become $1.50. Under rule 2 a member gets the contributed part, at most
   * the rank's income. Also stores the legs that determine the ranks.
   */
  async computeBatch(tx, run, plan, { no, ...range }) {
    const { startsOn, rule, pool, total } = run;
    const isShared = rule === SHARED_POOL;
    const inBlock = sql`s.member_id > ${range.after} and s.member_id <= ${range.upTo}`;
    const outcomes = isShared
      ? sql`
        select o.*, o.counted[coalesce(o.rank, 1)] as volume,
          case when ${pool}::numeric < ${total.toString()}::numeric
            then div(o.nominal::numeric * ${pool}::numeric, ${total.toString()}::numeric)::bigint else o.nominal end as paid
        from (${sharedOutcomes(run, plan, range)} and ${inBlock}) as o`
      : sql`
        select o.*, o.counted[coalesce(o.rank, 1)] as volume, least(o.nominal, o.contributed) as paid
        from (${contributedOutcomes(run, plan, range)} and ${inBlock} offset 0) as o`;
    const reached = await listRows(tx)<ReachedRanks>`
      with ${isShared ? sql`` : sql`part as materialized (${batchContributions(run, { no, ...range })}),`}
      settled as materialized (${outcomes}),
      ${storeLines(run, no, {
        digest: isShared
          ? sql`concat_ws(' ', member_id, coalesce(rank, 0), team_volume, volume, contributed, nominal, paid, coalesce(reason, 'paid'))`
          : sql`concat_ws(' ', member_id, coalesce(rank, 0), team_volume, volume, contributed, nominal, paid, coalesce(reason, 'paid'), reward_contributed)`,
        columns: sql`rank, team_volume, volume, contributed, nominal, paid, reason`,
      })},
      legs as (
        insert into income.month_leg (sponsor_id, month, volume, member_id)
        select sponsor_id, ${startsOn}::date, volume, member_id
        from (${legsOf(startsOn, range)}) as leg where exists (select from block) order by sponsor_id, volume, member_id),
      reached as (
        insert into income.reward (member_id, rank, month, nominal)
        select member_id, rank, ${startsOn}::date, nominal from (${isShared ? sharedRewards(plan) : contributedRewards(plan)}) as one
        -- A rank without a contribution to the pool can be reached again in a later month.
        where nominal > 0 and exists (select from block)
        order by member_id, rank
        on conflict do nothing
        returning member_id, rank)
      select member_id as "memberId", array_agg(rank::int order by rank) as ranks
      from reached group by member_id order by member_id`;
    const month = monthName(startsOn);
    await notifyMembers(
      tx,
      reached.flatMap(({ memberId, ranks }) =>
        ranks.map((rank) => ({ memberId, kind: 'reward_claimable', message: claimableMessage({ month, rank }) })),
      ),
    );
  },

  message({ startsOn, rank, paid }) {
    assert(rank !== null, 'a month pays ranks');
    return monthlyMessage({ month: monthName(startsOn), rank, paid });
  },
};

/**
 * Rewards under rule 1 of ranks that members of `settled` reached: each at most the contribution of the rank's volume.
 */
const sharedRewards = ({ ranks }: MonthTerms) => sql`
  select s.member_id, r.rank, least(r.reward, p.contributed) as nominal
  from (select member_id, counted, month_put_rewards, team_volume as month_team_volume from settled
    where rank is not null and sponsor_id is not null and reason is distinct from 'closed') as s
  join ${rankRows(ranks)} on s.counted[r.rank] >= r.required
  cross join lateral (select ${contributed(sql`s.month_put_rewards`)} as contributed) as p`;

/** Rewards under rule 2: only the highest rank, if new and with a contribution to the rewards pool's fill. */
const contributedRewards = ({ ranks }: MonthTerms) => sql`
  select s.member_id, r.rank, least(r.reward, s.reward_contributed) as nominal
  from settled s join ${rankRows(ranks)} on r.rank = s.rank where s.reward_contributed > 0`;

/**
 * Outcomes of a month under rule 1 for members whose team traded: `member_id, rank, counted, team_volume, contributed,
 * nominal, reason`. `nominal` is 0 for members who get nothing.
 */
const sharedOutcomes = (period: PeriodDays, terms: MonthTerms, range: MemberRange): RawBuilder<unknown> =>
  monthOutcomes(period, terms, range, {
    columns: sql`s.month_put_rewards, coalesce(k.contributed, 0) as contributed,
    case when o.reason is null then least(k.monthly, k.contributed) else 0 end as nominal`,
    joins: sql`
  left join lateral (
    select r.monthly, ${contributed(sql`s.month_put_monthly`)} as contributed
    from ${rankRows(terms.ranks)} where r.rank = c.rank) as k on true`,
  });

/**
 * The same under rule 2, with the contributed parts of the rewards pool for new ranks: `batchContributions` as `part`.
 */
const contributedOutcomes = (period: PeriodDays, terms: MonthTerms, range: MemberRange): RawBuilder<unknown> => {
  const partOf = (column: RawBuilder<unknown>) => sql`(select ${column} from part)[s.member_id - ${range.after}]`;
  return monthOutcomes(period, terms, range, {
    columns: sql`${partOf(sql`contributed`)} as contributed, ${partOf(sql`reward_contributed`)} as reward_contributed,
    case when o.reason is null then k.monthly else 0 end as nominal`,
    joins: sql`
  left join ${rankRows(terms.ranks)} on r.rank = c.rank
  cross join lateral (select r.monthly) as k`,
  });
};

/** Members paid by the month, and members who reached a new rank in it. */
const rankedOutcomes = (month: PeriodDays, terms: MonthTerms): RawBuilder<unknown> => sql`
  select o.member_id, o.rank, o.reason is null as is_paid,
    -- A new rank is above every rank with an earlier reward.
    o.rank is not null and o.reason is distinct from 'company' and o.reason is distinct from 'closed'
      and o.rank > coalesce(before.rank, 0) as is_rewarded
  -- offset 0 keeps the planner from inlining it and computing it for every use.
  from (${monthOutcomes(month, terms, allMembers, { columns: sql`null as unused`, joins: sql`` })} offset 0) as o
  left join (select member_id, max(rank) as rank from income.reward group by member_id) as before on before.member_id = o.member_id`;

/**
 * What a month would pay for given contributions under rule 2: one row with `paid`. Uses the ranks of the month so far.
 *
 * @param traders a query of `member_id, put, reward_put`, in micros
 */
export const monthlyPaymentOf = (
  month: PeriodDays,
  terms: MonthTerms,
  traders: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  with outcome as materialized (${monthOutcomes(month, terms, allMembers, { columns: sql`null as unused`, joins: sql`` })}),
  ${contributions(sql`select member_id, true as is_paid, false as is_rewarded from outcome where reason is null`, traders)}
  select coalesce(sum(least(r.monthly, p.contributed)), 0)::bigint as paid
  from part p join outcome o on o.member_id = p.member_id join ${rankRows(terms.ranks)} on r.rank = o.rank`;

/**
 * Members whose team traded in a month, with their rank, and the reason if they get nothing; each rule adds columns.
 */
const monthOutcomes = (
  { startsOn, lastSession }: PeriodDays,
  { ranks, legCapBps }: MonthTerms,
  range: MemberRange,
  rule: { readonly columns: RawBuilder<unknown>; readonly joins: RawBuilder<unknown> },
): RawBuilder<unknown> => sql`
  select s.member_id, s.sponsor_id, c.rank, c.counted, s.month_team_volume as team_volume, ${rule.columns}, o.reason
  from income.standing s
  join (
    select sponsor_id, counted, ${highestRank(ranks, sql`counted`)} as rank
    from (
      select sponsor_id, ${countedByRank(ranks, legCapBps, sql`volume`)} as counted
      from (${legsOf(startsOn, range)}) as leg group by sponsor_id) as summed) as c on c.sponsor_id = s.member_id
  ${rule.joins}
  cross join lateral (
    select case
      when s.sponsor_id is null then 'company'
      when ${isClosedIn('monthly', startsOn, sql`s.member_id`)} then 'closed'
      when s.last_traded_on is null or s.last_traded_on <= ${activeAfter(lastSession)}::date then 'inactive'
      when c.rank is null then 'rank'
    end as reason) as o
  where s.month = ${startsOn}::date and s.month_team_volume > 0`;

/**
 * The team volume that counts for each rank, Bronze first, as an aggregate over a member's legs: Σ min(leg, 60 % of the
 * required volume). Legs of $4,000 and $2,000 count $3,000 + $2,000 = $5,000, which is Bronze; a single leg of a million
 * counts $3,000, which is not.
 */
const countedByRank = (ranks: Ranks, legCapBps: number, leg: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`array[${sql.join(
    ranks.map(({ volume }) => sql`coalesce(sum(least(${leg}, ${legCap(volume, legCapBps)}::bigint)), 0)::bigint`),
  )}]`;

/** `core/rank.ts`, `findRank`, in SQL: the highest rank whose counted volume suffices, or null. */
const highestRank = (ranks: Ranks, counted: RawBuilder<unknown>): RawBuilder<unknown> => {
  const rules = ranks.map(({ volume }, index) => {
    const no = sql.lit(index + 1);
    return sql`when ${counted}[${no}] >= ${volume}::bigint then ${no}`;
  });
  return sql`case ${sql.join(rules.toReversed(), sql` `)} end`;
};

const rankRows = (ranks: Ranks): RawBuilder<unknown> => sql`
  unnest(${ranks.map(({ volume }) => volume.toString())}::bigint[], ${ranks.map(({ monthly }) => monthly.toString())}::bigint[],
    ${ranks.map(({ reward }) => reward.toString())}::bigint[]) with ordinality as r(required, monthly, reward, rank)`;

/**
 * For a rank `r` and a standing `s`, the pool contribution of the volume that the rank requires. It limits what the rank
 * pays, so that ranks cannot be farmed (docs/product.md, section 6). A team that traded $10,000 in the month and
 * contributed $4 to the pool has contributed $2 for the $5,000 that Bronze requires.
 *
 * @param put the team's contribution, in basis points of a micro: Σ trade fees × the pool's share
 */
const contributed = (put: RawBuilder<unknown>) =>
  sql`div(r.required::numeric * ${put}, s.month_team_volume::numeric * 10000)::bigint`;

/** Legs of a month of the sponsors in a range: `sponsor_id, member_id, volume`. */
const legsOf = (startsOn: string, range: MemberRange): RawBuilder<unknown> => sql`
  select sponsor_id, member_id, month_leg_volume as volume from income.standing
  where sponsor_id > ${range.after} and sponsor_id <= ${range.upTo} and month = ${startsOn}::date and month_leg_volume > 0`;

/** The largest legs of a paid month, and their total number. */
export async function listMonthLegs(
  db: Db,
  { memberId, month, limit }: { memberId: bigint; month: string; limit: number },
): Promise<{ legs: { memberId: bigint; volume: bigint }[]; count: bigint }> {
  const own = sql`sponsor_id = ${memberId} and month = ${month}::date`;
  const legs = await listRows(db)<{ memberId: bigint; volume: bigint }>`
    select member_id as "memberId", volume from income.month_leg
    where ${own} order by volume desc, member_id desc limit ${limit}`;
  return { legs, count: await getValue(db)<bigint>`select count(*) from income.month_leg where ${own}` };
}

export type MonthQualification = {
  readonly lastTradedOn: string | null;
  readonly teamVolume: bigint;
  /** Counted volume per rank so far, Bronze first. */
  readonly counted: readonly bigint[];
};

/** A member's qualification in the current month. */
export async function getMonthQualification(
  db: Db,
  memberId: bigint,
  { month, ranks, legCapBps }: MonthTerms & { readonly month: string },
): Promise<MonthQualification> {
  const { lastTradedOn, teamVolume, counted } = await getRow(db)<{
    lastTradedOn: string | null;
    teamVolume: bigint;
    counted: string[];
  }>`
    select own.last_traded_on::text as "lastTradedOn", coalesce(own.volume, 0) as "teamVolume", legs.counted::text[] as counted
    from (
      select ${countedByRank(ranks, legCapBps, sql`month_leg_volume`)} as counted from income.standing
      where sponsor_id = ${memberId} and month = ${month}::date and month_leg_volume > 0) as legs
    left join (
      select last_traded_on, case when month = ${month}::date then month_team_volume else 0 end as volume
      from income.standing where member_id = ${memberId}) as own on true`;
  return { lastTradedOn, teamVolume, counted: counted.map(BigInt) };
}
