import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Redemption } from '#contract/trading/plan.ts';
import { InvestmentTabs } from '../../entities/trade/investment-tabs.tsx';
import { strategyWords } from '../../entities/trade/strategies.ts';
import { formatDate, formatTime } from '../../ui/format/time.ts';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { CsvButton } from '../../ui/table/csv-export.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { useCursorPaging } from '../../ui/table/use-cursor-paging.ts';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import classes from './compounding-history-page.module.css';
import { redemptionsQuery } from './queries.ts';

const PlanOf = ({ row }: { row: Redemption }) => (
  <AssetLink symbol={row.symbol} to={paths.plan(row.id)} detail={strategyWords[row.strategy].name} />
);
const sessionsWords = ({ sessions }: Redemption) => (sessions === 1 ? '1 session' : `${sessions} sessions`);

const columns: readonly Column<Redemption>[] = [
  {
    key: 'redeemed_at',
    label: 'Redeemed, UTC',
    render: (row) => (
      <span className={classes.when}>
        {formatDate(row.redeemed_at)}, {formatTime(row.redeemed_at)}
      </span>
    ),
    csvLabel: 'Redeemed',
    csv: (row) => row.redeemed_at,
  },
  { key: 'asset', label: 'Asset', csv: (row) => row.symbol },
  { key: 'strategy', label: 'Strategy', csv: (row) => strategyWords[row.strategy].name },
  { key: 'plan', label: 'Plan', render: (row) => <PlanOf row={row} /> },
  {
    key: 'began',
    label: 'Began',
    render: (row) => <span className={classes.when}>{formatDate(row.created_at)}</span>,
    csv: (row) => row.created_at,
  },
  {
    key: 'sessions',
    label: 'Sessions traded',
    align: 'right',
    render: (row) => row.sessions,
    csv: (row) => row.sessions,
  },
  {
    key: 'amount',
    label: 'Put in',
    align: 'right',
    render: (row) => <Money value={row.amount} />,
    csv: (row) => row.amount,
  },
  {
    key: 'redeemed',
    label: 'Redeemed',
    align: 'right',
    render: (row) => <Money value={row.redeemed} />,
    csvLabel: 'Redeemed amount',
    csv: (row) => row.redeemed,
  },
  {
    key: 'result',
    label: 'Result',
    align: 'right',
    render: (row) => <SignedMoney value={row.result} />,
    csv: (row) => row.result,
  },
];

function RowOnMobile({ row }: { row: Redemption }) {
  return (
    <div className={classes.row}>
      <div>
        <PlanOf row={row} />
        <span className={classes.figures}>
          <Money value={row.redeemed} />
          <SignedMoney value={row.result} />
        </span>
      </div>
      <small>
        {formatDate(row.redeemed_at)}, {formatTime(row.redeemed_at)} UTC · {sessionsWords(row)} · of{' '}
        <Money value={row.amount} decimals="typed" />
      </small>
    </div>
  );
}

/** What redeemed compounding plans gave back to the primary wallet, newest plan first. */
export function CompoundingHistoryPage() {
  const paging = useCursorPaging();
  const redemptions = useQuery(redemptionsQuery(paging.cursor));
  const rows = redemptions.data?.items;
  return (
    <>
      <PageHead
        title="Compounding investment history"
        facts="What redeemed compounding plans gave back to your Primary Wallet"
      />
      <InvestmentTabs />
      <Panel
        title="Redemptions"
        rule
        padded={false}
        control={<CsvButton fileName="compounding-investments.csv" columns={columns} rows={rows} />}
      >
        <DataTable
          label="Redemptions"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          query={redemptions}
          minHeight={280}
          mobileRow={(row) => <RowOnMobile row={row} />}
          paging={paging.pagingOf(redemptions.data)}
          empty={{
            icon: <IconHistory size={20} stroke={1.5} />,
            title: 'Nothing redeemed yet',
            text: 'When you redeem a compounding plan, what it gave back is listed here.',
            action: (
              <Button variant="default" renderRoot={(props) => <Link to={paths.plans} {...props} />}>
                Your plans
              </Button>
            ),
          }}
        />
      </Panel>
    </>
  );
}
