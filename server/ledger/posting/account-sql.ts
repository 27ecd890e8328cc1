import { type RawBuilder, sql } from 'kysely';
import { type HouseClass, houseClasses, type MemberClass, memberClasses } from '../core/account.ts';

/**
 * SQL for the id of a member's account, for drafts that are a query (`postFrom`): the member's id is a value or a
 * column. `memberAccount(sql\`t.member_id\`, 'trade_escrow')` reads as `(t.member_id * 32 + 3)`.
 */
export function memberAccount(memberId: RawBuilder<unknown> | bigint, name: MemberClass): RawBuilder<bigint> {
  const member = typeof memberId === 'bigint' ? sql`${memberId}::bigint` : memberId;
  return sql<bigint>`(${member} * 32 + ${sql.lit(memberClasses[name])})`;
}

/** SQL for the id of an account of the house. */
export const houseAccount = (name: HouseClass): RawBuilder<bigint> =>
  sql<bigint>`${sql.lit(houseClasses[name])}::bigint`;
