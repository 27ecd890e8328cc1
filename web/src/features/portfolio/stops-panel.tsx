import { Text } from '@mantine/core';
import type { Position, StopDistance } from '#contract/trading/portfolio.ts';
import { t } from '../../api/texts.ts';
import { Delayed } from '../../entities/trade/delayed.tsx';
import { stopKinds, stopNames } from '../../entities/trade/stops.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { paths } from '../../ui/paths.ts';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Percent, Price, SignedMoney } from '../../ui/text/money.tsx';
import { Quiet } from '../../ui/text/text.tsx';

const hasStop = ({ distances }: Position) => stopKinds.some((kind) => distances[kind] !== null);

function Distance({ distance, symbol }: { distance: StopDistance | null; symbol: string }) {
  if (distance === null) return <Text span inherit c="dimmed">{t`None`}</Text>;
  return (
    <>
      <Price value={distance.price} symbol={symbol} />
      <Text component="small" display="block" size="xs" c="dimmed">
        <Percent value={distance.percent} />, <SignedMoney value={distance.dollars} plain />
      </Text>
    </>
  );
}

const columns: readonly Column<Position>[] = [
  column(t`Trade`, (row) => (
    <AssetLink symbol={row.symbol} to={paths.trade(row.id)} detail={formatMoney(row.amount, 'typed')} />
  )),
  rightColumn(t`Mark`, (row) => (
    <>
      <Price value={row.live?.price} symbol={row.symbol} /> <Delayed symbol={row.symbol} />
    </>
  )),
  ...stopKinds.map(
    (kind): Column<Position> =>
      rightColumn(stopNames[kind], (row) => <Distance distance={row.distances[kind]} symbol={row.symbol} />),
  ),
  rightColumn(t`P&L`, (row) => <SignedMoney value={row.live?.result} />),
];

type StopsPanelProps = {
  positions: readonly Position[];
  /** The number of open positions, of which `positions` are the newest. */
  open: number;
  query: ListQuery;
};

/** The distance between the marks of open positions and their stops; hidden when it is known that none has one. */
export function StopsPanel({ positions, open, query }: StopsPanelProps) {
  const rows = positions.filter(hasStop);
  if (rows.length === 0 && positions.length >= open) return null;
  return (
    <TablePanel
      title={t`Distance to stops`}
      control={positions.length < open && <Quiet>{t`Of the newest ${positions.length} positions`}</Quiet>}
      foot={t`How far the mark price must move, and the P&L that would change. A stop fills at the first price after it is reached, which can differ.`}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.id}
      query={query}
      mobileRow={(row) => (
        <>
          <AssetLink
            symbol={row.symbol}
            to={paths.trade(row.id)}
            detail={
              <>
                {formatMoney(row.amount, 'typed')} <Delayed symbol={row.symbol} />
              </>
            }
          />
          <KeyValues
            dense
            items={stopKinds
              .filter((kind) => row.distances[kind] !== null)
              .map((kind) => [
                stopNames[kind],
                <Distance key={kind} distance={row.distances[kind]} symbol={row.symbol} />,
              ])}
          />
        </>
      )}
      empty={{ icon: null, title: t`No stops` }}
    />
  );
}
