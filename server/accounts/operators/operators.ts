import { sql } from 'kysely';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Db } from '#server/db/connect.ts';
import { findOperatorRow, listOperatorNameRows, type Operator } from './operator-sql.ts';

export type { Operator } from './operator-sql.ts';

/** One operator, or undefined when nobody has this id. */
export const findOperator = (db: Db, id: bigint): Promise<Operator | undefined> => findOperatorRow(db, id);

/** Names by id, as they are today; ids nobody has are not in the answer. */
export async function listOperatorNames(db: Db, ids: readonly bigint[]): Promise<Map<bigint, string>> {
  return new Map((await listOperatorNameRows(db, [...new Set(ids)])).map(({ id, name }) => [id, name]));
}

export type ActiveOperator = { readonly id: bigint; readonly name: string; readonly role: OperatorRole };

/** Those of the given roles who can sign in, by name. */
export async function listActiveOperators(db: Db, roles: readonly OperatorRole[]): Promise<ActiveOperator[]> {
  const { rows } = await sql<ActiveOperator>`
    select id, name, role from identity.operator
    where role = any(${roles}::text[]) and disabled_at is null and password_hash is not null
    order by name, id`.execute(db);
  return rows;
}

/** Everybody who is an admin now, for mails. */
export async function listAdmins(db: Db): Promise<{ name: string; email: string }[]> {
  const { rows } = await sql<{ name: string; email: string }>`
    select name, email from identity.operator
    where role = 'admin' and disabled_at is null and password_hash is not null order by id`.execute(db);
  return rows;
}
