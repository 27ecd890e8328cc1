import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

export type TotpOwner = { readonly memberId: bigint } | { readonly operatorId: bigint };
export type TotpRow = { readonly id: bigint; readonly secret: Buffer; readonly isConfirmed: boolean };

const read = (owner: TotpOwner): { column: RawBuilder<unknown>; ownerId: bigint } =>
  'memberId' in owner
    ? { column: sql.ref('member_id'), ownerId: owner.memberId }
    : { column: sql.ref('operator_id'), ownerId: owner.operatorId };

export async function findTotp(db: Db, owner: TotpOwner): Promise<TotpRow | undefined> {
  const { column, ownerId } = read(owner);
  const { rows } = await sql<{ id: bigint; secret: Uint8Array; confirmed_at: Date | null }>`
    select id, secret, confirmed_at from identity.totp where ${column} = ${ownerId}`.execute(db);
  const [row] = rows;
  return row && { id: row.id, secret: Buffer.from(row.secret), isConfirmed: row.confirmed_at !== null };
}

/** A new secret in place of one that no code was shown for; false when there is one that was confirmed. */
export async function upsertTotp(
  tx: Tx,
  owner: TotpOwner,
  draft: { readonly secret: Buffer; readonly now: Date },
): Promise<boolean> {
  const { column, ownerId } = read(owner);
  const { rows } = await sql`
    insert into identity.totp as totp (${column}, secret, created_at)
    values (${ownerId}, ${draft.secret}, ${draft.now})
    on conflict (${column}) do update set
      secret = excluded.secret, last_step = 0, created_at = excluded.created_at
    where totp.confirmed_at is null
    returning id`.execute(tx);
  return rows.length === 1;
}

/** Moves the newest step that was taken on; false when this one, or a later one, was taken before. */
export async function takeStep(tx: Tx, id: bigint, step: number): Promise<boolean> {
  const { rows } = await sql`
    update identity.totp set last_step = ${step} where id = ${id} and last_step < ${step} returning id`.execute(tx);
  return rows.length === 1;
}

/** Only the secret whose code was checked: it may have been replaced since. */
export async function updateConfirmed(
  tx: Tx,
  id: bigint,
  confirmed: { readonly secret: Buffer; readonly step: number; readonly now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update identity.totp set confirmed_at = ${confirmed.now}, last_step = ${confirmed.step}
    where id = ${id} and confirmed_at is null and secret = ${confirmed.secret} returning id`.execute(tx);
  return rows.length === 1;
}

/** An app that is no longer asked for. */
export async function deleteTotp(tx: Tx, id: bigint): Promise<void> {
  await sql`delete from identity.totp where id = ${id}`.execute(tx);
}
