import assert from 'node:assert';
import type { KeyUse, ServerKeys } from '#server/accounts/index.ts';
import { countSnapshotKeys, type Snapshot } from './snapshot-sql.ts';

/** Snapshots whose leaves are kept. Proofs that members kept carry their nonce and need no key. */
export const snapshotKeyUse: KeyUse = { name: 'solvency', countRows: countSnapshotKeys };

/** The version of the installation's key that a snapshot was made with. */
export function keyOf(keys: ServerKeys, { keyVersion }: Pick<Snapshot, 'keyVersion'>): Buffer {
  const key = keys.get(keyVersion);
  assert(key !== undefined, 'a key that a snapshot with leaves names is not retired');
  return key;
}
