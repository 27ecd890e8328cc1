import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Feed } from '#contract/market.ts';
import type { ConsoleAsset, SpreadChange } from '#contract/operator/assets.ts';
import { percentWords } from '../../../entities/income/fee-lines.ts';
import { formatDate, formatDateTime, formatMarketTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money, Price } from '../../../ui/text/money.tsx';
import { DetailLead, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { useList } from '../kit/list-table.tsx';
import { Quiet } from '../kit/quiet.tsx';
import { useDecisions } from '../kit/use-decisions.tsx';
import { AssetState } from './assets-page.tsx';
import { coins, priceAge, sourceOf, switchWords } from './labels.ts';
import { readSpreadChanges, useSwitchAsset } from './queries.ts';
import { SpreadDialog } from './spread-dialog.tsx';

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
          <DetailLead>
            <Banner tone="amber">{changed}</Banner>
          </DetailLead>
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

/** Every change of the spread of one asset, newest first. */
function SpreadHistory({ symbol }: { symbol: string }) {
  const { rows, query, onEnd } = useList<SpreadChange>({
    queryKey: ['assets', 'spreads', symbol],
    readPage: readSpreadChanges(symbol),
  });
  return (
    <DetailSection title="Changes of the spread">
      {query.isError && <p>They could not be read.</p>}
      {rows?.length === 0 && <p>It was never changed.</p>}
      {rows !== undefined && rows.length > 0 && (
        <Stack component="ul" gap={10} style={{ overflowWrap: 'anywhere' }}>
          {rows.map((change, index) => (
            <li key={change.id}>
              <Text size="sm" fw={500}>
                {percentWords(change.before_bps)} to {percentWords(change.spread_bps)}
              </Text>
              {change.reason}
              <Quiet>
                {change.by.name}, {formatDateTime(change.at)}; {effectOf(change, index === 0)}
              </Quiet>
            </li>
          ))}
        </Stack>
      )}
      {onEnd && (
        <Button mt={10} size="sm" variant="default" onClick={onEnd}>
          Earlier
        </Button>
      )}
    </DetailSection>
  );
}

function effectOf({ first_session_on }: SpreadChange, isNewest: boolean): string {
  if (first_session_on !== null) return `from the session of ${formatDate(first_session_on)}`;
  return isNewest ? 'from the next session' : 'followed by another before a session opened';
}
