import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, hasRow, listRows, prepared } from '#server/db/rows.ts';
import { orRefuse, Refused } from '#server/refused.ts';
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
  /** When the member closed the account. */
  readonly closedAt: Date | null;
  readonly isCompany: boolean;
  readonly createdAt: Date;
};

export type MemberWithPassword = Member & { readonly passwordHash: string | null };

/** Refuses `not_found`. */
export const getMember = async (db: Db, memberId: bigint): Promise<Member> =>
  orRefuse(await findMember(db, memberId), 'not_found');

/** Names by id, without unknown ids. */
export async function listMemberNames(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, string>> {
  const rows = await listRows(db)<{ id: bigint; name: string }>`
    select id, name from identity.member where id = any(${memberIds}::bigint[])`;
  return new Map(rows.map((row) => [row.id, row.name]));
}

/**
 * Names and contact details by id, without unknown ids. Mobile number and email are complete; the caller masks them for
 * others.
 */
export async function listContacts(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, Contact>> {
  const rows = await listRows(db)<Contact>`
    ${prepared} select id, referral_code as "referralCode", name, coalesce(mobile_number, '') as "mobileNumber",
      coalesce(email, '') as email, frozen_at as "frozenAt", closed_at as "closedAt", verified_at as "verifiedAt", created_at as "createdAt",
      is_company as "isCompany"
    from identity.member where id = any(${memberIds}::bigint[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

export type Contact = Pick<
  Member,
  'id' | 'referralCode' | 'name' | 'mobileNumber' | 'email' | 'frozenAt' | 'closedAt' | 'createdAt' | 'isCompany'
> & {
  /** When an operator verified them; null before. */
  readonly verifiedAt: Date | null;
};

/** A member as lists and records name them. */
export const nameMember = ({ id, referralCode, name }: Pick<Contact, 'id' | 'referralCode' | 'name'>) => ({
  id: id.toString(),
  referral_code: referralCode,
  name,
});

/** SQL for `member_id, referral_code` of all members. */
export const memberCodes: RawBuilder<unknown> = sql`select id as member_id, referral_code from identity.member`;

/** SQL for `member_id, name` of all members, for lists sorted by name. */
export const memberNames: RawBuilder<unknown> = sql`select id as member_id, name from identity.member`;

/** The sponsor's name for an Invitation Id, shown at sign-up. Refuses `unknown_invitation`. */
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
 * The fields that decide whether a member may withdraw, locked until the transaction ends: a freeze, a removed
 * verification or a password change waits, or is seen. The lock is shared, so withdrawals of one member do not wait for
 * each other.
 */
export async function lockWithdrawer(tx: Tx, memberId: bigint): Promise<Withdrawer> {
  assert(tx.isTransaction, 'a lock needs a transaction');
  const row = await findRow(tx)<Withdrawer>`
    select frozen_at as "frozenAt", verified_at as "verifiedAt", security_changed_at as "securityChangedAt",
           email, name, referral_code as "referralCode"
    from identity.member where id = ${memberId} and not is_company for share`;
  assert(row !== undefined, 'only members withdraw');
  return row;
}

/** Whether a member has an open request to change the email without the old mailbox, which blocks withdrawals. */
export const hasEmailRequest = (db: Db, memberId: bigint) =>
  hasRow(db)`select 1 from identity.email_request where member_id = ${memberId} and ended_at is null`;

/**
 * Whether a member's account can receive money from outside, locked until the transaction ends: closing it waits, or is
 * seen. A closed account never has a balance again.
 */
export async function lockReceiver(tx: Tx, memberId: bigint): Promise<{ readonly isClosed: boolean }> {
  assert(tx.isTransaction, 'a lock needs a transaction');
  const member = await lockForSignIn(tx, memberId);
  assert(member !== undefined, 'only members receive money');
  return { isClosed: member.closedAt !== null };
}

/**
 * Locks a member who starts an operation, until the transaction ends: closing the account waits, or is seen. It needs
 * the check because the caller was authenticated earlier, up to a second ago. Refuses `session_required` once the
 * account is closed.
 */
export async function lockOwnAccount(tx: Tx, memberId: bigint): Promise<Member> {
  assert(tx.isTransaction, 'a lock needs a transaction');
  const member = await lockForSignIn(tx, memberId);
  if (member === undefined || member.closedAt !== null) throw new Refused('session_required');
  return member;
}

const columns = sql`
  id, referral_code as "referralCode", name, coalesce(email, '') as email, coalesce(mobile_number, '') as "mobileNumber",
  sponsor_id as "sponsorId", frozen_at as "frozenAt", closed_at as "closedAt", is_company as "isCompany", created_at as "createdAt"`;

export const findMember = (db: Db, id: bigint) =>
  findRow(db)<Member>`select ${columns} from identity.member where id = ${id}`;

export const findMemberByCode = (db: Db, referralCode: string) =>
  findRow(db)<MemberWithPassword>`
    select ${columns}, password_hash as "passwordHash" from identity.member where referral_code = ${referralCode}`;

export const findMemberWithPassword = (db: Db, id: bigint) =>
  findRow(db)<MemberWithPassword>`
    select ${columns}, password_hash as "passwordHash" from identity.member where id = ${id}`;

export const findCompany = (db: Db) => findRow(db)<Member>`select ${columns} from identity.member where is_company`;

/** Limits the work of a password reset for an address with thousands of accounts. */
const MAX_ACCOUNTS_OF_EMAIL = 50;

/**
 * The accounts that a password reset may mean, in id order: one by id, by email address up to fifty, preferring those
 * that verified it, then the oldest.
 */
export const listMembersByLogin = (db: Db, login: LoginId): Promise<Member[]> => listMeant(db, login, sql``);

/** The same, locked until the transaction ends: a change of their email address, or a closing, waits, or is seen. */
export const lockMembersByLogin = (tx: Tx, login: LoginId): Promise<Member[]> => listMeant(tx, login, sql`for share`);

function listMeant(db: Db, login: LoginId, lock: RawBuilder<unknown>): Promise<Member[]> {
  const isMeant = login.kind === 'email' ? sql`lower(email) = ${login.value}` : sql`referral_code = ${login.value}`;
  return listRows(db)<Member>`
    select ${columns} from (
      select * from identity.member where ${isMeant} and not is_company and closed_at is null
      order by email_verified_at is null, id limit ${MAX_ACCOUNTS_OF_EMAIL} ${lock}) as meant
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

/** Undefined if the code exists. Waits for a registration with the same code that has not committed yet. */
export const insertMember = (tx: Tx, draft: MemberDraft) =>
  findValue(tx)<bigint>`
    insert into identity.member
      (referral_code, sponsor_id, name, email, mobile_number, password_hash, terms_accepted_at, created_at)
    values (${draft.referralCode}, ${draft.sponsorId}, ${draft.name}, ${draft.email}, ${draft.mobileNumber},
            ${draft.passwordHash}, ${draft.termsAcceptedAt}, ${draft.createdAt})
    on conflict (referral_code) do nothing returning id`;

/**
 * Undefined if there is a company already, also one that another process creates concurrently, whichever unique column
 * conflicts first.
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

/** Replaces exactly the password that was checked; false if it was changed meanwhile. */
export const updatePassword = (
  tx: Tx,
  id: bigint,
  change: { readonly oldHash: string | null; readonly newHash: string; readonly now: Date },
) =>
  hasRow(tx)`
    update identity.member set password_hash = ${change.newHash}, password_changed_at = ${change.now}
    where id = ${id} and ${isStill(change.oldHash)} and not is_company returning id`;

/** A null hash is that of a closed account. */
const isStill = (passwordHash: string | null) =>
  passwordHash === null ? sql<boolean>`password_hash is null` : hasPassword(passwordHash);

/** Replaces a weaker hash of the same password, unless it was changed or rehashed meanwhile. */
export const strengthenPassword = (tx: Tx, id: bigint, change: { readonly from: string; readonly to: string }) =>
  execute(tx)`update identity.member set ${setStronger(change)} where id = ${id} and password_hash = ${change.from}`;

/**
 * Locks the password that was checked, until the transaction ends: a password change waits, then ends the sign-in
 * created here. False if it was changed before.
 */
export const lockPassword = (tx: Tx, id: bigint, passwordHash: string) =>
  hasRow(tx)`
    select 1 from identity.member where id = ${id} and ${hasPassword(passwordHash)} for share`;

/**
 * Locks a member for a security change: concurrent sign-ins and withdrawals wait, or are seen. Undefined if the
 * password is no longer the one that was checked.
 */
export const lockForChange = (tx: Tx, id: bigint, passwordHash: string | null) =>
  findRow(tx)<Member>`
    select ${columns} from identity.member
    where id = ${id} and ${isStill(passwordHash)} and not is_company for no key update`;

/** The same for changes that do not require the password. Undefined for the company and closed accounts. */
export const lockMember = (tx: Tx, id: bigint) =>
  findRow(tx)<Member>`
    select ${columns} from identity.member
    where id = ${id} and not is_company and closed_at is null for no key update`;

/** Locks any member, to serialize imposing a restriction, proposing to lift it and lifting it. */
export const lockAnyMember = (tx: Tx, id: bigint) =>
  execute(tx)`
    select 1 from identity.member where id = ${id} for no key update`;

/**
 * The same for an operator who restricts a member. The company cannot be restricted, and a closed account needs none.
 * Refuses `not_found`, `account_closed`.
 */
export async function lockOpenMember(tx: Tx, id: bigint): Promise<void> {
  if ((await getMember(tx, id)).isCompany) throw new Refused('not_found');
  if ((await lockMember(tx, id)) === undefined) throw new Refused('account_closed');
}

/** Locks a member during a sign-in: a change of second factor waits, then ends the sign-in. */
export const lockForSignIn = (tx: Tx, id: bigint) =>
  findRow(tx)<Member>`select ${columns} from identity.member where id = ${id} for share`;

/** Starts the delay of withdrawals (docs/product.md, section 5). */
export const updateSecurityChanged = (tx: Tx, id: bigint, now: Date) =>
  execute(tx)`update identity.member set security_changed_at = ${now} where id = ${id}`;

/** Stores a verified address, and the previous one among the former if it differs. */
export const updateEmail = (tx: Tx, id: bigint, email: string, now: Date) =>
  execute(tx)`
    with former as (
      insert into identity.former_email (member_id, email, changed_at)
      select id, email, ${now} from identity.member where id = ${id} and email <> ${email}
      on conflict (member_id, email) do update set changed_at = excluded.changed_at)
    update identity.member set email = ${email}, email_verified_at = ${now} where id = ${id}`;

/**
 * The first of these accounts with a verified address. Its codes are limited by account, not by address: strangers who
 * sign up with the address could use up the cap of an address.
 */
export const findVerified = (tx: Tx, ids: readonly bigint[]) =>
  findValue(tx)<bigint>`
    select id from identity.member where id = any(${[...ids]}::bigint[]) and email_verified_at is not null
    order by id limit 1`;

export const updateDetails = (tx: Tx, id: bigint, name: string, mobileNumber: string) =>
  execute(tx)`update identity.member set name = ${name}, mobile_number = ${mobileNumber} where id = ${id}`;

/** False if nothing changes, and for the company. */
export const updateVerified = (tx: Tx, id: bigint, verifiedAt: Date | null) =>
  hasRow(tx)`
    update identity.member set verified_at = ${verifiedAt}
    where id = ${id} and (verified_at is null) <> (${verifiedAt}::timestamptz is null) and not is_company
    returning id`;

/** False for members who are already frozen, and for the company, which cannot be. */
export const updateFrozen = (tx: Tx, id: bigint, now: Date) =>
  hasRow(tx)`
    update identity.member set frozen_at = ${now}
    where id = ${id} and frozen_at is null and not is_company returning id`;

/** False for members who are not frozen. */
export const deleteFrozen = (tx: Tx, id: bigint) =>
  hasRow(tx)`
    update identity.member set frozen_at = null where id = ${id} and frozen_at is not null returning id`;
