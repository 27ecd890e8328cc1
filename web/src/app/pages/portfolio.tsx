import { Button } from '@mantine/core';
import { IconChartCandle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import { marketQuery } from '../../api/market/queries.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { t } from '../../api/texts.ts';
import { pairOf } from '../../entities/trade/labels.ts';
import { portfolioQuery } from '../../entities/trade/negative-members.ts';
import { AllocationPanel } from '../../features/portfolio/allocation-panel.tsx';
import { AssetPanel } from '../../features/portfolio/asset-panel.tsx';
import { EquityPanel } from '../../features/portfolio/equity-chart.tsx';
import { ExportMenu } from '../../features/portfolio/export-menu.tsx';
import { PlansPanel } from '../../features/portfolio/plans-panel.tsx';
import { PortfolioFigures } from '../../features/portfolio/portfolio-figures.tsx';
import { RealisedPanel } from '../../features/portfolio/realised-panel.tsx';
import { StopsPanel } from '../../features/portfolio/stops-panel.tsx';
import { OpenTradeList } from '../../features/trading/open-trades.tsx';
import { QueuedTrades } from '../../features/trading/queued-trades.tsx';
import { TradeList } from '../../features/trading/trade-list.tsx';
import { formatDateTime } from '../../ui/format/time.ts';
import { Awaited, PageHead } from '../../ui/layout/page-head.tsx';
import { tradeSearch } from '../../ui/paths.ts';
import { FaultPanel } from '../../ui/table/data-table-states.tsx';
import classes from './portfolio.module.css';

export function PortfolioPage() {
  const query = useQuery(portfolioQuery);
  const portfolio = query.data;
  return (
    <>
      <PageHead title={t`Portfolio`} facts={<PricesOf positions={portfolio?.positions ?? []} />}>
        <ExportMenu portfolio={portfolio} />
        <Button
          component={Link}
          to={{ search: tradeSearch() }}
          leftSection={<IconChartCandle size={16} stroke={1.5} aria-hidden />}
        >{t`Trade`}</Button>
      </PageHead>
      <FaultPanel query={query} />
      {!(query.isError && !portfolio) && <PortfolioFigures portfolio={portfolio} />}
      <div className={classes.grid}>
        {!(query.isError && !portfolio) && (
          <>
            <div className={classes.wide}>
              <EquityPanel query={query} />
            </div>
            <AllocationPanel allocation={portfolio?.allocation} />
            <OpenTradeList
              title={t`Open positions`}
              className={classes.full}
              query={query}
              trades={portfolio?.positions}
              areAll={portfolio?.positions.length === portfolio?.totals.open}
            />
          </>
        )}
        <div className={classes.wide}>
          {portfolio && (
            <>
              <StopsPanel positions={portfolio.positions} open={portfolio.totals.open} query={query} />
              <PlansPanel plans={portfolio.plans} query={query} />
            </>
          )}
          <QueuedTrades />
        </div>
        {portfolio && <RealisedPanel portfolio={portfolio} />}
      </div>
      {portfolio && <AssetPanel assets={portfolio.by_asset} query={query} />}
      <TradeList
        title={t`Settled trades`}
        state="settled"
        note={t`P&L is after all fees. The trade fee is charged at opening, the performance fee when a trade settles with a gain.`}
      />
    </>
  );
}

/** The market time of the prices behind the figures, and which are older; none while all are. */
function PricesOf({ positions }: { positions: Portfolio['positions'] }) {
  const { session, now } = useMarketClock();
  const { data: market } = useQuery(marketQuery);
  const held = new Set(positions.map(({ symbol }) => pairOf(symbol)));
  const delayed = market?.pairs.filter(({ displayName, stale }) => stale && held.has(displayName)) ?? [];
  const time = formatDateTime(now ?? new Date());
  const names = delayed.map(({ displayName }) => displayName).join(', ');
  const prices = names === '' ? t`Prices of ${time}` : t`Prices of ${time}, those of ${names} delayed`;
  return <Awaited isThere={now !== undefined}>{session?.feed.stale ? t`Waiting for new prices` : prices}</Awaited>;
}
