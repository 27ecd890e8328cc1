import assert from 'node:assert';
import { sql } from 'kysely';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import type { OperatorAuthority } from '../core/operator-authority.ts';

export { doesCount, type OperatorAuthority } from '../core/operator-authority.ts';

export type OperatorAuthorities = ReadonlyMap<bigint, OperatorAuthority>;

const byId = (rows: readonly OperatorAuthority[]): OperatorAuthorities => new Map(rows.map((row) => [row.id, row]));

/** What these operators may do at this moment, to be shown. */
export const listAuthorities = async (db: Db, ids: readonly bigint[]): Promise<OperatorAuthorities> =>
  byId(await listAuthorityRows(db, [...new Set(ids)]));

/**
 * The same, held until the transaction ends: whoever disables one of them or takes a role away waits for what rests on
 * their word, or was first and is seen.
 */
export async function lockAuthorities(tx: Tx, ids: readonly bigint[]): Promise<OperatorAuthorities> {
  assert(tx.isTransaction, 'a lock lives as long as its transaction');
  return byId(await lockAuthorityRows(tx, [...new Set(ids)]));
}

/** Of who decides, for they may have been disabled since the call was let in. Refusal: `not_allowed`. */
export async function lockDecider(tx: Tx, operatorId: bigint, roles: readonly OperatorRole[]): Promise<void> {
  const authority = (await lockAuthorities(tx, [operatorId])).get(operatorId);
  if (authority?.isActive !== true || !roles.includes(authority.role)) throw new Refused('not_allowed');
}

const columns = sql`id, name, role, disabled_at is null and password_hash is not null as "isActive",
  accepted_at as "acceptedAt"`;

async function listAuthorityRows(db: Db, ids: readonly bigint[]): Promise<OperatorAuthority[]> {
  const { rows } = await sql<OperatorAuthority>`
    select ${columns} from identity.operator where id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

/** Locked in the order of their ids; whoever disables one of them or changes a role waits until the transaction ends. */
async function lockAuthorityRows(tx: Tx, ids: readonly bigint[]): Promise<OperatorAuthority[]> {
  const { rows } = await sql<OperatorAuthority>`
    select ${columns} from identity.operator where id = any(${ids}::bigint[]) order by id for share`.execute(tx);
  return rows;
}
