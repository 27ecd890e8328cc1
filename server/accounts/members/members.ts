import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import { Refused } from '#server/refused.ts';
import { readLoginId } from '../core/login-id.ts';
import { findMember, findMemberByCode, listFrozen, listNames, type Member } from './member-sql.ts';

export type { Member } from './member-sql.ts';

/** One member, or the refusal `not_found`. */
export async function getMember(db: Db, memberId: bigint): Promise<Member> {
  const member = await findMember(db, memberId);
  if (member === undefined) throw new Refused('not_found');
  return member;
}

/** Names by id; ids nobody has are not in the answer. */
export async function listMemberNames(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, string>> {
  return new Map((await listNames(db, memberIds)).map((row) => [row.id, row.name]));
}

/** Ids of all frozen members, in id order. There are few: each one was frozen by a person or a fault. */
export const listFrozenMembers = (db: Db): Promise<bigint[]> => listFrozen(db);

/**
 * Who these members are and how they are reached, by id; ids nobody has are not in the answer. Mobile and mail are whole:
 * what others see of them is for who shows them to mask.
 */
export async function listContacts(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, Contact>> {
  const { rows } = await sql<Contact>`
    ${prepared} select id, referral_code as "referralCode", name, coalesce(mobile_number, '') as "mobileNumber",
      coalesce(email, '') as email, frozen_at as "frozenAt", verified_at as "verifiedAt", created_at as "createdAt"
    from identity.member where id = any(${memberIds}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export type Contact = Pick<
  Member,
  'id' | 'referralCode' | 'name' | 'mobileNumber' | 'email' | 'frozenAt' | 'createdAt'
> & {
  /** When an operator verified them; null before. */
  readonly verifiedAt: Date | null;
};

/** SQL for `member_id, referral_code` of everybody. */
export const memberCodes: RawBuilder<unknown> = sql`select id as member_id, referral_code from identity.member`;

/** SQL for `member_id, name` of everybody, for lists in the order of names. */
export const memberNames: RawBuilder<unknown> = sql`select id as member_id, name from identity.member`;

/** The name under an Invitation Id, as the sign-up form shows it. Refusal: `unknown_invitation`. */
export async function findSponsorName(context: Context, referralCode: string): Promise<string> {
  const sponsor = await findMemberByCode(context.db, readLoginId(referralCode).value);
  if (sponsor === undefined || sponsor.closedAt !== null) throw new Refused('unknown_invitation');
  return sponsor.name;
}
