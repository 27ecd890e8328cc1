import { Text } from '@mantine/core';
import type { Position, StopDistance } from '#contract/trading/portfolio.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Percent, Price, SignedMoney } from '../../ui/text/money.tsx';
import classes from './stops-panel.module.css';

const kinds = [
  ['stop_loss', 'Stop-loss'],
  ['take_profit', 'Take-profit'],
  ['trailing_stop', 'Trailing stop'],
] as const;

const hasStop = ({ distances }: Position) => kinds.some(([kind]) => distances[kind] !== null);

function Distance({ distance, symbol }: { distance: StopDistance | null; symbol: string }) {
  if (distance === null)
    return (
      <Text span inherit c="dimmed">
        none
      </Text>
    );
  return (
    <>
      <Price value={distance.price} symbol={symbol} />
      <small>
        <Percent value={distance.percent} />, <SignedMoney value={distance.dollars} plain />
      </small>
    </>
  );
}

const columns: readonly Column<Position>[] = [
  {
    key: 'asset',
    label: 'Trade',
    render: (row) => (
      <AssetLink symbol={row.symbol} to={paths.trade(row.id)} detail={formatMoney(row.amount, 'typed')} />
    ),
  },
  {
    key: 'mark',
    label: 'Mark',
    align: 'right',
    render: (row) => <Price value={row.live?.price} symbol={row.symbol} />,
  },
  ...kinds.map(
    ([kind, label]): Column<Position> => ({
      key: kind,
      label,
      align: 'right',
      render: (row) => <Distance distance={row.distances[kind]} symbol={row.symbol} />,
    }),
  ),
  { key: 'result', label: 'Result now', align: 'right', render: (row) => <SignedMoney value={row.live?.result} /> },
];

/** How far the marks of open positions are from their stops; not there while no position has one. */
export function StopsPanel({ positions, query }: { positions: readonly Position[]; query: ListQuery }) {
  const rows = positions.filter(hasStop);
  if (rows.length === 0) return null;
  return (
    <Panel
      title="Way to the stops"
      rule
      padded={false}
      foot="What the mark has to move, and what that would change. A stop is filled at the first price after it is reached, which can be another one."
    >
      <DataTable
        label="Way to the stops"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        query={query}
        mobileRow={(row) => (
          <div className={classes.row}>
            <AssetLink symbol={row.symbol} to={paths.trade(row.id)} detail={formatMoney(row.amount, 'typed')} />
            <dl>
              {kinds.map(([kind, label]) => {
                const distance = row.distances[kind];
                return (
                  distance && (
                    <div key={kind}>
                      <dt>{label}</dt>
                      <dd>
                        <Distance distance={distance} symbol={row.symbol} />
                      </dd>
                    </div>
                  )
                );
              })}
            </dl>
          </div>
        )}
        empty={{ icon: null, title: 'No stops' }}
      />
    </Panel>
  );
}
