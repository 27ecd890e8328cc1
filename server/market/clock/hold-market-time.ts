import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { lockClock } from './clock-sql.ts';

/**
 * Market time now, which stands still until the transaction ends: whoever sees a later one sees what the transaction wrote.
 * @throws Refused not_ready before prepareMarket has run once
 */
export async function holdMarketTime(tx: Tx): Promise<Date> {
  const clock = await lockClock(tx);
  if (clock === undefined) throw new Refused('not_ready');
  return clock.at;
}
