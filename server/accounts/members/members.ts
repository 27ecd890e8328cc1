import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import { Refused } from '#server/refused.ts';
import { readLoginId } from '../core/login-id.ts';
import {
  findMember,
  findMemberByCode,
  listNames,
  lockForSignIn,
  lockWithdrawerRow,
  type Member,
  type WithdrawerRow,
} from './member-sql.ts';

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

/**
 * Who these members are and how they are reached, by id; ids nobody has are not in the answer. Mobile and email are whole:
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

export type Withdrawer = WithdrawerRow;

/**
 * What decides whether a member's money may go out, held until the transaction ends: a freeze, a withdrawn verification
 * or a change of password waits for it, or is seen by it. Withdrawals of one member do not wait for each other here.
 */
export async function lockWithdrawer(tx: Tx, memberId: bigint): Promise<Withdrawer> {
  assert(tx.isTransaction, 'a lock lives as long as its transaction');
  const row = await lockWithdrawerRow(tx, memberId);
  assert(row !== undefined, 'only members withdraw');
  return row;
}

/**
 * Whether a member's account can take money that comes from outside, held until the transaction ends: closing it waits for
 * the money, or is seen by it. A closed account never holds anything again.
 */
export async function lockReceiver(tx: Tx, memberId: bigint): Promise<{ readonly isClosed: boolean }> {
  assert(tx.isTransaction, 'a lock lives as long as its transaction');
  const member = await lockForSignIn(tx, memberId);
  assert(member !== undefined, 'only members receive money');
  return { isClosed: member.closedAt !== null };
}
