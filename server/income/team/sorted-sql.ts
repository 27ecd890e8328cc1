import { type RawBuilder, sql } from 'kysely';
import { memberNames } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';
import { teamSizes } from '#server/team/index.ts';
import { ORDERED_LETTERS, type SortPlace, type ValueSort } from './core/sort-cursor.ts';

export type SortedPage = {
  readonly sort: ValueSort;
  readonly after: SortPlace | undefined;
  readonly limit: number;
  /** Team's `findCountHorizon`. */
  readonly sinceTx: bigint;
};

/** A page of the members of a relation `member_id` in the order of a value. All of them are looked at. */
export async function listSorted(db: Db, members: RawBuilder<unknown>, page: SortedPage): Promise<SortPlace[]> {
  const { rows } = await sql<SortPlace>`
    select valued.member_id as id, valued.value::text as value from (${valued(members, page)}) as valued(member_id, value)
    where ${isAfter(page)} order by ${order(page.sort)} limit ${page.limit}`.execute(db);
  return rows;
}

function valued(members: RawBuilder<unknown>, { sort, sinceTx }: SortedPage): RawBuilder<unknown> {
  if (sort === 'team') return teamSizes(members, sinceTx);
  if (sort === 'volume')
    return sql`
      select m.member_id, coalesce(s.volume, 0) from (${members}) as m
      left join income.standing s on s.member_id = m.member_id`;
  return sql`
    select m.member_id, left(lower(n.name), ${ORDERED_LETTERS}) collate "C" from (${members}) as m
    join (${memberNames}) as n on n.member_id = m.member_id`;
}

function isAfter({ sort, after }: SortedPage): RawBuilder<unknown> {
  if (after === undefined) return sql`true`;
  return sort === 'name'
    ? sql`(valued.value, valued.member_id) > (${after.value}::text collate "C", ${after.id}::bigint)`
    : sql`(valued.value, valued.member_id) < (${after.value}::bigint, ${after.id}::bigint)`;
}

/** Names from A on; of amounts the largest first. */
const order = (sort: ValueSort): RawBuilder<unknown> =>
  sort === 'name' ? sql`valued.value, valued.member_id` : sql`valued.value desc, valued.member_id desc`;
