import { sql } from 'kysely';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Db } from '#server/db/connect.ts';

export type ActiveOperator = { readonly id: bigint; readonly name: string; readonly role: OperatorRole };

/** Those of the given roles who can sign in, by name. */
export async function listActiveOperators(db: Db, roles: readonly OperatorRole[]): Promise<ActiveOperator[]> {
  const { rows } = await sql<ActiveOperator>`
    select id, name, role from identity.operator
    where role = any(${roles}::text[]) and disabled_at is null and password_hash is not null
    order by name, id`.execute(db);
  return rows;
}
