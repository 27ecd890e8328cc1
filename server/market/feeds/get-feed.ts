import type { Feed } from '#contract/market.ts';
import { english } from '#contract/texts.ts';
import type { Config } from '#server/config.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { listAssetRows, readAsset } from '../assets/asset-sql.ts';
import { type Clock, getClock } from '../clock/clock-sql.ts';

/** null where prices are live, which need no label. */
const labels: Readonly<Record<Clock['feed'], string | null>> = {
  simulated: english.t`Simulated market`,
  replay: english.t`Replay`,
  coingecko: null,
  ccxt: null,
};

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

/** How far apart prices are: `candles` and `quotes` of feeds coarser than a minute say little of what happened between them. */
export type Grain =
  | { readonly kind: 'minutes' }
  | { readonly kind: 'quotes' }
  | { readonly kind: 'candles'; readonly stepMs: number };

const MINUTE_SECONDS = 60;

/**
 * `minutes` of feeds that play a minute or less at a time; else `quotes` where each price stands for itself, and `candles`
 * where four prices are a candle (`tickPath`).
 * @throws Refused not_ready before prepareMarket has run once
 */
export async function getGrain(db: Db | Tx): Promise<Grain> {
  const { feed, stepSeconds } = await getClock(db);
  if (stepSeconds <= MINUTE_SECONDS) return { kind: 'minutes' };
  return labels[feed] === null ? { kind: 'quotes' } : { kind: 'candles', stepMs: stepSeconds * 1000 };
}
