import { Button } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { t } from '../../api/texts.ts';
import { portfolioQuery } from '../../entities/trade/negative-members.ts';
import { NetWorthPanel } from '../../features/dashboard/net-worth-panel.tsx';
import { RecentMovements } from '../../features/dashboard/recent-movements.tsx';
import { SessionPanel } from '../../features/dashboard/session-panel.tsx';
import { walletQuery } from '../../features/funds/queries.ts';
import { TeamIncomePanel } from '../../features/income/team-income-panel.tsx';
import { MarketList } from '../../features/market/market-list.tsx';
import { PlansPanel } from '../../features/plans/plans-panel.tsx';
import { type EquityRange, equityRanges } from '../../features/portfolio/equity.ts';
import { EquityChart } from '../../features/portfolio/equity-chart.tsx';
import { OpenTrades } from '../../features/trading/open-trades.tsx';
import { QueuedTrades } from '../../features/trading/queued-trades.tsx';
import { RecentResults } from '../../features/trading/recent-results.tsx';
import { formatTime, formatWeekday } from '../../ui/format/time.ts';
import { Segments } from '../../ui/forms/segments.tsx';
import { Column, Columns } from '../../ui/layout/columns.tsx';
import { Awaited, PageHead } from '../../ui/layout/page-head.tsx';
import { paths } from '../../ui/paths.ts';
import classes from './dashboard.module.css';

export function DashboardPage() {
  const portfolio = useQuery(portfolioQuery);
  const wallets = useQuery(walletQuery);
  const isEmpty = portfolio.data?.net_worth === 0;
  const [range, setRange] = useState<EquityRange>('1M');
  return (
    <>
      <PageHead title={t`Dashboard`} facts={<MarketDate />}>
        <Button
          component={Link}
          to={paths.withdrawal}
          variant="default"
          leftSection={<IconUpload size={16} stroke={1.5} aria-hidden />}
        >{t`Withdraw`}</Button>
        <Button
          component={Link}
          to={paths.deposit}
          variant={isEmpty ? 'filled' : 'default'}
          leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
        >{t`Deposit`}</Button>
      </PageHead>
      <Columns even>
        <NetWorthPanel
          portfolio={portfolio.data}
          wallets={wallets.data}
          control={<Segments label={t`Period`} options={equityRanges} value={range} onChange={setRange} />}
        >
          <EquityChart query={portfolio} range={range} />
        </NetWorthPanel>
        <SessionPanel className={classes.session} quiet={isEmpty} />
        <Column>
          <OpenTrades title={t`Open trades`} />
          <QueuedTrades />
          <MarketList />
          <RecentMovements query={wallets} />
        </Column>
        <Column pairs>
          <RecentResults />
          <TeamIncomePanel />
          <PlansPanel />
        </Column>
      </Columns>
    </>
  );
}

/** The market's day and time, which need not be this computer's. */
function MarketDate() {
  const { now } = useMarketClock();
  const at = now ?? new Date();
  return <Awaited isThere={now !== undefined}>{t`Market time: ${formatWeekday(at)}, ${formatTime(at)} UTC`}</Awaited>;
}
