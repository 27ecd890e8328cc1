import { sql } from 'kysely';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, getRow, hasRow, listRows } from '#server/db/rows.ts';
import { hasPassword, setStronger } from '../passwords/same-password-sql.ts';

export type Operator = {
  readonly id: bigint;
  readonly email: string;
  readonly name: string;
  readonly role: OperatorRole;
};
/** Null while an invitation waits. */
export type OperatorWithPassword = Operator & { readonly passwordHash: string | null };

export const findOperatorRow = (db: Db, id: bigint) =>
  findRow(db)<Operator>`select id, email, name, role from identity.operator where id = ${id}`;

export const findOperatorWithPassword = (db: Db, id: bigint) =>
  findRow(db)<OperatorWithPassword>`
    select id, email, name, role, password_hash as "passwordHash" from identity.operator where id = ${id}`;

export const findOperatorByEmail = (db: Db, email: string) =>
  findRow(db)<OperatorWithPassword>`
    select id, email, name, role, password_hash as "passwordHash" from identity.operator
    where lower(email) = ${email}`;

/** What an operator confirms with besides the password. */
export type OperatorFactors = { readonly hasApp: boolean; readonly passkeys: number };

export const findOperatorFactors = (db: Db, id: bigint) =>
  getRow(db)<OperatorFactors>`
    select exists (select from identity.totp where operator_id = ${id} and confirmed_at is not null) as "hasApp",
           (select count(*)::int from identity.passkey where operator_id = ${id}) as passkeys`;

export const isAnyOn = ({ hasApp, passkeys }: OperatorFactors): boolean => hasApp || passkeys > 0;

/** Holds the account as it is until the transaction ends; undefined for who is disabled. */
export const lockActiveOperator = (tx: Tx, id: bigint) =>
  findRow(tx)<Operator>`
    select id, email, name, role from identity.operator
    where id = ${id} and disabled_at is null and password_hash is not null for share`;

export const listOperatorNameRows = (db: Db, ids: readonly bigint[]) =>
  listRows(db)<{ id: bigint; name: string }>`
    select id, name from identity.operator where id = any(${ids}::bigint[])`;

/** From now on this one counts as an admin who was there, if it is one. */
export const updateAdminAt = (tx: Tx, id: bigint, now: Date) =>
  execute(tx)`
    update identity.operator set admin_at = ${now}
    where id = ${id} and role = 'admin' and admin_at is null`;

/** Only over the password that was checked. */
export const updateOperatorPassword = (
  tx: Tx,
  id: bigint,
  change: { readonly oldHash: string; readonly newHash: string },
) =>
  hasRow(tx)`
    update identity.operator set password_hash = ${change.newHash}
    where id = ${id} and ${hasPassword(change.oldHash)} and disabled_at is null returning 1`;

/** In place of a weaker hash of the same password. Changed meanwhile, or hashed again by another sign-in, it stays. */
export const strengthenOperatorPassword = (
  tx: Tx,
  id: bigint,
  change: { readonly from: string; readonly to: string },
) =>
  execute(tx)`update identity.operator set ${setStronger(change)} where id = ${id} and password_hash = ${change.from}`;

export async function hasOperators(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select from identity.operator) as found`.execute(db);
  return rows[0]?.found === true;
}

export type OperatorDraft = {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly now: Date;
};

/** Undefined when there is an operator already, also one made by another process at this moment. */
export const insertFirstAdmin = (tx: Tx, draft: OperatorDraft) =>
  findValue(tx)<bigint>`
    insert into identity.operator (email, name, role, password_hash, created_at)
    select ${draft.email}, ${draft.name}, 'admin', ${draft.passwordHash}, ${draft.now}::timestamptz
    where not exists (select from identity.operator)
    on conflict do nothing returning id`;

/** Undefined when the email address is another operator's. */
export const insertOperator = (tx: Tx, draft: OperatorDraft & { readonly role: OperatorRole }) =>
  findValue(tx)<bigint>`
    insert into identity.operator (email, name, role, password_hash, created_at)
    values (${draft.email}, ${draft.name}, ${draft.role}, ${draft.passwordHash}, ${draft.now})
    on conflict do nothing returning id`;

/** Holds the operator's password as it was checked until the transaction ends; false also for who is disabled. */
export const lockOperatorPassword = (tx: Tx, id: bigint, passwordHash: string) =>
  hasRow(tx)`
    select 1 from identity.operator
    where id = ${id} and ${hasPassword(passwordHash)} and disabled_at is null for share`;

/** Whoever signs in as this operator at this moment waits, and what comes after sees what was changed here. */
export const lockOperator = (tx: Tx, id: bigint) =>
  execute(tx)`select 1 from identity.operator where id = ${id} for update`;

export const lockOperatorByEmail = (tx: Tx, email: string) =>
  execute(tx)`select 1 from identity.operator where lower(email) = ${email} for update`;
