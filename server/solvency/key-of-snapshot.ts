import assert from 'node:assert';
import type { KeyUse, ServerKeys } from '#server/accounts/index.ts';
import { countSnapshotKeys, type Snapshot } from './snapshot-sql.ts';

/** Snapshots with retained leaves use a key. Proofs that members saved contain their nonce and need none. */
export const snapshotKeyUse: KeyUse = { name: 'solvency', countRows: countSnapshotKeys };

/** The version of the server key that a snapshot was made with. */
export function keyOf(keys: ServerKeys, { keyVersion }: Pick<Snapshot, 'keyVersion'>): Buffer {
  const key = keys.get(keyVersion);
  assert(key !== undefined, 'the key of a snapshot with leaves is not retired');
  return key;
}
