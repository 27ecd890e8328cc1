import assert from 'node:assert';
import { sql } from 'kysely';
import type { OperatorAuthorities, OperatorAuthority, Operators } from '#server/approvals/index.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { confirmOperator } from './confirm-operator.ts';

/** What decisions of two people ask about operators. */
export const operators: Operators = {
  confirm: confirmOperator,
  list: (db, ids) => listAuthorities(db, [...new Set(ids)]),
  /** In the order of their ids. */
  lock: (tx, ids) => {
    assert(tx.isTransaction, 'a lock lives as long as its transaction');
    return lockAuthorities(tx, [...new Set(ids)]);
  },
};

const columns = sql`id, name, role, disabled_at is null and password_hash is not null as "isActive",
  accepted_at as "acceptedAt"`;

async function listAuthorities(db: Db, ids: readonly bigint[]): Promise<OperatorAuthorities> {
  const { rows } = await sql<OperatorAuthority>`
    select ${columns} from identity.operator where id = any(${ids}::bigint[])`.execute(db);
  return byId(rows);
}

async function lockAuthorities(tx: Tx, ids: readonly bigint[]): Promise<OperatorAuthorities> {
  const { rows } = await sql<OperatorAuthority>`
    select ${columns} from identity.operator where id = any(${ids}::bigint[]) order by id for share`.execute(tx);
  return byId(rows);
}

const byId = (rows: readonly OperatorAuthority[]): OperatorAuthorities => new Map(rows.map((row) => [row.id, row]));
