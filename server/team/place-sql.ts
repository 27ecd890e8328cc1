import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import { teamLevels } from '#contract/team.ts';
import type { Db } from '#server/db/connect.ts';
import { findRow, findValue, listValues, prepared } from '#server/db/rows.ts';

/** SQL for `member_id, sponsor_id` of everybody; the company's sponsor is null. */
export const sponsorLinks: RawBuilder<unknown> = sql`select member_id, sponsor_id from team.node`;

/** SQL for `member_id, upline` of everybody: the ids of those above, the sponsor first, ten at most. */
export const uplines: RawBuilder<unknown> = sql`select member_id, upline from team.node`;

/** SQL for the highest id of a member. */
export const lastMemberId: RawBuilder<unknown> = sql`select max(member_id) from team.node`;

/**
 * SQL for who stands at a level above `n`, a row of team.node. The level is written out: each has an index of its own,
 * which PostgreSQL only sees when it knows the level as it plans.
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

/** SQL for `member_id` of those at one level below a member whom a filter about `n` lets pass. */
export const membersWith = (memberId: bigint, level: number, filter: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select n.member_id from team.node n where ${above(level)} = ${memberId}::bigint and ${filter}`;

/** SQL for `member_id` of all at one level below a member. */
export const levelMembers = (memberId: bigint, level: number): RawBuilder<unknown> =>
  membersWith(memberId, level, sql`true`);

/** Above every id. */
const AFTER_ALL = 9_223_372_036_854_775_807n;

/**
 * SQL that reads a level newest first, from the index of that level and no other: the order names the member above as well,
 * so that the primary key does not offer itself. It would be walked through from the newest member of all on, which takes
 * long where those of the level joined long ago. `filter` is about `n`.
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

/** Who stands above a member, the sponsor first, ten at most. */
export async function findUpline(db: Db, memberId: bigint): Promise<bigint[]> {
  const row = await findRow(db)<{ upline: bigint[] }>`
    select upline from team.node where member_id = ${memberId}`;
  return row?.upline ?? [];
}

/**
 * The level at which a member stands below another, 1 for a direct; undefined when they are not in that one's team, which
 * has ten levels and does not hold its head.
 */
export async function findLevel(db: Db, ancestorId: bigint, memberId: bigint): Promise<number | undefined> {
  const level = await findValue(db)<number | null>`
    ${prepared} select array_position(upline, ${ancestorId}::bigint) from team.node where member_id = ${memberId}`;
  return level ?? undefined;
}
