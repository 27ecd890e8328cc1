import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Member } from './member-sql.ts';

export type Contact = Pick<
  Member,
  'id' | 'referralCode' | 'name' | 'mobileNumber' | 'email' | 'frozenAt' | 'createdAt'
> & {
  /** When an operator verified them; null before. */
  readonly verifiedAt: Date | null;
};

export async function listContactRows(db: Db, ids: readonly bigint[]): Promise<Contact[]> {
  const { rows } = await sql<Contact>`
    ${prepared} select id, referral_code as "referralCode", name, coalesce(mobile_number, '') as "mobileNumber",
      coalesce(email, '') as email, frozen_at as "frozenAt", verified_at as "verifiedAt", created_at as "createdAt"
    from identity.member where id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

/** SQL for `member_id, referral_code` of everybody. */
export const memberCodes: RawBuilder<unknown> = sql`select id as member_id, referral_code from identity.member`;

/** SQL for `member_id, name` of everybody, for lists in the order of names. */
export const memberNames: RawBuilder<unknown> = sql`select id as member_id, name from identity.member`;
