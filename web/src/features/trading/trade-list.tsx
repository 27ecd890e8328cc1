import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Trade, TradeState } from '#contract/trading/trading.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { formatDay } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { useCursorPaging } from '../../ui/table/use-cursor-paging.ts';
import { Money, Price } from '../../ui/text/money.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { tradesQuery } from './queries.ts';
import { AssetCell, endWords, feesOf, NarrowTrade, OpenCell, ResultCell, Source } from './trade-cells.tsx';

const PAGE_SIZE = 10;

const cells = {
  asset: {
    key: 'asset',
    label: 'Asset',
    render: (trade) => <AssetCell trade={trade} detail={<Source trade={trade} full />} />,
  },
  opened: { key: 'opened', label: 'Opened, UTC', render: (trade) => <OpenCell trade={trade} wallet /> },
  open: { key: 'open', label: 'Open, UTC', render: (trade) => <OpenCell trade={trade} /> },
  amount: {
    key: 'amount',
    label: 'Amount',
    align: 'right',
    render: (trade) => <Money value={trade.amount} decimals="typed" />,
  },
  entry: {
    key: 'entry',
    label: 'Entry',
    align: 'right',
    render: (trade) => <Price value={trade.open_price} symbol={trade.symbol} />,
  },
  exit: {
    key: 'exit',
    label: 'Exit',
    align: 'right',
    render: (trade) => <Price value={trade.close_price} symbol={trade.symbol} />,
  },
  exitOrMark: { key: 'exit', label: 'Exit', align: 'right', render: (trade) => <ExitCell trade={trade} /> },
  closedBy: { key: 'closedBy', label: 'Closed by', render: (trade) => endWords(trade) ?? '–' },
  fees: { key: 'fees', label: 'Fees', align: 'right', render: (trade) => <Money value={feesOf(trade)} /> },
  result: { key: 'result', label: 'Result', align: 'right', render: (trade) => <ResultCell trade={trade} /> },
  state: { key: 'state', label: 'State', align: 'right', render: (trade) => <TradeBadge trade={trade} /> },
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
  const words = endWords(trade) ?? (trade.live ? 'mark' : null);
  return (
    <>
      <Price value={price} symbol={trade.symbol} />
      {words && <small>{words}</small>}
    </>
  );
}

const TradeBadge = ({ trade }: { trade: Trade }) => (
  <StateBadge of="trade" state={trade.closing ? 'settling' : trade.state}>
    {trade.closing ? 'Closing' : undefined}
  </StateBadge>
);

type TradeListProps = {
  title: string;
  state?: TradeState;
  /** Only of this asset: then the asset needs no column, and its state gets one. */
  symbol?: string;
  control?: ReactNode;
  /** What the figures are, once, below the table. */
  note?: ReactNode;
  className?: string | undefined;
};

/** Own trades, newest first, by pages. */
export function TradeList({ title, state, symbol, control, note, className }: TradeListProps) {
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
    <Panel title={title} className={className} control={control} rule padded={false} foot={note}>
      <DataTable
        label={title}
        columns={symbol === undefined ? columnsOfAll : columnsOfOne}
        rows={query.data?.items}
        rowKey={(trade) => trade.id}
        query={query}
        paging={pagingOf(query.data)}
        minHeight={220}
        isOff={(trade) => trade.state === 'cancelled'}
        mobileRow={(trade) => <NarrowTrade trade={trade} detail={narrowDetail(trade)} to={paths.trade(trade.id)} />}
        empty={{
          icon: <IconHistory size={20} stroke={1.5} />,
          title: symbol === undefined ? 'No settled trades yet' : `No trades in ${symbol} yet`,
          text:
            symbol === undefined
              ? 'Each trade is listed here once it settled, with its fees and its result.'
              : 'Trades you place in this asset are listed here with their fees and results.',
        }}
      />
    </Panel>
  );
}

function narrowDetail(trade: Trade): string {
  const day = formatDay(trade.opened_at ?? trade.placed_at);
  const end = trade.state === 'settled' ? endWords(trade) : trade.closing ? 'closing' : trade.state;
  return [formatMoney(trade.amount, 'typed'), day, end].filter(Boolean).join(' · ');
}
