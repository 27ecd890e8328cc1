import type { Db } from '#server/db/connect.ts';
import { type ReferencedTransfer, showReferenced } from './list-by-reference.ts';
import { listByKeys } from './reference-sql.ts';

/**
 * The transfers with exactly these keys and what reversed them, in the order they were posted; keys that were never posted are
 * left out. As with `listTransfersOf` the caller has made sure that they are the member's own.
 * `listTransfersByKey(db, ['bonus/2026-03-04/level/17'])` is one transfer, or none when nothing was paid.
 */
export async function listTransfersByKey(db: Db, keys: readonly string[]): Promise<ReferencedTransfer[]> {
  return (await listByKeys(db, keys)).map(showReferenced);
}
