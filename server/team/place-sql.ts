import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import { teamLevels } from '#contract/team.ts';
import type { Db } from '#server/db/connect.ts';
import { findValue, listValues, prepared } from '#server/db/rows.ts';

/** SQL for `member_id, sponsor_id` of all members; the company's sponsor is null. */
export const sponsorLinks: RawBuilder<unknown> = sql`select member_id, sponsor_id from team.node`;

/** SQL for `member_id, upline` of all members: ids of up to ten ancestors, the sponsor first. */
export const uplines: RawBuilder<unknown> = sql`select member_id, upline from team.node`;

/** SQL for the highest member id. */
export const lastMemberId: RawBuilder<unknown> = sql`select max(member_id) from team.node`;

/**
 * SQL for the ancestor at a level above `n`, a row of team.node. The level is a literal, not a parameter: each level
 * has its own index, which the planner only uses when it knows the level.
 */
export function above(level: number): RawBuilder<unknown> {
  assert(Number.isInteger(level) && level >= 1 && level <= teamLevels, `there is no level ${level}`);
  return sql`n.upline[${sql.lit(level)}]`;
}

export type PageOfLevel = {
  readonly memberId: bigint;
  readonly level: number;
  /** Only members who joined before this one. */
  readonly before?: bigint | undefined;
  readonly limit: number;
};

/** SQL for `member_id` of those at one level below a member who match a filter on `n`. */
export const membersWith = (memberId: bigint, level: number, filter: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select n.member_id from team.node n where ${above(level)} = ${memberId}::bigint and ${filter}`;

/** SQL for `member_id` of all at one level below a member. */
export const levelMembers = (memberId: bigint, level: number): RawBuilder<unknown> =>
  membersWith(memberId, level, sql`true`);

/** Greater than every id. */
const AFTER_ALL = 9_223_372_036_854_775_807n;

/**
 * SQL that reads a level newest first, from the index of that level only. Ordering by the ancestor as well keeps the
 * planner from scanning the primary key backwards, which is slow where the level's members joined long ago. `filter` is
 * on `n`.
 */
export const levelPage = (
  { memberId, level, before, limit }: PageOfLevel,
  filter: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => sql`
  select n.member_id from team.node n
  where (${above(level)}, n.member_id) >= (${memberId}::bigint, 0) and ${above(level)} is not null
    and (${above(level)}, n.member_id) < (${memberId}::bigint, ${before ?? AFTER_ALL}::bigint) and ${filter}
  order by ${above(level)} desc, n.member_id desc limit ${limit}`;

export const listMemberIds = (db: Db, query: RawBuilder<unknown>): Promise<bigint[]> => listValues(db)`${query}`;

/** Up to ten ancestors of a member, the sponsor first. */
export async function findUpline(db: Db, memberId: bigint): Promise<bigint[]> {
  const upline = await findValue(db)<bigint[]>`
    select upline from team.node where member_id = ${memberId}`;
  return upline ?? [];
}

/**
 * The level of a member below an ancestor, 1 for a direct; undefined when not in the ancestor's team, which has ten
 * levels and excludes the ancestor.
 */
export async function findLevel(db: Db, ancestorId: bigint, memberId: bigint): Promise<number | undefined> {
  const level = await findValue(db)<number | null>`
    ${prepared} select array_position(upline, ${ancestorId}::bigint) from team.node where member_id = ${memberId}`;
  return level ?? undefined;
}
