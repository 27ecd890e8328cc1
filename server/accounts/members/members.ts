import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, hasRow, listRows, prepared } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import { type LoginId, readLoginId } from '../core/login-id.ts';
import { hasPassword, setStronger } from '../passwords/same-password-sql.ts';

export type Member = {
  readonly id: bigint;
  /** The Registered Id. */
  readonly referralCode: string;
  readonly name: string;
  /** Empty for the company and closed accounts only. */
  readonly email: string;
  readonly mobileNumber: string;
  /** Null for the company only. */
  readonly sponsorId: bigint | null;
  readonly frozenAt: Date | null;
  /** The member closed the account: nobody is behind this row any more. */
  readonly closedAt: Date | null;
  readonly isCompany: boolean;
  readonly createdAt: Date;
};

export type MemberWithPassword = Member & { readonly passwordHash: string | null };

/** One member, or the refusal `not_found`. */
export async function getMember(db: Db, memberId: bigint): Promise<Member> {
  const member = await findMember(db, memberId);
  if (member === undefined) throw new Refused('not_found');
  return member;
}

/** Names by id; ids nobody has are not in the answer. */
export async function listMemberNames(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, string>> {
  const rows = await listRows(db)<{ id: bigint; name: string }>`
    select id, name from identity.member where id = any(${memberIds}::bigint[])`;
  return new Map(rows.map((row) => [row.id, row.name]));
}

/**
 * Who these members are and how they are reached, by id; ids nobody has are not in the answer. Mobile and email are whole:
 * what others see of them is for who shows them to mask.
 */
export async function listContacts(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, Contact>> {
  const { rows } = await sql<Contact>`
    ${prepared} select id, referral_code as "referralCode", name, coalesce(mobile_number, '') as "mobileNumber",
      coalesce(email, '') as email, frozen_at as "frozenAt", closed_at as "closedAt", verified_at as "verifiedAt", created_at as "createdAt"
    from identity.member where id = any(${memberIds}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export type Contact = Pick<
  Member,
  'id' | 'referralCode' | 'name' | 'mobileNumber' | 'email' | 'frozenAt' | 'closedAt' | 'createdAt'
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

export type Withdrawer = {
  readonly frozenAt: Date | null;
  readonly verifiedAt: Date | null;
  readonly securityChangedAt: Date | null;
  readonly email: string;
  readonly name: string;
  readonly referralCode: string;
};

/**
 * What decides whether a member's money may go out, held until the transaction ends: a freeze, a withdrawn verification
 * or a change of password waits for it, or is seen by it. Withdrawals of one member do not wait for each other here.
 */
export async function lockWithdrawer(tx: Tx, memberId: bigint): Promise<Withdrawer> {
  assert(tx.isTransaction, 'a lock lives as long as its transaction');
  const row = await findRow(tx)<Withdrawer>`
    select frozen_at as "frozenAt", verified_at as "verifiedAt", security_changed_at as "securityChangedAt",
           email, name, referral_code as "referralCode"
    from identity.member where id = ${memberId} and not is_company for share`;
  assert(row !== undefined, 'only members withdraw');
  return row;
}

/** Whether a member waits for a change of email without the old mailbox: withdrawals are stopped meanwhile. */
export const hasEmailRequest = (db: Db, memberId: bigint) =>
  hasRow(db)`select 1 from identity.email_request where member_id = ${memberId} and ended_at is null`;

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

/**
 * Holds a member while they begin something, until the transaction ends: closing the account waits for it, or was first. Whoever
 * called was let in before, in another process up to a second ago. Refusal: `session_required` once the account is closed.
 */
export async function lockOwnAccount(tx: Tx, memberId: bigint): Promise<Member> {
  assert(tx.isTransaction, 'a lock lives as long as its transaction');
  const member = await lockForSignIn(tx, memberId);
  if (member === undefined || member.closedAt !== null) throw new Refused('session_required');
  return member;
}

const columns = sql`
  id, referral_code as "referralCode", name, coalesce(email, '') as email, coalesce(mobile_number, '') as "mobileNumber",
  sponsor_id as "sponsorId", frozen_at as "frozenAt", closed_at as "closedAt", is_company as "isCompany", created_at as "createdAt"`;

const one = async <T>(db: Db, query: RawBuilder<T>): Promise<T | undefined> => (await query.execute(db)).rows[0];

export const findMember = (db: Db, id: bigint): Promise<Member | undefined> =>
  one(db, sql<Member>`select ${columns} from identity.member where id = ${id}`);

export const findMemberByCode = (db: Db, referralCode: string): Promise<MemberWithPassword | undefined> =>
  one(
    db,
    sql<MemberWithPassword>`
      select ${columns}, password_hash as "passwordHash" from identity.member where referral_code = ${referralCode}`,
  );

export const findMemberWithPassword = (db: Db, id: bigint): Promise<MemberWithPassword | undefined> =>
  one(
    db,
    sql<MemberWithPassword>`
      select ${columns}, password_hash as "passwordHash" from identity.member where id = ${id}`,
  );

export const findCompany = (db: Db): Promise<Member | undefined> =>
  one(db, sql<Member>`select ${columns} from identity.member where is_company`);

/** More than any family has: whoever signs up thousands under one address makes a reset of it no work. */
const MOST_OF_EMAIL = 50;

/**
 * The accounts somebody may mean who forgot their password, in id order: one by id; by email address all, or of very many
 * those that have verified it and the oldest.
 */
export async function listMembersByLogin(db: Db, login: LoginId): Promise<Member[]> {
  const isMeant = login.kind === 'email' ? sql`lower(email) = ${login.value}` : sql`referral_code = ${login.value}`;
  return listRows(db)<Member>`
    select ${columns} from (
      select * from identity.member where ${isMeant} and not is_company and closed_at is null
      order by email_verified_at is null, id limit ${MOST_OF_EMAIL}) as meant
    order by id`;
}

export type MemberDraft = {
  readonly referralCode: string;
  readonly sponsorId: bigint;
  readonly name: string;
  readonly email: string;
  readonly mobileNumber: string;
  readonly passwordHash: string;
  readonly termsAcceptedAt: Date | null;
  readonly createdAt: Date;
};

/** Undefined when the code is taken, also by a registration that has not committed yet. */
export const insertMember = (tx: Tx, draft: MemberDraft) =>
  findValue(tx)<bigint>`
    insert into identity.member
      (referral_code, sponsor_id, name, email, mobile_number, password_hash, terms_accepted_at, created_at)
    values (${draft.referralCode}, ${draft.sponsorId}, ${draft.name}, ${draft.email}, ${draft.mobileNumber},
            ${draft.passwordHash}, ${draft.termsAcceptedAt}, ${draft.createdAt})
    on conflict (referral_code) do nothing returning id`;

/**
 * Undefined when there is a company already, also one made by another process at this moment: whichever of its unique
 * columns is met first.
 */
export const insertCompany = (
  tx: Tx,
  draft: { readonly referralCode: string; readonly name: string; readonly createdAt: Date },
) =>
  findValue(tx)<bigint>`
    insert into identity.member (referral_code, name, is_company, created_at)
    values (${draft.referralCode}, ${draft.name}, true, ${draft.createdAt})
    on conflict do nothing returning id`;

export const updateCompany = (tx: Tx, id: bigint, referralCode: string, name: string) =>
  execute(tx)`
    update identity.member set referral_code = ${referralCode}, name = ${name} where id = ${id} and is_company`;

/** Replaces exactly the password that was checked; false when it was changed in the meantime. */
export const updatePassword = (
  tx: Tx,
  id: bigint,
  change: { readonly oldHash: string | null; readonly newHash: string; readonly now: Date },
) =>
  hasRow(tx)`
    update identity.member set password_hash = ${change.newHash}, password_changed_at = ${change.now}
    where id = ${id} and ${isStill(change.oldHash)} and not is_company returning id`;

/** Of who has none it is null: closed accounts, which nobody changes. */
const isStill = (passwordHash: string | null) =>
  passwordHash === null ? sql<boolean>`password_hash is null` : hasPassword(passwordHash);

/** In place of a weaker hash of the same password. Changed meanwhile, or hashed again by another sign-in, it stays. */
export const strengthenPassword = (tx: Tx, id: bigint, change: { readonly from: string; readonly to: string }) =>
  execute(tx)`update identity.member set ${setStronger(change)} where id = ${id} and password_hash = ${change.from}`;

/**
 * Holds the password as it was checked until the transaction ends: a change of it waits, and then ends the sign-in
 * that is made here. False when it was changed before.
 */
export const lockPassword = (tx: Tx, id: bigint, passwordHash: string) =>
  hasRow(tx)`
    select 1 from identity.member where id = ${id} and ${hasPassword(passwordHash)} for share`;

/**
 * Holds a member for a change of how the account is protected: sign-ins that are being made, and withdrawals, wait for
 * it or are seen by it. Undefined when the password is not the one that was checked.
 */
export const lockForChange = (tx: Tx, id: bigint, passwordHash: string | null): Promise<Member | undefined> =>
  one(
    tx,
    sql<Member>`
      select ${columns} from identity.member
      where id = ${id} and ${isStill(passwordHash)} and not is_company for no key update`,
  );

/** The same without a password: the change is asked for by a sign-in alone. */
export const lockMember = (tx: Tx, id: bigint): Promise<Member | undefined> =>
  one(
    tx,
    sql<Member>`select ${columns} from identity.member where id = ${id} and not is_company and closed_at is null for no key update`,
  );

/** Holds any member while a restriction of theirs is put up, proposed to be lifted, or lifted: one after the other. */
export const lockAnyMember = (tx: Tx, id: bigint) =>
  execute(tx)`
    select 1 from identity.member where id = ${id} for no key update`;

/**
 * The same for an operator who restricts a member: the company cannot be, and of a closed account nobody reads what it is
 * told, nor lifts it again. Refusals: `not_found`, `account_closed`.
 */
export async function lockOpenMember(tx: Tx, id: bigint): Promise<void> {
  if ((await getMember(tx, id)).isCompany) throw new Refused('not_found');
  if ((await lockMember(tx, id)) === undefined) throw new Refused('account_closed');
}

/** Holds a member while a sign-in is made: a change of second factor waits, and then ends it. */
export const lockForSignIn = (tx: Tx, id: bigint): Promise<Member | undefined> =>
  one(tx, sql<Member>`select ${columns} from identity.member where id = ${id} for share`);

/** Withdrawals wait from here on (docs/product.md, section 5). */
export const updateSecurityChanged = (tx: Tx, id: bigint, now: Date) =>
  execute(tx)`update identity.member set security_changed_at = ${now} where id = ${id}`;

/** An address that a code came back from; the one before is kept when it is another one. */
export const updateEmail = (tx: Tx, id: bigint, email: string, now: Date) =>
  execute(tx)`
    update identity.member set email = ${email}, email_verified_at = ${now},
      email_before = case when email is distinct from ${email}::text then email else email_before end,
      email_changed_at = case when email is distinct from ${email}::text then ${now}::timestamptz else email_changed_at end
    where id = ${id}`;

/**
 * The first of these accounts whose address a code came back from. Codes to it have a limit of their account, and no cap of the
 * address, which anybody may use up who signs up under it.
 */
export const findVerified = (tx: Tx, ids: readonly bigint[]) =>
  findValue(tx)<bigint>`
    select id from identity.member where id = any(${[...ids]}::bigint[]) and email_verified_at is not null
    order by id limit 1`;

export const updateDetails = (tx: Tx, id: bigint, name: string, mobileNumber: string) =>
  execute(tx)`update identity.member set name = ${name}, mobile_number = ${mobileNumber} where id = ${id}`;

/** False when it was so before, and for the company. */
export const updateVerified = (tx: Tx, id: bigint, verifiedAt: Date | null) =>
  hasRow(tx)`
    update identity.member set verified_at = ${verifiedAt}
    where id = ${id} and (verified_at is null) <> (${verifiedAt}::timestamptz is null) and not is_company
    returning id`;

/** False for members who are frozen already, and for the company, which cannot be. */
export const updateFrozen = (tx: Tx, id: bigint, now: Date) =>
  hasRow(tx)`
    update identity.member set frozen_at = ${now}
    where id = ${id} and frozen_at is null and not is_company returning id`;

/** False for members who are not frozen. */
export const deleteFrozen = (tx: Tx, id: bigint) =>
  hasRow(tx)`
    update identity.member set frozen_at = null where id = ${id} and frozen_at is not null returning id`;
