import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Redemption } from '#contract/trading/plan.ts';
import { plural, t } from '../../api/texts.ts';
import { AssetRow } from '../../entities/trade/asset-row.tsx';
import { InvestmentTabs } from '../../entities/trade/investment-tabs.tsx';
import { useNegativeMembers } from '../../entities/trade/negative-members.ts';
import { strategyLabels } from '../../entities/trade/strategies.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { formatDate, formatDateTime } from '../../ui/format/time.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { paths } from '../../ui/paths.ts';
import { column, fileColumn, moneyColumn, rightColumn, usdHead } from '../../ui/table/columns.tsx';
import { CsvButton } from '../../ui/table/csv-export.tsx';
import { type Column, useCursorPaging } from '../../ui/table/data-table.tsx';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { When } from '../../ui/text/text.tsx';
import { redemptionsQuery } from './queries.ts';

const sessionsText = ({ sessions }: Redemption) => plural(sessions, { one: '# session', other: '# sessions' });

const columns: readonly Column<Redemption>[] = [
  column(t`Redeemed, UTC`, (row) => <When at={row.redeemed_at} />, {
    csvLabel: t`Redeemed`,
    csv: (row) => row.redeemed_at,
  }),
  fileColumn(t`Asset`, (row) => row.symbol),
  fileColumn(t`Strategy`, (row) => strategyLabels[row.strategy].name),
  column(t`Plan`, (row) => (
    <AssetLink symbol={row.symbol} to={paths.plan(row.id)} detail={strategyLabels[row.strategy].name} />
  )),
  column(t`Started`, (row) => formatDate(row.created_at), { csv: (row) => row.created_at }),
  rightColumn(t`Sessions traded`, (row) => row.sessions, { csv: (row) => row.sessions }),
  moneyColumn(t`Invested`, (row) => row.amount),
  moneyColumn(t`Redeemed`, (row) => row.redeemed, { csvLabel: t`Redeemed amount` }),
  rightColumn(t`P&L`, (row) => <SignedMoney value={row.result} />, {
    csvLabel: usdHead(t`P&L`),
    csv: (row) => row.result,
  }),
];

function RowOnMobile({ row }: { row: Redemption }) {
  return (
    <>
      <AssetRow symbol={row.symbol} to={paths.plan(row.id)} detail={strategyLabels[row.strategy].name}>
        <Money value={row.redeemed} />
        <SignedMoney value={row.result} />
      </AssetRow>
      <Note mt={4}>
        {formatDateTime(row.redeemed_at)} · {sessionsText(row)} · {t`of ${formatMoney(row.amount, 'typed')}`}
      </Note>
    </>
  );
}

/** What redeemed compounding plans returned to the primary wallet, newest plan first. */
export function CompoundingHistoryPage() {
  const paging = useCursorPaging();
  const redemptions = useQuery(redemptionsQuery(paging.cursor));
  const rows = redemptions.data?.items;
  return (
    <>
      <PageHead
        title={t`Compounding investment history`}
        facts={t`Redeemed compounding plans and what they paid to your Primary Wallet`}
      />
      <InvestmentTabs />
      <TablePanel
        title={t`Redemptions`}
        foot={useNegativeMembers()}
        control={<CsvButton fileName="compounding-investments.csv" columns={columns} rows={rows} />}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        query={redemptions}
        minHeight={280}
        mobileRow={(row) => <RowOnMobile row={row} />}
        paging={paging.pagingOf(redemptions.data)}
        empty={{
          icon: IconHistory,
          title: t`No redemptions yet`,
          text: t`Redeemed compounding plans appear here with their P&L.`,
          action: <Button component={Link} to={paths.plans} variant="default">{t`Your plans`}</Button>,
        }}
      />
    </>
  );
}
