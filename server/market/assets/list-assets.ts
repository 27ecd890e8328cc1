import { Decimal } from 'decimal.js';
import type { MarketEntry } from '#contract/market.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { listStatistics, type Statistics } from '../candles/candle-sql.ts';
import { ceilToStep, floorToStep } from '../core/candle.ts';
import { storedSteps } from '../core/intervals.ts';
import { type Asset, type AssetRow, listAssetRows, readAsset } from './asset-sql.ts';

export type ListedAsset = Asset & {
  /** Change of the mark over 24 hours of market time in percent; null when either end is unknown. */
  readonly percentage: number | null;
};

/** All assets in the specification's order, active or not. */
export async function listAssets(db: Db | Tx): Promise<ListedAsset[]> {
  return (await listWithStatistics(db)).map(({ row, day }) => ({
    ...readAsset(row),
    percentage: changePercent(day?.dayAgo ?? null, row.price),
  }));
}

/** The market list: the pairs with their prices and the figures of 24 market hours. */
export async function listMarket(db: Db): Promise<MarketEntry[]> {
  return (await listWithStatistics(db)).map(({ row, day }) => ({
    displayName: row.name,
    apiname: row.apiname,
    image: row.logo,
    listed: row.listed,
    rate: row.price === null ? null : Number(row.price),
    stale: readAsset(row).stale,
    change_24h: changePercent(day?.dayAgo ?? null, row.price),
    ...extremes(day, row.price),
    volume_24h: readVolume(row, day),
    spark: day?.spark ?? [],
  }));
}

async function listWithStatistics(db: Db | Tx): Promise<{ row: AssetRow; day: Statistics | undefined }[]> {
  const rows = await listAssetRows(db);
  const [first] = rows;
  if (first === undefined) return [];
  const statistics = await getStatistics(db, first);
  return rows.map((row) => ({ row, day: statistics.get(row.id) }));
}

/** Reported by a live source; for a recording, the sum of its candles. */
function readVolume(row: AssetRow, day: Statistics | undefined): number | null {
  const volume = row.isLive ? row.dayVolume : day?.volume;
  return volume == null ? null : Number(volume);
}

/** The current mark counts towards the day's extremes before its candle has closed. */
function extremes(day: Statistics | undefined, price: string | null) {
  const known = [day?.high, day?.low, price].filter((text) => text != null).map(Number);
  if (known.length === 0) return { high_24h: null, low_24h: null };
  return { high_24h: Math.max(...known), low_24h: Math.min(...known) };
}

const DAY_MS = 86_400_000;
const QUARTER_HOUR_SECONDS = 900;
/** 48 points a day. */
const SPARK_SECONDS = 1800;

type Kept = { readonly key: string; readonly figures: Promise<Map<number, Statistics>> };
const kept = new WeakMap<object, Kept>();

/**
 * The 24-hour figures of all assets, cached per connection pool. They are computed from closed candles, so they change
 * only when one closes; concurrent callers share one query.
 */
function getStatistics(db: Db | Tx, now: Pick<AssetRow, 'marketAt' | 'stepSeconds'>): Promise<Map<number, Statistics>> {
  const { stepSeconds } = now;
  const toMs = floorToStep(now.marketAt.getTime(), stepSeconds);
  const key = `${toMs}/${stepSeconds}`;
  const last = kept.get(db);
  if (last?.key === key) return last.figures;
  const figures = readStatistics(db, toMs, stepSeconds);
  kept.set(db, { key, figures });
  figures.catch(() => kept.delete(db));
  return figures;
}

async function readStatistics(db: Db | Tx, toMs: number, stepSeconds: number): Promise<Map<number, Statistics>> {
  const long = storedSteps(stepSeconds).includes(QUARTER_HOUR_SECONDS) ? QUARTER_HOUR_SECONDS : stepSeconds;
  const fromMs = toMs - DAY_MS;
  const rows = await listStatistics(
    db,
    { short: stepSeconds, long, spark: Math.max(long, SPARK_SECONDS) },
    { fromMs, longFromMs: ceilToStep(fromMs, long), longToMs: floorToStep(toMs, long), toMs },
  );
  return new Map(rows.map((row) => [row.assetId, row]));
}

/**
 * Change of a price in percent, to four decimals; null when either price is unknown: unknown is not zero. From 120 to
 * 121.5 it is 1.25.
 */
export function changePercent(before: string | null, now: string | null): number | null {
  if (before === null || now === null) return null;
  return new Decimal(now).dividedBy(before).minus(1).times(100).toDecimalPlaces(4).toNumber();
}
