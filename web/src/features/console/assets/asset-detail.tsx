import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Feed } from '#contract/market.ts';
import type { ConsoleAsset } from '#contract/operator/assets.ts';
import { percentWords } from '../../../entities/income/fee-lines.ts';
import { formatDateTime, formatMarketTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money, Price } from '../../../ui/text/money.tsx';
import { DetailLead, DetailNotice, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { useDecisions } from '../kit/use-decisions.tsx';
import { AssetState } from './asset-state.tsx';
import { coins, priceAge, sourceOf, switchWords } from './labels.ts';
import { useSwitchAsset } from './queries.ts';
import { SpreadDialog } from './spread-dialog.tsx';
import { SpreadHistory } from './spread-history.tsx';

type AssetDetailProps = { asset: ConsoleAsset; feed: Feed; isAdmin: boolean; onClose: () => void };

/** One asset: its spread now and next, its price, what is open on it, and the two decisions about it. */
export function AssetDetail({ asset, feed, isAdmin, onClose }: AssetDetailProps) {
  const { symbol, name, version, active, spread_bps, next_spread: next, price, price_at, positions, queued } = asset;
  const [changing, setChanging] = useState<number>();
  const { buttons, dialog, changed } = useDecisions({
    decisions: [active ? 'off' : 'on'],
    version,
    wordsOf: (decision) => switchWords(decision, name),
    mutation: useSwitchAsset(symbol),
  });
  return (
    <>
      <DetailPanel
        title={name}
        kind="Asset"
        badge={<AssetState asset={asset} />}
        onClose={onClose}
        foot={
          isAdmin ? (
            <>
              {buttons}
              <Button size="lg" variant={active ? 'filled' : 'default'} onClick={() => setChanging(version)}>
                Change spread
              </Button>
              <p>A spread begins with the next session, off is at once.</p>
            </>
          ) : (
            <p>Admins decide.</p>
          )
        }
      >
        <DetailLead>
          <Figure label="Spread in force" size="xl" foot={next ? undefined : 'the next session keeps it'}>
            {percentWords(spread_bps)}
          </Figure>
        </DetailLead>
        {changed && (
          <DetailNotice>
            <Banner tone="amber">{changed}</Banner>
          </DetailNotice>
        )}
        {next && (
          <DetailSection title="From the next session">
            <KeyValues
              items={[
                ['Spread', percentWords(next.spread_bps)],
                ['Set by', `${next.by.name}, ${formatDateTime(next.at)}`],
                ['Why', next.reason],
              ]}
            />
          </DetailSection>
        )}
        <DetailSection title="Price">
          <KeyValues
            items={[
              ['Last price', <Price key="price" value={price} symbol={symbol} />],
              ['Market time', price_at === null ? '–' : formatMarketTime(price_at)],
              ['Age', priceAge(price_at, feed.at) ?? '–'],
              ['Source', sourceOf(feed)],
            ]}
          />
        </DetailSection>
        <DetailSection title="Members’ trades">
          <KeyValues
            items={[
              ['Open positions', positions.count.toLocaleString('en-US')],
              ['Coins', `${coins(positions.quantity)} ${symbol}`],
              ['Worth now', <Money key="value" value={positions.value} decimals={2} />],
              ['Queued', queued.count.toLocaleString('en-US')],
              ['Placed with them', <Money key="amount" value={queued.amount} decimals={2} />],
            ]}
          />
        </DetailSection>
        <SpreadHistory symbol={symbol} />
      </DetailPanel>
      {dialog}
      <SpreadDialog asset={asset} version={changing} onClose={() => setChanging(undefined)} />
    </>
  );
}
