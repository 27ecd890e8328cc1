import type { Context } from '#server/context.ts';
import { listAssets } from '#server/market/index.ts';
import { reportedHolding } from '../core/execution/reported-holding.ts';
import { coinOf, type Venue } from './venue-port.ts';
import { reportVenue } from './venue-report.ts';

/**
 * What the exchange reports to hold for us, in micros, positions at their cost (`reportedHolding`); undefined when that is not
 * known.
 *
 * @throws VenueFault when the exchange does not answer
 */
export async function reportHolding(context: Context, given?: Venue): Promise<bigint | undefined> {
  const { ledgerMicros, lines } = await reportVenue(context, given);
  const assets = await listAssets(context.db);
  const prices = new Map(assets.map(({ symbol, mark }) => [coinOf(symbol), mark?.price ?? null]));
  return reportedHolding(ledgerMicros, lines, prices);
}
