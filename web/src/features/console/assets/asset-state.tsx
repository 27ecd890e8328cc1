import type { Feed } from '#contract/market.ts';
import type { ConsoleAsset } from '#contract/operator/assets.ts';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import { formatAge } from '../kit/age.ts';

const sources: Record<Feed['kind'], string> = {
  simulated: 'Simulated market',
  replay: 'Recording',
  coingecko: 'CoinGecko',
  ccxt: 'Exchange',
};

/** The sources of prices. */
export const sourceOf = ({ kind }: Feed): string => sources[kind];

/** Market time from a price to now: `12 s`, from a minute on `7 min`; null without a price. */
export function priceAge(priceAt: string | null, marketAt: string): string | null {
  if (priceAt === null) return null;
  const ms = Math.max(0, Date.parse(marketAt) - Date.parse(priceAt));
  return ms < 60_000 ? `${Math.floor(ms / 1000)} s` : formatAge(ms);
}

/** Whether it is tradable, and whether its price is fresh. */
export function AssetState({ asset }: { asset: Pick<ConsoleAsset, 'active' | 'stale' | 'price'> }) {
  if (!asset.active) return <StateBadge of="asset" state="off" />;
  if (asset.price === null) {
    return (
      <StateBadge of="asset" state="stale">
        No price
      </StateBadge>
    );
  }
  return <StateBadge of="asset" state={asset.stale ? 'stale' : 'on'} />;
}
