import type { Feed } from '#contract/market.ts';
import type { Config } from '#server/config.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { listAssetRows } from '../assets/asset-sql.ts';
import { readAsset } from '../assets/list-assets.ts';
import { type Clock, findClock } from '../clock/clock-sql.ts';

/** null where prices are live, which need no label. */
const labels: Readonly<Record<Clock['feed'], string | null>> = {
  simulated: 'Simulated market',
  replay: 'Replay',
  coingecko: null,
  ccxt: null,
};

/**
 * Market time now, as the stored clock has it.
 * @throws Refused not_ready before prepareMarket has run once
 */
export async function getMarketTime(db: Db | Tx): Promise<Date> {
  return (await getClock(db)).at;
}

/**
 * What the screens say about where prices come from. The feed is stale when none of its active assets has a price that
 * still holds; one that is stale alone is said at that asset.
 * @throws Refused not_ready before prepareMarket has run once
 */
export async function getFeed(db: Db | Tx, config: Config): Promise<Feed> {
  const clock = await getClock(db);
  const active = (await listAssetRows(db)).map(readAsset).filter((asset) => asset.active);
  const label = labels[clock.feed];
  return {
    kind: clock.feed,
    label,
    at: clock.at.toISOString(),
    // Live market time is real time, whatever speed is set.
    speed: label === null ? 1 : config.market.speed,
    stale: active.every((asset) => asset.stale),
    ended: clock.endsAt !== null && clock.at >= clock.endsAt,
  };
}

async function getClock(db: Db | Tx): Promise<Clock> {
  const clock = await findClock(db);
  if (clock === undefined) throw new Refused('not_ready');
  return clock;
}
