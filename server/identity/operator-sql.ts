import { sql } from 'kysely';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Db, Tx } from '#server/db/connect.ts';

export type OperatorRow = { id: bigint; email: string; name: string; role: OperatorRole; passwordHash: string };

export async function findOperatorByEmail(db: Db, email: string): Promise<OperatorRow | undefined> {
  const { rows } = await sql<OperatorRow>`
    select id, email, name, role, password_hash as "passwordHash" from identity.operator
    where lower(email) = ${email}`.execute(db);
  return rows[0];
}

export async function hasOperators(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select from identity.operator) as found`.execute(db);
  return rows[0]?.found === true;
}

/** Undefined when there is an operator already, also one made by another process at this moment. */
export async function insertFirstAdmin(
  tx: Tx,
  draft: { email: string; name: string; passwordHash: string; now: Date },
): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    insert into identity.operator (email, name, role, password_hash, created_at)
    select ${draft.email}, ${draft.name}, 'admin', ${draft.passwordHash}, ${draft.now}::timestamptz
    where not exists (select from identity.operator)
    on conflict do nothing returning id`.execute(tx);
  return rows[0]?.id;
}

/** Holds the operator's password as it was checked until the transaction ends. */
export async function lockOperatorPassword(tx: Tx, id: bigint, passwordHash: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from identity.operator where id = ${id} and password_hash = ${passwordHash} for share`.execute(tx);
  return rows.length === 1;
}
