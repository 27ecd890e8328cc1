import { sql } from 'kysely';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Db, Tx } from '#server/db/connect.ts';

export type Operator = {
  readonly id: bigint;
  readonly email: string;
  readonly name: string;
  readonly role: OperatorRole;
};
/** Null while an invitation waits. */
export type OperatorWithPassword = Operator & { readonly passwordHash: string | null };

export async function findOperatorRow(db: Db, id: bigint): Promise<Operator | undefined> {
  const { rows } = await sql<Operator>`select id, email, name, role from identity.operator where id = ${id}`.execute(
    db,
  );
  return rows[0];
}

export async function findOperatorWithPassword(db: Db, id: bigint): Promise<OperatorWithPassword | undefined> {
  const { rows } = await sql<OperatorWithPassword>`
    select id, email, name, role, password_hash as "passwordHash" from identity.operator where id = ${id}`.execute(db);
  return rows[0];
}

export async function findOperatorByEmail(db: Db, email: string): Promise<OperatorWithPassword | undefined> {
  const { rows } = await sql<OperatorWithPassword>`
    select id, email, name, role, password_hash as "passwordHash" from identity.operator
    where lower(email) = ${email}`.execute(db);
  return rows[0];
}

/** Holds the account as it is until the transaction ends; undefined for who is disabled. */
export async function lockActiveOperator(tx: Tx, id: bigint): Promise<Operator | undefined> {
  const { rows } = await sql<Operator>`
    select id, email, name, role from identity.operator
    where id = ${id} and disabled_at is null and password_hash is not null for share`.execute(tx);
  return rows[0];
}

export async function listOperatorNameRows(db: Db, ids: readonly bigint[]): Promise<{ id: bigint; name: string }[]> {
  const { rows } = await sql<{ id: bigint; name: string }>`
    select id, name from identity.operator where id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

/** From now on this one counts as an admin who was there, if it is one. */
export async function updateAdminAt(tx: Tx, id: bigint, now: Date): Promise<void> {
  await sql`
    update identity.operator set admin_at = ${now}
    where id = ${id} and role = 'admin' and admin_at is null`.execute(tx);
}

/** Only over the password that was checked. */
export async function updateOperatorPassword(
  tx: Tx,
  id: bigint,
  change: { readonly oldHash: string; readonly newHash: string },
): Promise<boolean> {
  const { rows } = await sql`
    update identity.operator set password_hash = ${change.newHash}
    where id = ${id} and password_hash = ${change.oldHash} and disabled_at is null returning 1`.execute(tx);
  return rows.length === 1;
}

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
export async function insertFirstAdmin(tx: Tx, draft: OperatorDraft): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    insert into identity.operator (email, name, role, password_hash, created_at)
    select ${draft.email}, ${draft.name}, 'admin', ${draft.passwordHash}, ${draft.now}::timestamptz
    where not exists (select from identity.operator)
    on conflict do nothing returning id`.execute(tx);
  return rows[0]?.id;
}

/** Undefined when the mail address is another operator's. */
export async function insertOperator(
  tx: Tx,
  draft: OperatorDraft & { readonly role: OperatorRole },
): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    insert into identity.operator (email, name, role, password_hash, created_at)
    values (${draft.email}, ${draft.name}, ${draft.role}, ${draft.passwordHash}, ${draft.now})
    on conflict do nothing returning id`.execute(tx);
  return rows[0]?.id;
}

/** Holds the operator's password as it was checked until the transaction ends; false also for who is disabled. */
export async function lockOperatorPassword(tx: Tx, id: bigint, passwordHash: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from identity.operator 
    where id = ${id} and password_hash = ${passwordHash} and disabled_at is null for share`.execute(tx);
  return rows.length === 1;
}

/** Whoever signs in as this operator at this moment waits, and what comes after sees what was changed here. */
export async function lockOperator(tx: Tx, id: bigint): Promise<void> {
  await sql`select 1 from identity.operator where id = ${id} for update`.execute(tx);
}
