import type { TradableAsset } from '#contract/trading.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { getFeed, listAssets } from '#server/market/index.ts';

/** The assets that can be traded now: those the operator has not switched off. */
export async function listTradable(context: Context): Promise<TradableAsset[]> {
  const assets = await listAssets(context.db);
  return assets
    .filter((asset) => asset.active)
    .map(({ symbol, name, logo, percentage }) => ({ id: symbol, name, logo, percentage }));
}

/** What placing needs to know of the market besides its time. */
export type Tradable = { readonly symbols: ReadonlySet<string>; readonly hasEnded: boolean };

const KEPT_MS = 1000;
const cache = new WeakMap<Db, { readonly readAt: number; readonly tradable: Promise<Tradable> }>();

/**
 * Which assets can be traded, looked up at most once a second: a trade that slips through after a switch-off is
 * cancelled before it opens like those placed before, with the whole amount back. Market time is never kept like this,
 * for a trade dated back would be filled at a price already known.
 */
export function readTradable(context: Context): Promise<Tradable> {
  const now = context.now().getTime();
  const known = cache.get(context.db);
  if (known !== undefined && Math.abs(now - known.readAt) < KEPT_MS) return known.tradable;
  const tradable = lookUp(context);
  cache.set(context.db, { readAt: now, tradable });
  tradable.catch(() => cache.delete(context.db));
  return tradable;
}

async function lookUp({ db, config }: Context): Promise<Tradable> {
  const [assets, feed] = await Promise.all([listAssets(db), getFeed(db, config)]);
  return {
    symbols: new Set(assets.filter((asset) => asset.active).map((asset) => asset.symbol)),
    hasEnded: feed.ended,
  };
}
