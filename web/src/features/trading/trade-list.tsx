import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Trade, TradeState } from '#contract/trading/trading.ts';
import { t } from '../../api/texts.ts';
import { feesOf } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { formatDay } from '../../ui/format/time.ts';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { paths } from '../../ui/paths.ts';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import { type Column, useCursorPaging } from '../../ui/table/data-table.tsx';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, Price } from '../../ui/text/money.tsx';
import { tradesQuery } from './queries.ts';
import { endReason, NarrowTrade, OpenCell, ResultCell, Source } from './trade-cells.tsx';

const PAGE_SIZE = 10;

const cells = {
  asset: column(t`Asset`, (trade) => (
    <AssetLink symbol={trade.symbol} to={paths.symbol(trade.symbol)} detail={<Source trade={trade} full />} />
  )),
  opened: column(t`Opened, UTC`, (trade) => <OpenCell trade={trade} wallet />),
  open: column(t`Open, UTC`, (trade) => <OpenCell trade={trade} />),
  amount: rightColumn(t`Amount`, (trade) => <Money value={trade.amount} decimals="typed" />),
  entry: rightColumn(t`Entry`, (trade) => <Price value={trade.open_price} symbol={trade.symbol} />),
  exit: rightColumn(t`Exit`, (trade) => <Price value={trade.close_price} symbol={trade.symbol} />),
  exitOrMark: rightColumn(t`Exit`, (trade) => <ExitCell trade={trade} />),
  closedBy: column(t`Closed by`, (trade) => endReason(trade) ?? '–'),
  fees: rightColumn(t`Fees`, (trade) => <Money value={feesOf(trade)} />),
  result: rightColumn(t`P&L`, (trade) => <ResultCell trade={trade} />),
  state: rightColumn(t`State`, (trade) => <TradeBadge trade={trade} />),
} as const satisfies Record<string, Column<Trade>>;

const columnsOfAll = [
  cells.asset,
  cells.open,
  cells.amount,
  cells.entry,
  cells.exit,
  cells.closedBy,
  cells.fees,
  cells.result,
];
const columnsOfOne = [cells.opened, cells.amount, cells.entry, cells.exitOrMark, cells.fees, cells.result, cells.state];

function ExitCell({ trade }: { trade: Trade }) {
  const price = trade.close_price ?? trade.live?.price ?? null;
  const words = endReason(trade) ?? (trade.live ? t`mark` : null);
  return (
    <>
      <Price value={price} symbol={trade.symbol} />
      {words && <small>{words}</small>}
    </>
  );
}

const TradeBadge = ({ trade }: { trade: Trade }) => (
  <StateBadge of="trade" state={trade.closing ? 'settling' : trade.state}>
    {trade.closing ? t`Closing` : undefined}
  </StateBadge>
);

type TradeListProps = {
  title: string;
  state?: TradeState;
  /** Only this asset: then there is no asset column, but one for the state. */
  symbol?: string;
  control?: ReactNode;
  /** A note about the figures, below the table. */
  note?: ReactNode;
};

/** Own trades, newest first, paged. */
export function TradeList({ title, state, symbol, control, note }: TradeListProps) {
  const { cursor, pagingOf } = useCursorPaging();
  const query = useQuery(
    tradesQuery({
      limit: String(PAGE_SIZE),
      ...(state === undefined ? {} : { state }),
      ...(symbol === undefined ? {} : { symbol }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  return (
    <TablePanel
      title={title}
      control={control}
      foot={note}
      columns={symbol === undefined ? columnsOfAll : columnsOfOne}
      rows={query.data?.items}
      rowKey={(trade) => trade.id}
      query={query}
      paging={pagingOf(query.data)}
      minHeight={220}
      isOff={(trade) => trade.state === 'cancelled'}
      mobileRow={(trade) => <NarrowTrade trade={trade} detail={narrowDetail(trade)} />}
      empty={{
        icon: IconHistory,
        title: symbol === undefined ? t`No settled trades yet` : t`No trades in ${symbol} yet`,
        text:
          symbol === undefined
            ? t`Trades appear here after settlement, with fees and P&L.`
            : t`Your trades in this asset appear here with fees and P&L.`,
      }}
    />
  );
}

function narrowDetail(trade: Trade): string {
  const day = formatDay(trade.opened_at ?? trade.placed_at);
  const end = trade.state === 'settled' ? endReason(trade) : trade.closing ? t`closing` : stateLabels[trade.state];
  return [formatMoney(trade.amount, 'typed'), day, end].filter(Boolean).join(' · ');
}

const stateLabels: Readonly<Record<Exclude<Trade['state'], 'settled'>, string>> = {
  queued: t`queued`,
  opening: t`opening`,
  open: t`open`,
  settling: t`settling`,
  cancelled: t`cancelled`,
};
