import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { listRows, listValues } from '#server/db/rows.ts';

/** The highest code point: a prefix followed by it sorts after every text with the prefix. */
const LAST = '\u{10FFFF}';
/** In byte order, like the indexes that end in `_begins` and `_ends`. */
const begins = (what: RawBuilder<unknown>, text: string): RawBuilder<unknown> =>
  sql`${what} ~>=~ ${text} and ${what} ~<~ ${`${text}${LAST}`}`;

const listIds = (db: Db, condition: RawBuilder<unknown>, most: number) =>
  listValues(db)<bigint>`
    select id from identity.member where ${condition} and not is_company limit ${most}`;

export const listIdsById = (db: Db, id: bigint): Promise<bigint[]> => listIds(db, sql`id = ${id}`, 1);

export const listIdsByCode = (db: Db, referralCode: string): Promise<bigint[]> =>
  listIds(db, sql`referral_code = ${referralCode}`, 1);

/** The prefix is in lower case. */
export const listIdsByEmail = (db: Db, beginning: string, most: number): Promise<bigint[]> =>
  listIds(db, begins(sql`lower(email)`, beginning), most);

/** `+91987…` */
export const listIdsByMobile = (db: Db, beginning: string, most: number): Promise<bigint[]> =>
  listIds(db, begins(sql`mobile_number`, beginning), most);

export const listIdsByLastDigits = (db: Db, digits: string, most: number): Promise<bigint[]> =>
  listIds(db, begins(sql`reverse(mobile_number)`, Array.from(digits).reverse().join('')), most);

export type ListedMember = {
  readonly id: bigint;
  readonly referralCode: string;
  readonly name: string;
  readonly email: string;
  readonly mobileNumber: string;
  readonly createdAt: Date;
  readonly isFrozen: boolean;
  readonly isClosed: boolean;
  readonly isVerified: boolean;
};

/** All members or these, newest first, with ids below `before`, without the company. */
export const listMemberRows = (
  db: Db,
  page: { readonly ids?: readonly bigint[] | undefined; readonly before: bigint | undefined; readonly limit: number },
) =>
  listRows(db)<ListedMember>`
    select id, referral_code as "referralCode", name, coalesce(email, '') as email,
      coalesce(mobile_number, '') as "mobileNumber", created_at as "createdAt", frozen_at is not null as "isFrozen",
      closed_at is not null as "isClosed", verified_at is not null as "isVerified"
    from identity.member
    where not is_company and ${page.ids === undefined ? sql`true` : sql`id = any(${page.ids}::bigint[])`}
      and ${page.before === undefined ? sql`true` : sql`id < ${page.before}`}
    order by id desc limit ${page.limit}`;
