import type { ConsoleAsset } from '#contract/operator/assets.ts';
import { StateBadge } from '../../../ui/text/state-badge.tsx';

/** Whether it can be traded, and whether its price still holds. */
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
