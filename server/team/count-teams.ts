import { type RawBuilder, sql } from 'kysely';
import { teamLevels } from '#contract/team.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { getValue, listRows, prepared } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';

/** Current team sizes per level; the result has an entry for every requested member. */
export async function countTeams(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, TeamCount>> {
  const counts = new Map(memberIds.map((id) => [id, Array<bigint>(teamLevels).fill(0n)]));
  for (const row of await listLevelCounts(db, memberIds, await findCountWatermark(db))) {
    (counts.get(row.member_id) as bigint[])[row.level - 1] = row.members;
  }
  return new Map([...counts].map(([id, byLevel]) => [id, { byLevel, total: byLevel.reduce((a, b) => a + b, 0n) }]));
}

/**
 * Rolls members who signed up since the last run into the stored counts, so that counting a team stays cheap. Safe to
 * run at any time by several workers; it does not change any count.
 *
 * @returns the new watermark: the transaction before which all members are rolled up
 */
export const sumTeamCounts = ({ db }: Context): Promise<bigint> =>
  inTransaction(db, async (tx) => addCounts(tx, await lockWatermark(tx)));

/** Team size: at levels 1 to 10, and in total. */
export type TeamCount = { readonly byLevel: readonly bigint[]; readonly total: bigint };

/**
 * SQL for `member_id, level, members` of sign-ups since the last rollup. The watermark read in the statement decides
 * which rows count; `sinceTx`, read earlier and never above it, tells the planner that they are few.
 */
const recent = (sinceTx: bigint, of: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select place.member_id, place.level::smallint as level, count(*) as members
  from team.count_horizon h
  join team.node n on n.tx >= h.tx and n.tx >= ${sinceTx}::bigint
  cross join lateral unnest(n.upline) with ordinality as place(member_id, level)
  where place.member_id in (${of})
  group by 1, 2`;

/** The transaction before which members are rolled up; it never decreases. */
export const findCountWatermark = (db: Db): Promise<bigint> =>
  getValue(db)<bigint>`${prepared} select tx from team.count_horizon`;

type LevelCount = { readonly member_id: bigint; readonly level: number; readonly members: bigint };

/** Has no row for an empty level. */
async function listLevelCounts(db: Db, memberIds: readonly bigint[], sinceTx: bigint): Promise<LevelCount[]> {
  const of = sql`select unnest(${memberIds}::bigint[])`;
  return listRows(db)<LevelCount>`
    select member_id, level, sum(members)::bigint as members from (
      select c.member_id, c.level, c.members from team.level_count c where c.member_id = any(${memberIds}::bigint[])
      union all ${recent(sinceTx, of)}) as part
    group by 1, 2`;
}

/**
 * SQL for `member_id, members` (of all ten levels) of the members of a relation `member_id`. `sinceTx`:
 * `findCountWatermark`.
 */
export const teamSizes = (members: RawBuilder<unknown>, sinceTx: bigint): RawBuilder<unknown> => sql`
  select part.member_id, sum(part.members)::bigint as members from (
    select asked.member_id, 0::bigint as members from (${members}) as asked
    union all
    select c.member_id, c.members from (${members}) as asked join team.level_count c on c.member_id = asked.member_id
    union all
    select place.member_id, place.members from (${recent(sinceTx, members)}) as place) as part
  group by 1`;

/** Serializes rollups until the transaction ends. */
const lockWatermark = (tx: Tx): Promise<bigint> => getValue(tx)<bigint>`select tx from team.count_horizon for update`;

/**
 * Adds the rows from `fromTx` up to, but excluding, the oldest transaction still in progress, and returns the latter.
 * Both come from one snapshot, so every earlier transaction has ended and is visible.
 */
const addCounts = (tx: Tx, fromTx: bigint): Promise<bigint> =>
  getValue(tx)<bigint>`
    with added as (
      insert into team.level_count (member_id, level, members)
      select place.member_id, place.level, count(*)
      from team.node n cross join lateral unnest(n.upline) with ordinality as place(member_id, level)
      where n.tx >= ${fromTx}::bigint and n.tx < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      group by 1, 2 order by 1, 2
      on conflict (member_id, level) do update set members = level_count.members + excluded.members)
    update team.count_horizon set tx = pg_snapshot_xmin(pg_current_snapshot())::text::bigint returning tx`;
