import { Button, VisuallyHidden } from '@mantine/core';
import { IconChartCandle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Trade } from '#contract/trading/trading.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { t } from '../../api/texts.ts';
import { Delayed } from '../../entities/trade/delayed.tsx';
import { formatMoney } from '../../ui/format/number.ts';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { paths, tradeSearch } from '../../ui/paths.ts';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Price, SignedMoney } from '../../ui/text/money.tsx';
import { Quiet, Trans } from '../../ui/text/text.tsx';
import { ChangeStops } from './change-stops.tsx';
import { CloseNow } from './close-now.tsx';
import { tradesQuery } from './queries.ts';
import { sumTrades } from './sum-trades.ts';
import { AmountCell, NarrowTrade, ResultCell, Since, Source } from './trade-cells.tsx';

/**
 * Trades with a position: open ones, and after the close those that wait for their price. `areAll` says whether the
 * list is complete; only a complete one can be totalled.
 */
export function useLiveTrades(symbol?: string) {
  const { data: session } = useQuery(sessionQuery);
  const filter = { limit: '100', ...(symbol === undefined ? {} : { symbol }) };
  const open = useQuery(tradesQuery({ ...filter, state: 'open' }));
  const settling = useQuery({
    ...tradesQuery({ ...filter, state: 'settling' }),
    enabled: session?.state === 'settling',
  });
  const trades = open.data && [...open.data.items, ...(settling.data?.items ?? [])];
  const areAll = [open, settling].every(({ data }) => (data?.next_cursor ?? null) === null);
  return { query: open, trades, areAll };
}

const columns: Column<Trade>[] = [
  column(t`Asset`, (trade) => (
    <AssetLink
      symbol={trade.symbol}
      to={paths.symbol(trade.symbol)}
      detail={
        <>
          <Source trade={trade} /> · <Since trade={trade} />
        </>
      }
    />
  )),
  rightColumn(t`Amount`, (trade) => <AmountCell trade={trade} />),
  rightColumn(t`Entry`, (trade) => <Price value={trade.open_price} symbol={trade.symbol} />, { from: 'roomy' }),
  rightColumn(t`Mark`, (trade) => (
    <>
      <Price value={trade.live?.price} symbol={trade.symbol} /> <Delayed symbol={trade.symbol} />
    </>
  )),
  column(t`Stops`, (trade) => <ChangeStops trade={trade} variant="lines" />),
  rightColumn(t`P&L`, (trade) => <ResultCell trade={trade} />),
  {
    key: 'close',
    label: <VisuallyHidden>{t`Action`}</VisuallyHidden>,
    align: 'right',
    render: (trade) => <CloseNow trade={trade} variant="row" />,
  },
];

/** The open trades, as they are now. */
export const OpenTrades = ({ title }: { title: string }) => <OpenTradeList title={title} {...useLiveTrades()} />;

type OpenTradeListProps = {
  title: string;
  className?: string | undefined;
  query: ListQuery;
  trades: readonly Trade[] | undefined;
  areAll: boolean;
};

/** Open trades of a page that has read them with its other figures, so that both are of the same prices. */
export function OpenTradeList({ title, className, query, trades, areAll }: OpenTradeListProps) {
  return (
    <TablePanel
      title={title}
      className={className}
      control={
        trades &&
        trades.length > 0 && (
          <Quiet>
            {areAll ? (
              <Trans text={t`Total <pnl/>`} pnl={<SignedMoney value={sumTrades(trades).result} />} />
            ) : (
              t`The newest ${trades.length}`
            )}
          </Quiet>
        )
      }
      columns={columns}
      rows={trades}
      rowKey={(trade) => trade.id}
      query={query}
      minHeight={180}
      mobileRow={(trade) => (
        <>
          <NarrowTrade
            trade={trade}
            detail={
              <>
                {formatMoney(trade.amount, 'typed')} · <Source trade={trade} /> <Delayed symbol={trade.symbol} />
              </>
            }
            action={<CloseNow trade={trade} variant="icon" />}
          />
          <ChangeStops trade={trade} variant="line" />
        </>
      )}
      empty={{
        icon: IconChartCandle,
        title: t`No open trades`,
        text: t`A trade opens at the next price of a session and settles automatically at the close.`,
        action: <Button component={Link} to={{ search: tradeSearch() }} variant="default">{t`Trade`}</Button>,
      }}
    />
  );
}
