import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { getGrain } from '#server/market/index.ts';
import type { CoarseGrain } from '../core/stops/candle-marks.ts';

/**
 * How prices come where stops do not go tick by tick: on paper, from a feed coarser than a minute. A venue that is bought
 * and sold at goes by what can be had there, tick by tick.
 */
export async function findCoarseGrain(
  { config }: Pick<Context, 'config'>,
  db: Db | Tx,
): Promise<CoarseGrain | undefined> {
  if (config.venue !== 'paper') return undefined;
  const grain = await getGrain(db);
  return grain.kind === 'minutes' ? undefined : grain;
}
