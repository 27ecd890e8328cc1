import { Box } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../api/texts.ts';
import { useNegativeMembers } from '../../entities/trade/negative-members.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { formatDay } from '../../ui/format/time.ts';
import { Panel, Rows } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { LoadingRows, QueryFault, useLate } from '../../ui/table/data-table-states.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { TextLink } from '../../ui/text/text.tsx';
import { tradesQuery } from './queries.ts';
import { NarrowTrade } from './trade-cells.tsx';

const SHOWN = 5;

/** The newest settled trades in short, with a link to all of them. */
export function RecentResults() {
  const query = useQuery(tradesQuery({ state: 'settled', limit: String(SHOWN) }));
  const late = useLate(query.isPending);
  const trades = query.data?.items;
  return (
    <Panel
      title={t`Recent results`}
      foot={useNegativeMembers()}
      rule
      padded={false}
      control={<TextLink to={paths.portfolio}>{t`All trades`}</TextLink>}
    >
      <QueryFault query={query} />
      {trades?.length === 0 && (
        <ListState
          icon={IconHistory}
          title={t`No results yet`}
        >{t`Your settled trades appear here with their P&L.`}</ListState>
      )}
      <Rows aria-label={t`Recent results`} aria-busy={query.isPending || undefined}>
        {trades?.map((trade) => (
          <Box key={trade.id} component="li" py={8} fz="sm" lh="1.125rem">
            <NarrowTrade
              trade={trade}
              detail={`${formatMoney(trade.amount, 'typed')} · ${formatDay(trade.closed_at ?? trade.placed_at)}`}
            />
          </Box>
        ))}
        {late && <LoadingRows />}
      </Rows>
    </Panel>
  );
}
