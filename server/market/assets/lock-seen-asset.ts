import { strict as assert } from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { type LockedAsset, lockAsset } from './spread-sql.ts';

/**
 * An asset an operator decides about, locked, if it still is as they saw it.
 *
 * Refuses `asset_not_found`, `asset_changed`.
 */
export async function lockSeenAsset(
  tx: Tx,
  { symbol, version }: { readonly symbol: string; readonly version: number },
): Promise<LockedAsset> {
  assert(tx.isTransaction, 'a decision holds what it is about');
  const asset = await lockAsset(tx, symbol);
  if (asset === undefined) throw new Refused('asset_not_found');
  if (asset.version !== version) throw new Refused('asset_changed');
  return asset;
}
