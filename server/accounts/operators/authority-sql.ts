import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import type { OperatorAuthority } from '../core/operator-authority.ts';

const columns = sql`id, name, role, disabled_at is null and password_hash is not null as "isActive",
  accepted_at as "acceptedAt"`;

export async function listAuthorityRows(db: Db, ids: readonly bigint[]): Promise<OperatorAuthority[]> {
  const { rows } = await sql<OperatorAuthority>`
    select ${columns} from identity.operator where id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

/** Locked in the order of their ids; whoever disables one of them or changes a role waits until the transaction ends. */
export async function lockAuthorityRows(tx: Tx, ids: readonly bigint[]): Promise<OperatorAuthority[]> {
  const { rows } = await sql<OperatorAuthority>`
    select ${columns} from identity.operator where id = any(${ids}::bigint[]) order by id for share`.execute(tx);
  return rows;
}
