import { IconArrowsSort } from '@tabler/icons-react';
import type { DataOf } from '#contract/endpoint.ts';
import type { funds } from '#contract/funds/deposits.ts';
import { formatShortDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { type ListQuery, LoadingRows, StaleLine, TableError, useLate } from '../../ui/table/data-table-states.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { SignedMoney } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import classes from './recent-movements.module.css';

const SHOWN = 4;

type RecentMovementsProps = {
  query: ListQuery & { data: DataOf<typeof funds.getWallet> | undefined };
  /** What a kind of movement is called. */
  wordsOfKind: (kind: string) => string;
};

/** The newest lines of the statement in short, with the way to all of them. */
export function RecentMovements({ query, wordsOfKind }: RecentMovementsProps) {
  const movements = query.data?.last_movements;
  const late = useLate(movements === undefined && !query.isError);
  return (
    <Panel
      title="Last movements"
      className={classes.panel}
      rule
      padded={false}
      control={<TextLink to={paths.transactionHistory}>All transactions</TextLink>}
    >
      {movements && query.isError && <StaleLine query={query} />}
      {!movements && query.isError && <TableError query={query} />}
      {movements?.length === 0 && (
        <ListState icon={<IconArrowsSort size={20} stroke={1.5} />} title="No movements yet">
          Your first deposit is the first line here.
        </ListState>
      )}
      <ul className={classes.list} aria-label="Last movements" aria-busy={movements === undefined || undefined}>
        {movements?.slice(0, SHOWN).map((movement) => (
          <li key={`${movement.id} ${movement.wallet}`}>
            <span>
              {wordsOfKind(movement.kind)}
              <small>
                {formatShortDateTime(movement.created_at)} UTC · {movement.wallet === 'profit' ? 'Profit' : 'Primary'}
              </small>
            </span>
            <SignedMoney value={movement.amount} plain />
          </li>
        ))}
        {late && <LoadingRows />}
      </ul>
    </Panel>
  );
}
