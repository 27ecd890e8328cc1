import type { Passkey } from '#contract/accounts/passkeys.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getValue, hasRow, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { auditOwn, type Owner, ownedBy } from '../owner.ts';

/** An owner's passkeys, in the order they were added. */
export const listPasskeys = async (db: Db, owner: Owner): Promise<Passkey[]> =>
  (await listPasskeyRows(db, owner)).map(showPasskey);

/**
 * The audit log has no name that a member chose, because its entries are never deleted. Refuses `not_found`, also for
 * someone else's.
 */
export async function renamePasskey(
  { db }: Context,
  owner: Owner,
  { id, name, address }: { readonly id: bigint; readonly name: string; readonly address: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await updatePasskeyName(tx, owner, id, name))) throw new Refused('not_found');
    const passkey = id.toString();
    if ('memberId' in owner) await auditOwn(tx, owner, 'member.rename_passkey', { after: { passkey }, address });
    else await auditOwn(tx, owner, 'operator.rename_passkey', { after: { passkey, name }, address });
  });
}

const showPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id.toString(),
  name: row.name,
  synced: row.isSynced,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
});

export type PasskeyRow = {
  readonly id: bigint;
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: bigint;
  readonly transports: readonly string[];
  readonly isSynced: boolean;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

/** In the order they were added. */
export const listPasskeyRows = (db: Db, owner: Owner) =>
  listRows(db)<PasskeyRow>`
    select id, credential_id as "credentialId", public_key as "publicKey", counter, transports, is_synced as "isSynced",
           name, created_at as "createdAt", last_used_at as "lastUsedAt"
    from identity.passkey where ${ownedBy(owner)} order by id`;

/** One passkey is enough for a second factor. */
export const countPasskeys = (db: Db, owner: Owner): Promise<number> =>
  getValue(db)<number>`
    select count(*)::int as count from identity.passkey where ${ownedBy(owner)}`;

/** The owner of a passkey; undefined if it is unknown. */
export async function findPasskeyOwner(db: Db, credentialId: string): Promise<Owner | undefined> {
  const row = await findRow(db)<{ memberId: bigint | null; operatorId: bigint | null }>`
    select member_id as "memberId", operator_id as "operatorId" from identity.passkey
    where credential_id = ${credentialId}`;
  if (row === undefined) return undefined;
  if (row.memberId !== null) return { memberId: row.memberId };
  return row.operatorId === null ? undefined : { operatorId: row.operatorId };
}

/** False for someone else's. */
const updatePasskeyName = (tx: Tx, owner: Owner, id: bigint, name: string) =>
  hasRow(tx)`
    update identity.passkey set name = ${name} where id = ${id} and ${ownedBy(owner)} returning 1`;

/** Returns its name; undefined for someone else's. */
export const deletePasskey = (tx: Tx, owner: Owner, id: bigint) =>
  findRow(tx)<{ name: string }>`
    delete from identity.passkey where id = ${id} and ${ownedBy(owner)} returning name`;

export const deletePasskeys = (tx: Tx, owner: Owner) =>
  execute(tx)`delete from identity.passkey where ${ownedBy(owner)}`;
