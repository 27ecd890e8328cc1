import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { consoleAssets } from '#contract/operator/assets.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import { findAsset, listSpreadChanges } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { showSpreadChanges } from './show-assets.ts';

type ListSpreadChanges = typeof consoleAssets.listSpreadChanges;

/** A page of the changes of one asset's spread, newest first. Refuses `asset_not_found`. */
export async function showSpreadHistory(
  { db }: Context,
  symbol: string,
  { cursor, limit }: QueryOf<ListSpreadChanges>,
): Promise<DataOf<ListSpreadChanges>> {
  if ((await findAsset(db, symbol)) === undefined) throw new Refused('asset_not_found');
  const found = await listSpreadChanges(db, symbol, { before: readIdCursor(cursor), limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { items: (await showSpreadChanges(db, rows)).map(({ change }) => change), next_cursor: nextCursor };
}
