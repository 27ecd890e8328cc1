import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Member } from './member-sql.ts';

/**
 * Who these members are and how they are reached, by id; ids nobody has are not in the answer. Mobile and mail are whole:
 * what others see of them is for who shows them to mask.
 */
export async function listContacts(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, Contact>> {
  return new Map((await listContactRows(db, memberIds)).map((row) => [row.id, row]));
}

export type Contact = Pick<
  Member,
  'id' | 'referralCode' | 'name' | 'mobileNumber' | 'email' | 'frozenAt' | 'createdAt'
> & {
  /** When an operator verified them; null before. */
  readonly verifiedAt: Date | null;
};

async function listContactRows(db: Db, ids: readonly bigint[]): Promise<Contact[]> {
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
