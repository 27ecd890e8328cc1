import type { Feed } from '#contract/market.ts';
import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { listAssetRows, readAsset } from '../assets/asset-sql.ts';
import { type Clock, getClock } from '../clock/clock-sql.ts';
import { isStale } from '../core/candle.ts';

/** Null for live prices, which need no label. */
const labels: Readonly<Record<Clock['feed'], string | null>> = {
  simulated: english.t`Simulated market`,
  replay: english.t`Replay`,
  coingecko: null,
  ccxt: null,
};

/**
 * The source of prices as shown on screens. The feed is stale when no active asset has a valid price, and if live, also
 * when no worker has moved its clock for as long as a price is valid; a single stale asset is marked individually.
 *
 * @throws Refused not_ready before prepareMarket has run once
 */
export async function getFeed({ db, config, now }: Pick<Context, 'db' | 'config' | 'now'>): Promise<Feed> {
  const clock = await getClock(db);
  const active = (await listAssetRows(db)).map(readAsset).filter((asset) => asset.active);
  const label = labels[clock.feed];
  const standsStill = label === null && isStale(clock.at.getTime(), now().getTime(), clock.stepSeconds);
  return {
    kind: clock.feed,
    label,
    at: clock.at.toISOString(),
    // Live market time is real time, whatever the speed setting.
    speed: label === null ? 1 : config.market.speed,
    stale: standsStill || active.every((asset) => asset.stale),
    ended: clock.endsAt !== null && clock.at >= clock.endsAt,
  };
}

/**
 * Resolution of prices: `candles` and `quotes` of feeds coarser than a minute reveal little of what happened in
 * between.
 */
export type Grain =
  | { readonly kind: 'minutes' }
  | { readonly kind: 'quotes' }
  | { readonly kind: 'candles'; readonly stepMs: number };

const MINUTE_SECONDS = 60;

/**
 * `minutes` for feeds with steps up to a minute; otherwise `quotes` when each price stands alone, or `candles` when
 * four prices form a candle (`tickPath`).
 *
 * @throws Refused not_ready before prepareMarket has run once
 */
export async function getGrain(db: Db | Tx): Promise<Grain> {
  const { feed, stepSeconds } = await getClock(db);
  if (stepSeconds <= MINUTE_SECONDS) return { kind: 'minutes' };
  return labels[feed] === null ? { kind: 'quotes' } : { kind: 'candles', stepMs: stepSeconds * 1000 };
}
