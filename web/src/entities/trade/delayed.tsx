import { t } from '../../api/texts.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { usePair } from './use-pair.ts';

/** Whether an asset's last price is too old to trade at, which need not concern the others. */
function useDelayed(symbol: string): boolean {
  const pair = usePair(symbol);
  return pair?.listed === true && pair.stale;
}

/** Beside a delayed price. */
export const Delayed = ({ symbol }: { symbol: string }) =>
  useDelayed(symbol) && <StateBadge of="asset" state="stale">{t`Delayed`}</StateBadge>;

/** What a delayed price means for the asset's trades. */
export const DelayedBanner = ({ symbol }: { symbol: string }) =>
  useDelayed(symbol) && (
    <Banner title={t`Prices are delayed`}>
      {t`The last known prices are shown. Trades open and settle only at fresh prices.`}
    </Banner>
  );
