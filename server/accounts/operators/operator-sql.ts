import type { OperatorRole } from '#contract/endpoint.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, getRow, getValue, hasRow } from '#server/db/rows.ts';
import { hasPassword, setStronger } from '../passwords/same-password-sql.ts';

export type Operator = {
  readonly id: bigint;
  readonly email: string;
  readonly name: string;
  readonly role: OperatorRole;
};
/** Null while an invitation is pending. */
export type OperatorWithPassword = Operator & { readonly passwordHash: string | null };

export const findOperator = (db: Db, id: bigint) =>
  findRow(db)<Operator>`select id, email, name, role from identity.operator where id = ${id}`;

export const findOperatorWithPassword = (db: Db, id: bigint) =>
  findRow(db)<OperatorWithPassword>`
    select id, email, name, role, password_hash as "passwordHash" from identity.operator where id = ${id}`;

export const findOperatorByEmail = (db: Db, email: string) =>
  findRow(db)<OperatorWithPassword>`
    select id, email, name, role, password_hash as "passwordHash" from identity.operator
    where lower(email) = ${email}`;

/** An operator's second factors. */
export type OperatorFactors = { readonly hasApp: boolean; readonly passkeys: number };

export const findOperatorFactors = (db: Db, id: bigint) =>
  getRow(db)<OperatorFactors>`
    select exists (select from identity.totp where operator_id = ${id} and confirmed_at is not null) as "hasApp",
           (select count(*)::int from identity.passkey where operator_id = ${id}) as passkeys`;

export const isAnyOn = ({ hasApp, passkeys }: OperatorFactors): boolean => hasApp || passkeys > 0;

/** Locks an active account until the transaction ends; undefined for a disabled one. */
export const lockActiveOperator = (tx: Tx, id: bigint) =>
  findRow(tx)<Operator>`
    select id, email, name, role from identity.operator
    where id = ${id} and disabled_at is null and password_hash is not null for share`;

/** Records when an admin became active, once. No effect for other roles. */
export const updateAdminAt = (tx: Tx, id: bigint, now: Date) =>
  execute(tx)`
    update identity.operator set admin_at = ${now}
    where id = ${id} and role = 'admin' and admin_at is null`;

/** Replaces exactly the password that was checked. */
export const updateOperatorPassword = (
  tx: Tx,
  id: bigint,
  change: { readonly oldHash: string; readonly newHash: string },
) =>
  hasRow(tx)`
    update identity.operator set password_hash = ${change.newHash}
    where id = ${id} and ${hasPassword(change.oldHash)} and disabled_at is null returning 1`;

/** Replaces a weaker hash of the same password, unless it was changed or rehashed meanwhile. */
export const strengthenOperatorPassword = (
  tx: Tx,
  id: bigint,
  change: { readonly from: string; readonly to: string },
) =>
  execute(tx)`update identity.operator set ${setStronger(change)} where id = ${id} and password_hash = ${change.from}`;

export const hasOperators = (db: Db): Promise<boolean> =>
  getValue(db)<boolean>`select exists (select from identity.operator) as found`;

export type OperatorDraft = {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly now: Date;
};

/** Undefined if there is an operator already, also one that another process creates concurrently. */
export const insertFirstAdmin = (tx: Tx, draft: OperatorDraft) =>
  findValue(tx)<bigint>`
    insert into identity.operator (email, name, role, password_hash, created_at)
    select ${draft.email}, ${draft.name}, 'admin', ${draft.passwordHash}, ${draft.now}::timestamptz
    where not exists (select from identity.operator)
    on conflict do nothing returning id`;

/** Undefined if the email address is another operator's. */
export const insertOperator = (tx: Tx, draft: OperatorDraft & { readonly role: OperatorRole }) =>
  findValue(tx)<bigint>`
    insert into identity.operator (email, name, role, password_hash, created_at)
    values (${draft.email}, ${draft.name}, ${draft.role}, ${draft.passwordHash}, ${draft.now})
    on conflict do nothing returning id`;

/**
 * Locks the password that was checked, until the transaction ends; false if it was changed or the operator disabled.
 */
export const lockOperatorPassword = (tx: Tx, id: bigint, passwordHash: string) =>
  hasRow(tx)`
    select 1 from identity.operator
    where id = ${id} and ${hasPassword(passwordHash)} and disabled_at is null for share`;

/** Locks an operator exclusively: concurrent sign-ins wait and see the change. */
export const lockOperator = (tx: Tx, id: bigint) =>
  execute(tx)`select 1 from identity.operator where id = ${id} for update`;

export const lockOperatorByEmail = (tx: Tx, email: string) =>
  execute(tx)`select 1 from identity.operator where lower(email) = ${email} for update`;
