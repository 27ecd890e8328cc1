import { Button, Text } from '@mantine/core';
import { IconChartCandle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { appInfo } from '../../api/app-info.ts';
import { marketQuery } from '../../api/market/queries.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import { tradeSearch } from '../../ui/paths.ts';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import { Percent, Price } from '../../ui/text/money.tsx';
import classes from './asset-quote.module.css';
import { compact } from './compact.ts';

/** The head of an asset's page: its price now, the figures of 24 hours, and the way to trade it. */
export function AssetQuote({ symbol }: { symbol: string }) {
  const { data: market } = useQuery(marketQuery);
  const name = `${symbol}/usdt`;
  const pair = market?.pairs.find(({ displayName }) => displayName === name);
  return (
    <>
      <title>{`${name} · ${appInfo.brandName}`}</title>
      <section className={classes.quote} aria-labelledby="asset-name">
        <div className={classes.name}>
          <AssetIcon symbol={symbol} size={40} />
          <div>
            <h1 id="asset-name">{name}</h1>
            <p>{pair?.apiname ?? '\u00a0'}</p>
          </div>
        </div>
        <div className={classes.now}>
          <Text span inherit fz="var(--tw-fs-32)" fw={600} lh="40px" lts="-0.015em">
            <Price value={pair?.rate} symbol={symbol} />
          </Text>
          <b>
            <Percent value={pair?.change_24h} signed arrow />
          </b>
        </div>
        <dl className={classes.figures}>
          <div>
            <dt>24 h high</dt>
            <dd>
              <Price value={pair?.high_24h} symbol={symbol} />
            </dd>
          </div>
          <div>
            <dt>24 h low</dt>
            <dd>
              <Price value={pair?.low_24h} symbol={symbol} />
            </dd>
          </div>
          <div>
            <dt>24 h volume</dt>
            <dd>{pair?.volume_24h == null ? '–' : `$${compact(pair.volume_24h)}`}</dd>
          </div>
        </dl>
        <Button
          size="lg"
          className={classes.trade ?? ''}
          leftSection={<IconChartCandle size={16} stroke={1.5} aria-hidden />}
          renderRoot={(props) => <Link to={{ search: tradeSearch(symbol) }} {...props} />}
        >
          Trade {symbol}
        </Button>
      </section>
      {market?.feed.stale && (
        <Banner title="Prices are late">
          The last known ones are shown. Nothing opens or settles without a fresh price.
        </Banner>
      )}
    </>
  );
}
