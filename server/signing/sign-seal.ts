import assert from 'node:assert';
import { headBytes, type SealHead } from '#contract/solvency/heads.ts';
import type { Tx } from '#server/db/connect.ts';
import type { SealKey } from './key-file.ts';
import { findCurrentKey, insertSignature, lockKeysShared } from './signing-sql.ts';

/**
 * Signs a seal in the transaction that inserts it. A database whose seals are signed refuses a process without the key,
 * or with one that was replaced meanwhile.
 *
 * @param sealKey the key of this process; without one, only a database that never had signatures can be sealed
 */
export async function signSeal(tx: Tx, sealKey: SealKey | undefined, head: SealHead): Promise<void> {
  await lockKeysShared(tx);
  const current = await findCurrentKey(tx);
  if (sealKey === undefined) {
    assert(current === undefined, 'seals of this database are signed, and this process does not have the key');
    return;
  }
  const { key } = sealKey;
  assert.equal(current, key.publicKey, 'the seal key was replaced: restart this process');
  await insertSignature(tx, head.chain, BigInt(head.no), key.publicKey, key.sign(headBytes(head)));
}
