import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { getRow } from '#server/db/rows.ts';
import { lastMemberId, uplines } from '#server/team/index.ts';
import type { PeriodRule } from '../core/contribution.ts';
import type { MemberRange } from './period-sql.ts';

/** The rule of a week or month that begins on a day (docs/product.md, section 6). */
export async function getPeriodRule(db: Db, startsOn: string): Promise<PeriodRule> {
  const { rule } = await getRow(db)<{ rule: PeriodRule }>`
    select rule::int as rule from income.period_rule where begins_on <= ${startsOn}::date order by begins_on desc limit 1`;
  return rule;
}

/** What members of a range who qualified contributed. Rewards are of a month. */
export const storedContributions = (
  kind: 'weekly' | 'monthly' | 'rewards',
  startsOn: string,
  { after, upTo }: MemberRange,
): RawBuilder<unknown> => sql`
  select member_id, contributed from income.contribution
  where kind = ${kind} and starts_on = ${startsOn}::date and member_id > ${after} and member_id <= ${upTo}`;

/** What is divided and summed, of the pool of a week or of both pools of a month. */
const sumsOf = {
  one: {
    names: sql`part`,
    parts: sql`put / sharers as part`,
    sums: sql`sum(part) as contributed, 0 as reward_contributed`,
  },
  // Sixteenths count the one pool, what is left over the other: there are ten above at most.
  two: {
    names: sql`part, reward_part`,
    parts: sql`put / greatest(sharers & 15, 1) as part, reward_put / greatest(sharers >> 4, 1) as reward_part`,
    sums: sql`sum(part) filter (where flag & 15 > 0) as contributed, sum(reward_part) filter (where flag & 16 > 0) as reward_contributed`,
  },
} as const;

/**
 * Parts of a `with` clause that ends with `part`: `member_id, is_paid, contributed, is_rewarded, reward_contributed` of each who qualifies for
 * a pool; `core/contribution.ts`, `contributionsOf`, word for word in SQL, of two pools at once.
 *
 * Every trader is read once and looks those above up in a string with a byte for each id: 1 for who qualifies, 16 for who reached a new rank.
 * Joined instead, ten rows a trader would be hashed, sorted and spilled. Of a period with one pool nothing is asked or summed for the
 * other, with each of the ten.
 *
 * @param qualified a query of `member_id, is_paid, is_rewarded`, of members with either; in one pool all are paid and none is rewarded
 * @param traders a query of `member_id, put, reward_put`, in micros; those whose fees put nothing in may be left out
 */
export const contributions = (
  qualified: RawBuilder<unknown>,
  traders: RawBuilder<unknown>,
  pools: keyof typeof sumsOf = 'two',
): RawBuilder<unknown> => sql`
  qualified as materialized (${qualified}),
  flagged as materialized (
    select string_agg(case when q.is_paid and q.is_rewarded then '\\x11'::bytea when q.is_paid then '\\x01' when q.is_rewarded then '\\x10' else '\\x00' end,
      ''::bytea order by one.id) as flags
    from generate_series(0, (${lastMemberId})) as one(id) left join qualified q on q.member_id = one.id),
  split as (
    select upline, ${sumsOf[pools].parts}
    from (
      select n.upline, t.put, t.reward_put, ${sharersOf(sql`n.upline`)} as sharers
      from (${traders}) as t join (${uplines}) as n on n.member_id = t.member_id
      offset 0) as counted
    where sharers > 0),
  summed as (
    select id, ${sumsOf[pools].sums}
    from (
      select above.*, ${flagOf(sql`id`)} as flag
      from (select unnest(upline) as id, ${sumsOf[pools].names} from split) as above
      offset 0) as flagged_above
    where flag > 0 group by id),
  part as materialized (
    select q.member_id, q.is_paid, q.is_rewarded, coalesce(s.contributed, 0)::bigint as contributed,
      coalesce(s.reward_contributed, 0)::bigint as reward_contributed
    from qualified q left join summed s on s.id = q.member_id)`;

const flagOf = (id: RawBuilder<unknown>) => sql`get_byte((select flags from flagged), ${id}::int)`;

const sharersOf = (upline: RawBuilder<unknown>) =>
  sql.join(
    Array.from({ length: 10 }, (_, index) => sql`coalesce(${flagOf(sql`${upline}[${sql.lit(index + 1)}]`)}, 0)`),
    sql` + `,
  );
