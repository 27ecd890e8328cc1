import type { Db, Tx } from '#server/db/connect.ts';
import type { AssetRow } from '../assets/asset-sql.ts';
import { ceilToStep, floorToStep } from '../core/candle.ts';
import { storedSteps } from '../core/intervals.ts';
import { listStatistics, type Statistics } from './candle-sql.ts';

const DAY_MS = 86_400_000;
const QUARTER_HOUR_SECONDS = 900;
/** 48 points a day. */
const SPARK_SECONDS = 1800;

type Kept = { readonly key: string; readonly figures: Promise<Map<number, Statistics>> };
const kept = new WeakMap<object, Kept>();

/**
 * The 24-hour figures of all assets. They are made of closed candles, so they change only when one closes and are kept
 * until then, for each connection pool; everybody who asks meanwhile waits for the same query.
 */
export function getStatistics(
  db: Db | Tx,
  now: Pick<AssetRow, 'marketAt' | 'stepSeconds'>,
): Promise<Map<number, Statistics>> {
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
