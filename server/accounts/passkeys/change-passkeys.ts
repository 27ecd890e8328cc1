import type { Passkey } from '#contract/accounts/passkeys.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { auditOwn, type Owner } from '../owner.ts';
import { listPasskeyRows, type PasskeyRow, updatePasskeyName } from './passkey-sql.ts';

/** An owner's passkeys, in the order they were added. */
export const listPasskeys = async (db: Db, owner: Owner): Promise<Passkey[]> =>
  (await listPasskeyRows(db, owner)).map(showPasskey);

/** Calls one of them something else. Refusal: `not_found`, also for somebody else's. */
export async function renamePasskey(
  { db }: Context,
  owner: Owner,
  { id, name, address }: { readonly id: bigint; readonly name: string; readonly address: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await updatePasskeyName(tx, owner, id, name))) throw new Refused('not_found');
    const kind = 'memberId' in owner ? 'member' : 'operator';
    await auditOwn(tx, owner, `${kind}.rename_passkey`, { after: { passkey: id.toString(), name }, address });
  });
}

const showPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id.toString(),
  name: row.name,
  synced: row.isSynced,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
});
