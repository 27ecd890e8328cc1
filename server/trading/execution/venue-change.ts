import { BadConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { hasExposure, listExposureDifferences } from './hedge-exposure-sql.ts';

/**
 * Trades end at the venue they began at: the exchange holds coins for those it hedged, and none for the others. Called
 * once at each start, before anything trades.
 *
 * @throws BadConfig when VENUE was changed while trades were open
 */
export async function refuseVenueChange({ db, config }: Context): Promise<void> {
  if (config.venue === 'paper') {
    if (await hasExposure(db))
      throw new BadConfig('VENUE: open trades are hedged at the exchange; settle them with VENUE=ccxt first');
    return;
  }
  const differences = await listExposureDifferences(db);
  if (differences.length > 0)
    throw new BadConfig('VENUE: open trades were filled on paper; settle them with VENUE=paper first');
}
