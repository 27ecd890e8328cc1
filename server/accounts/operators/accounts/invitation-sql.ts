import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Operator } from '../operator-sql.ts';

export type Invitation = Operator & { readonly expiresAt: Date };

/** The newest link of an operator is the only one. */
export async function upsertInvitation(
  tx: Tx,
  draft: { readonly tokenHash: Buffer; readonly operatorId: bigint; readonly expiresAt: Date },
): Promise<void> {
  await sql`
    insert into identity.operator_invitation (token_hash, operator_id, expires_at)
    values (${draft.tokenHash}, ${draft.operatorId}, ${draft.expiresAt})
    on conflict (operator_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`.execute(
    tx,
  );
}

export async function findInvitation(db: Db, tokenHash: Buffer, now: Date): Promise<Invitation | undefined> {
  const { rows } = await sql<Invitation>`
    select o.id, o.email, o.name, o.role, i.expires_at as "expiresAt"
    from identity.operator_invitation i join identity.operator o on o.id = i.operator_id
    where i.token_hash = ${tokenHash} and i.expires_at > ${now} and o.disabled_at is null`.execute(db);
  return rows[0];
}

/** Uses a link up: of two at once, one gets the row. */
export async function deleteInvitation(tx: Tx, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    delete from identity.operator_invitation where token_hash = ${tokenHash} and expires_at > ${now} returning 1`.execute(
    tx,
  );
  return rows.length === 1;
}

/** The first password of an account that has none. */
export async function insertPassword(tx: Tx, id: bigint, passwordHash: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update identity.operator set password_hash = ${passwordHash}, accepted_at = ${now}
    where id = ${id} and password_hash is null and disabled_at is null returning 1`.execute(tx);
  return rows.length === 1;
}
