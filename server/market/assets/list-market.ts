import type { MarketEntry } from '#contract/market.ts';
import type { Db } from '#server/db/connect.ts';
import type { Statistics } from '../candles/candle-sql.ts';
import { getStatistics } from '../candles/statistics.ts';
import { changePercent } from '../core/change.ts';
import { type AssetRow, listAssetRows } from './asset-sql.ts';

/** The market list: the 16 pairs of the specification with their prices and the figures of 24 market hours. */
export async function listMarket(db: Db): Promise<MarketEntry[]> {
  const rows = await listAssetRows(db);
  const [first] = rows;
  if (first === undefined) return [];
  const statistics = await getStatistics(db, first);
  return rows.map((row) => {
    const day = statistics.get(row.id);
    return {
      displayName: row.name,
      apiname: row.apiname,
      image: row.logo,
      rate: row.price === null ? null : Number(row.price),
      change_24h: changePercent(day?.dayAgo ?? null, row.price),
      ...extremes(day, row.price),
      volume_24h: readVolume(row, day),
      spark: day?.spark ?? [],
    };
  });
}

/** A live source says it itself; of a recording it is the sum of what was traded in the candles. */
function readVolume(row: AssetRow, day: Statistics | undefined): number | null {
  const volume = row.isLive ? row.dayVolume : day?.volume;
  return volume == null ? null : Number(volume);
}

/** The mark belongs to the day's extremes too, before its candle has closed. */
function extremes(day: Statistics | undefined, price: string | null) {
  const known = [day?.high, day?.low, price].filter((text) => text != null).map(Number);
  if (known.length === 0) return { high_24h: null, low_24h: null };
  return { high_24h: Math.max(...known), low_24h: Math.min(...known) };
}
