import type { Db } from '#server/db/connect.ts';
import { listAssetRows } from '../assets/asset-sql.ts';
import { isKeptForGood, storedSteps } from '../core/intervals.ts';
import { listClosesAt, type PriceAt } from './price-at-sql.ts';

/**
 * What each asset stood at at instants of the past: the close of the last candle that had ended by then, of the shortest
 * ones that are kept for good (15 minutes, or the feed's own when it is coarser). So the answer for an instant stays the
 * same for ever, while ticks are forgotten after three days. Assets without such a candle are left out: unknown is not zero.
 *
 * At 14:07 it is the close of the candle from 13:45 to 14:00, at 17:30 that from 17:15 to 17:30.
 */
export async function listPricesAt(db: Db, instants: readonly Date[]): Promise<PriceAt[]> {
  const [asset] = await listAssetRows(db);
  const stepSeconds = asset && storedSteps(asset.stepSeconds).findLast(isKeptForGood);
  return stepSeconds === undefined || instants.length === 0 ? [] : listClosesAt(db, stepSeconds, instants);
}
