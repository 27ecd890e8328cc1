import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import { toTotal } from '#contract/money.ts';
import { type TeamMember, type team, teamLevels } from '#contract/team.ts';
import { type Contact, listContacts, memberNames, nameMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readCursor, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { orRefuse } from '#server/refused.ts';
import {
  countTeams,
  findCountWatermark,
  findLevel,
  findShortList,
  type LevelList,
  listLevel,
  maskEmail,
  maskMobile,
  type TeamCount,
  teamSizes,
} from '#server/team/index.ts';
import { activeAfter } from '../core/periods.ts';
import {
  ORDERED_LETTERS,
  readSortCursor,
  type SortCursor,
  type ValueSort,
  writeSortCursor,
} from './core/sort-cursor.ts';
import { findDistributedDay, listQualifications, type Qualification } from './figures-sql.ts';

/** The longest list that is sorted for every page. */
const MAX_SORTED = 20_000;

type MemberList = Pick<LevelList, 'memberId' | 'level'> & {
  /** Levels between the caller and the member whose level is listed. */
  readonly callerAbove: number;
};
type Query = Omit<QueryOf<typeof team.listReferrals>, 'of'>;
export type MemberPage = DataOf<typeof team.listReferrals>;

/**
 * A page of one level below a member, as visible to the caller. Refuses `team_list_too_long` and cursors of other
 * lists.
 */
export async function listMembers(db: Db, list: MemberList, query: Query): Promise<MemberPage> {
  const { ids, nextCursor } =
    query.sort === 'joined' ? await readNewest(db, list, query) : await readSorted(db, list, query, query.sort);
  const [counts, contacts, qualifications, distributedDay] = await Promise.all([
    countTeams(db, [list.memberId, ...ids]),
    listContacts(db, ids),
    listQualifications(db, ids),
    findDistributedDay(db),
  ]);
  const level = list.level + list.callerAbove;
  const items = ids.map((id) =>
    showMember({
      contact: getFound(contacts, id),
      count: getFound(counts, id),
      standing: qualifications.get(id),
      distributedDay,
      level,
    }),
  );
  const total = Number(getFound(counts, list.memberId).byLevel[list.level - 1]);
  return { items, next_cursor: nextCursor, ...(query.search === undefined ? { total } : {}) };
}

type Found = { readonly ids: readonly bigint[]; readonly nextCursor: string | null };

async function readNewest(db: Db, list: MemberList, { search, cursor, limit }: Query): Promise<Found> {
  const before = readIdCursor(cursor);
  const found = await listLevel(db, { ...list, search, before, limit: limit + 1 });
  const { rows: ids, nextCursor } = cutPage(found, limit, (id) => id);
  return { ids, nextCursor };
}

async function readSorted(db: Db, list: MemberList, query: Query, sort: ValueSort): Promise<Found> {
  const { search, cursor, limit } = query;
  const after = readCursor(cursor, (text) => readSortCursor(sort, text));
  const members = orRefuse(await findShortList(db, { ...list, search }, MAX_SORTED), 'team_list_too_long');
  const sinceTx = await findCountWatermark(db);
  const found = await listSorted(db, members, { sort, after, limit: limit + 1, sinceTx });
  const { rows, nextCursor } = cutPage(found, limit, (last) => writeSortCursor(sort, last));
  return { ids: rows.map(({ id }) => id), nextCursor };
}

type Shown = {
  readonly contact: Contact;
  readonly count: TeamCount;
  readonly standing: Qualification | undefined;
  readonly distributedDay: string | undefined;
  readonly level: number;
};

function showMember({ contact, count, standing, distributedDay, level }: Shown): TeamMember {
  return {
    ...nameMember(contact),
    mobile: maskMobile(contact.mobileNumber),
    email: maskEmail(contact.email),
    joined_at: contact.createdAt.toISOString(),
    active: isActive(standing, distributedDay),
    volume: toTotal(standing?.volume ?? 0n),
    team_size: Number(count.total),
    // The caller's team ends at the tenth level, so members there show no directs.
    directs: level < teamLevels ? Number(count.byLevel[0]) : 0,
    level,
  };
}

/** Whether a member traded in the 30 days up to the last distributed session (docs/product.md, section 6). */
export const isActive = (standing: Qualification | undefined, distributedDay: string | undefined): boolean =>
  distributedDay !== undefined && (standing?.lastTradedOn ?? '') > activeAfter(distributedDay);

type SortedPage = {
  readonly sort: ValueSort;
  readonly after: SortCursor | undefined;
  readonly limit: number;
  /** Team's `findCountWatermark`. */
  readonly sinceTx: bigint;
};

/** A page of the members of a relation `member_id`, sorted by a value. Reads all of them. */
const listSorted = (db: Db, members: RawBuilder<unknown>, page: SortedPage): Promise<SortCursor[]> =>
  listRows(db)`
    select valued.member_id as id, valued.value::text as value from (${valued(members, page)}) as valued(member_id, value)
    where ${isAfter(page)} order by ${order(page.sort)} limit ${page.limit}`;

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

/** Names ascending, amounts descending. */
const order = (sort: ValueSort): RawBuilder<unknown> =>
  sort === 'name' ? sql`valued.value, valued.member_id` : sql`valued.value desc, valued.member_id desc`;

/** The entry of a lookup by ids, which must exist: every team member has an account, a node and a count. */
export function getFound<T>(found: ReadonlyMap<bigint, T>, id: bigint): T {
  const value = found.get(id);
  assert(value !== undefined, `nothing is known of member ${id}`);
  return value;
}

/**
 * Direct referrals of the caller, or of a member in the caller's team. The team ends at the tenth level, so members
 * there have none. Refuses `not_found` for members outside the team, and `team_list_too_long`.
 */
export async function listReferrals(
  { db }: Context,
  callerId: bigint,
  { of, ...query }: QueryOf<typeof team.listReferrals>,
): Promise<MemberPage> {
  if (of === undefined) return listMembers(db, { memberId: callerId, level: 1, callerAbove: 0 }, query);
  const level = orRefuse(await findLevel(db, callerId, BigInt(of)), 'not_found');
  if (level === teamLevels) return { items: [], next_cursor: null, total: 0 };
  return listMembers(db, { memberId: BigInt(of), level: 1, callerAbove: level }, query);
}
