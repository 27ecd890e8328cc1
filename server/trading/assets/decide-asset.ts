import { strict as assert } from 'node:assert';
import type { ConsoleAsset } from '#contract/operator/assets.ts';
import { confirmOperator } from '#server/accounts/index.ts';
import type { Decider } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { findAsset } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { showAssets } from './show-assets.ts';

/** Which asset is decided about, as the operator saw it; `otp` for what takes the second factor. */
export type AssetVerdict = { readonly symbol: string; readonly version: number; readonly otp?: string };

/**
 * The frame of every decision about an asset: it is looked at before the second factor is taken, so that a code is not lost
 * to a page that is out of date; `carryOut` looks again, under a lock.
 *
 * Refuses `asset_not_found`, `asset_changed`, `second_factor_missing`, `wrong_second_factor`, and what `carryOut` refuses.
 */
export async function decideAsset(
  context: Context,
  { operatorId }: Decider,
  { symbol, version, otp }: AssetVerdict,
  carryOut: (tx: Tx) => Promise<void>,
): Promise<ConsoleAsset> {
  const { db } = context;
  const seen = await findAsset(db, symbol);
  if (seen === undefined) throw new Refused('asset_not_found');
  if (seen.version !== version) throw new Refused('asset_changed');
  if (otp !== undefined) await confirmOperator(db, operatorId, otp, context.now());
  await inTransaction(db, carryOut);
  const decided = (await showAssets(db)).find((asset) => asset.symbol === symbol);
  assert(decided, `${symbol} was decided about`);
  return decided;
}
