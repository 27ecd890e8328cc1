import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { updateActive } from './asset-sql.ts';

/**
 * Switches an asset on or off for trading, inside the transaction that audits it. Its prices go on either way.
 * @returns whether it was active before
 * @throws Refused asset_not_found
 */
export async function setAssetActive(tx: Tx, symbol: string, active: boolean): Promise<boolean> {
  const before = await updateActive(tx, symbol, active);
  if (before === undefined) throw new Refused('asset_not_found');
  return before;
}
