import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatMoney } from '../../ui/format/money.ts';
import { formatDay } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { LoadingRows, StaleLine, TableError, useLate } from '../../ui/table/data-table-states.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import { tradesQuery } from './queries.ts';
import classes from './recent-results.module.css';
import { NarrowTrade } from './trade-cells.tsx';

const SHOWN = 5;

type RecentResultsProps = {
  /** What stands wherever results are shown. */
  note: ReactNode;
};

/** The newest settled trades in short, with the way to all of them. */
export function RecentResults({ note }: RecentResultsProps) {
  const query = useQuery(tradesQuery({ state: 'settled', limit: String(SHOWN) }));
  const late = useLate(query.isPending);
  const trades = query.data?.items;
  return (
    <Panel
      title="Recent results"
      foot={note}
      rule
      padded={false}
      control={<TextLink to={paths.portfolio}>All trades</TextLink>}
    >
      {trades && query.isError && <StaleLine query={query} />}
      {!trades && query.isError && <TableError query={query} />}
      {trades?.length === 0 && (
        <ListState icon={<IconHistory size={20} stroke={1.5} />} title="No results yet">
          When a session settles, each of your trades appears here with what it gained or lost.
        </ListState>
      )}
      <ul className={classes.list} aria-label="Recent results" aria-busy={query.isPending || undefined}>
        {trades?.map((trade) => (
          <li key={trade.id}>
            <NarrowTrade
              trade={trade}
              to={paths.trade(trade.id)}
              detail={`${formatMoney(trade.amount, 'typed')} · ${formatDay(trade.closed_at ?? trade.placed_at)}`}
            />
          </li>
        ))}
        {late && <LoadingRows />}
      </ul>
    </Panel>
  );
}
