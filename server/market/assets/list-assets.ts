import type { Db, Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { getStatistics } from '../candles/statistics.ts';
import type { Price } from '../candles/tick-sql.ts';
import { changePercent } from '../core/change.ts';
import { isStale } from '../core/staleness.ts';
import { type AssetRow, findAssetRow, listAssetRows } from './asset-sql.ts';

export type Asset = {
  readonly symbol: string;
  /** As shown: `btc/usdt`. */
  readonly name: string;
  readonly apiname: string;
  /** Path of the icon. */
  readonly logo: string;
  /** False when an operator switched it off. */
  readonly active: boolean;
  /** Raised by every decision of an operator about it. */
  readonly version: number;
  /** In force: what the session that opened last is played at. */
  readonly spreadBps: number;
  /** The last price; null until a first one came. */
  readonly mark: Price | null;
  /** No price came for so long that the mark no longer holds. */
  readonly stale: boolean;
};

export type ListedAsset = Asset & {
  /** Change of the mark over 24 hours of market time in percent; null when either end is unknown. */
  readonly percentage: number | null;
};

/** All 16 assets in the specification's order, switched off or not. */
export async function listAssets(db: Db | Tx): Promise<ListedAsset[]> {
  const rows = await listAssetRows(db);
  const [first] = rows;
  if (first === undefined) return [];
  const statistics = await getStatistics(db, first);
  return rows.map((row) => ({
    ...readAsset(row),
    percentage: changePercent(statistics.get(row.id)?.dayAgo ?? null, row.price),
  }));
}

/** One asset without its day's figures, which is what placing a trade needs. undefined for an unknown symbol. */
export async function findAsset(db: Db | Tx, symbol: string): Promise<Asset | undefined> {
  const row = await findAssetRow(db, symbol);
  return row && readAsset(row);
}

/** @throws Refused asset_not_found */
export async function getAssetRow(db: Db | Tx, symbol: string): Promise<AssetRow> {
  const row = await findAssetRow(db, symbol);
  if (row === undefined) throw new Refused('asset_not_found');
  return row;
}

export function readAsset(row: AssetRow): Asset {
  const { symbol, name, apiname, logo, active, version, spreadBps, price, markAt, marketAt, stepSeconds } = row;
  return {
    symbol,
    name,
    apiname,
    logo,
    active,
    version,
    spreadBps,
    mark: price === null || markAt === null ? null : { symbol, price, at: markAt },
    stale: isStale(markAt?.getTime() ?? null, marketAt.getTime(), stepSeconds),
  };
}
