import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getValue } from '#server/db/rows.ts';
import { lastMemberId, uplines } from '#server/team/index.ts';
import type { MemberBatch } from '#server/trading/index.ts';
import { sessionWorkMem } from '../bonus/level-sum-sql.ts';
import type { PeriodRule } from '../core/contribution.ts';
import type { PeriodKind } from '../core/periods.ts';
import { allMembers, idsOf, type MemberRange } from './period-sql.ts';

/** The rule of a week or month that begins on a day (docs/product.md, section 6). */
export const getPeriodRule = (db: Db, startsOn: string): Promise<PeriodRule> =>
  getValue(db)<PeriodRule>`
    select rule::int as rule from income.period_rule where begins_on <= ${startsOn}::date order by begins_on desc limit 1`;

/** Columns to divide and sum, for the pool of a week or both pools of a month. */
const sumsOf = {
  one: {
    names: sql`part`,
    parts: sql`put / sharers as part`,
    sums: sql`sum(part)::bigint as contributed, 0::bigint as reward_contributed`,
  },
  // Two counters in one integer, as there are at most ten ancestors: the low four bits are for the first pool.
  two: {
    names: sql`part, reward_part`,
    parts: sql`put / greatest(sharers & 15, 1) as part, reward_put / greatest(sharers >> 4, 1) as reward_part`,
    sums: sql`coalesce(sum(part) filter (where flag & 15 > 0), 0)::bigint as contributed,
      coalesce(sum(reward_part) filter (where flag & 16 > 0), 0)::bigint as reward_contributed`,
  },
} as const;
export type Pools = keyof typeof sumsOf;

/**
 * A query of one row: `flags`, a string with a byte per member id, 1 for qualifying members and 16 for those with a new
 * rank; and the number `qualified` for either.
 *
 * @param qualified a query of `member_id, is_paid, is_rewarded`, of members with either; with one pool all are paid and
 *   none is rewarded
 */
export const flagsOf = (qualified: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select coalesce(string_agg(case when gap = 0 then flag else ${zeros(sql`gap`)} || flag end, ''::bytea order by member_id), '')
    || ${zeros(sql`(${lastMemberId}) - coalesce(max(member_id), -1)`)} as flags, count(*) as qualified
  from (
    select member_id, case when is_paid and is_rewarded then '\\x11'::bytea when is_paid then '\\x01' else '\\x10' end as flag,
      -- A join with all ids would take twice as long.
      member_id - 1 - lag(member_id, 1, -1::bigint) over (order by member_id) as gap
    from (${qualified}) as q) as one`;

const zeros = (count: RawBuilder<unknown>) => sql`decode(repeat('00', (${count})::int), 'hex')`;

/**
 * A query of `member_id, contributed, reward_contributed` of qualifying members with a contributed part, for two pools
 * at once: for each trader below, floor(contribution ÷ k), where k is the number of qualifying members among the
 * trader's ten ancestors. Contributions without one, and rounding remainders, are assigned to nobody, so the parts never
 * exceed the contributions. $4 contributed by a trader with two qualifying ancestors are $2 for each of them; with one,
 * $4 for that one.
 *
 * Reads every trader once and looks up the ancestors in the flags. A join would hash, sort and spill ten rows per
 * trader. For a period with one pool, nothing is computed for the other.
 *
 * @param flags the string that `flagsOf` makes, not read from a table, as it is accessed ten times per trader
 * @param traders a query of `member_id, put, reward_put`, in micros; traders without a contribution may be missing
 */
export const sumContributions = (
  flags: RawBuilder<unknown>,
  traders: RawBuilder<unknown>,
  { after, upTo }: MemberRange,
  pools: Pools,
): RawBuilder<unknown> => {
  const flagOf = (id: RawBuilder<unknown>) => sql`get_byte(${flags}, ${id}::int)`;
  const flagsAbove = Array.from(
    { length: 10 },
    (_, index) => sql`coalesce(${flagOf(sql`upline[${sql.lit(index + 1)}]`)}, 0)`,
  );
  return sql`
    select id as member_id, ${sumsOf[pools].sums}
    from (
      select above.*, ${flagOf(sql`id`)} as flag
      from (
        select unnest(upline) as id, ${sumsOf[pools].names}
        from (
          select upline, ${sumsOf[pools].parts}
          from (
            select upline, put, reward_put, ${sql.join(flagsAbove, sql` + `)} as sharers
            from (
              -- Unpacked once instead of at every access.
              select n.upline || '{}'::bigint[] as upline, t.put, t.reward_put
              from (${traders}) as t join (${uplines}) as n on n.member_id = t.member_id
              where n.member_id > ${after} and n.member_id <= ${upTo} and t.member_id > ${after} and t.member_id <= ${upTo}
              offset 0) as trader
            offset 0) as counted
          where sharers > 0) as split) as above
      offset 0) as flagged_above
    where flag > 0 group by id`;
};

/**
 * CTEs ending with `part`: `member_id, contributed` of each qualifying member for a single pool. @see sumContributions
 */
export const contributions = (qualified: RawBuilder<unknown>, traders: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  qualified as materialized (${qualified}),
  flagged as materialized (${flagsOf(sql`select * from qualified`)}),
  summed as (${sumContributions(sql`(select flags from flagged)`, traders, allMembers, 'one')}),
  part as materialized (
    select q.member_id, coalesce(s.contributed, 0) as contributed
    from qualified q left join summed s on s.member_id = q.member_id)`;

type Key = { readonly kind: PeriodKind; readonly startsOn: string };

/** A range of 65 536 trader ids: two connections sum a chunk each, and a chunk's result fits in memory. */
export type TraderChunk = MemberRange & { readonly no: bigint };

const CHUNK_MEMBERS = 65_536n;

export function chunkOf(memberId: bigint): TraderChunk {
  const no = memberId / CHUNK_MEMBERS;
  const after = no * CHUNK_MEMBERS - 1n;
  return { no, after, upTo: after + CHUNK_MEMBERS };
}

/** Contributions of a period's traders to its pools: a query of `member_id, put, reward_put`, in micros, not both 0. */
export type PoolContributions = { readonly traders: RawBuilder<unknown>; readonly pools: Pools };

/** Stores a chunk of traders' parts for each qualifying ancestor, unless the chunk or the whole sum is done. */
export async function insertContributions(
  tx: Tx,
  { kind, startsOn }: Key,
  { no, ...range }: TraderChunk,
  { traders, pools }: PoolContributions,
): Promise<void> {
  await execute(tx)`select ${sessionWorkMem}`;
  await execute(tx)`
    with flagged as materialized (
      -- Concatenated with an empty string, so that it is not read from the table at every access.
      select flags || ''::bytea as flags from income.period_run where kind = ${kind} and starts_on = ${startsOn}::date and flags is not null)
    insert into income.contribution (kind, starts_on, no, chunk, contributors, contributed, reward_contributed)
    select ${kind}, ${startsOn}::date, member_id / 4096, ${no}::int, array_agg(member_id), array_agg(contributed),
      ${pools === 'two' ? sql`array_agg(reward_contributed)` : sql`null::bigint[]`}
    from (${sumContributions(sql`(select flags from flagged)`, traders, range, pools)}) as summed
    where exists (select from flagged) and not exists (
      select from income.contribution where kind = ${kind} and starts_on = ${startsOn}::date and chunk = ${no}::int)
    group by member_id / 4096 order by member_id / 4096
    on conflict do nothing`;
}

/** A query of `contributed`: the sum of all contributed parts of a period's own fill. */
export const sumOfContributions = ({ kind, startsOn }: Key): RawBuilder<unknown> => sql`
  select coalesce(sum(part), 0) as contributed
  from income.contribution c cross join lateral unnest(c.contributed) as part
  where c.kind = ${kind} and c.starts_on = ${startsOn}::date`;

/** A query of one row with the contributed parts of a batch of members: arrays with an element per id, in id order. */
export const batchContributions = ({ kind, startsOn }: Key, { no, ...range }: MemberBatch): RawBuilder<unknown> => sql`
  select array_agg(contributed order by member_id) as contributed, array_agg(reward_contributed order by member_id) as reward_contributed
  from (
    select member_id, sum(contributed)::bigint as contributed, sum(reward_contributed)::bigint as reward_contributed
    from (
      select member_id, 0::bigint as contributed, 0::bigint as reward_contributed from (${idsOf(range)}) as id
      union all
      select part.* from income.contribution c
      cross join lateral unnest(c.contributors, c.contributed, c.reward_contributed) as part
      where c.kind = ${kind} and c.starts_on = ${startsOn}::date and c.no = ${no}::int) as part
    group by member_id) as whole`;
