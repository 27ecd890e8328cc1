import type { TradableAsset } from '#contract/trading/trading.ts';
import type { Context } from '#server/context.ts';
import { listAssets } from '#server/market/index.ts';

/** The assets that can be traded now: those the operator has not switched off. */
export async function listTradable(context: Context): Promise<TradableAsset[]> {
  const assets = await listAssets(context.db);
  return assets
    .filter((asset) => asset.active)
    .map(({ symbol, name, logo, percentage }) => ({ id: symbol, name, logo, percentage }));
}
