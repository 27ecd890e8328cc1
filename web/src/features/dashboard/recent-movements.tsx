import { Group } from '@mantine/core';
import { IconArrowsSort } from '@tabler/icons-react';
import type { DataOf } from '#contract/endpoint.ts';
import type { funds } from '#contract/funds/deposits.ts';
import { wordsOfKind } from '#contract/ledger-reasons.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { t, translate } from '../../api/texts.ts';
import { formatShortDateTime } from '../../ui/format/time.ts';
import { Panel, Rows } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { type ListQuery, LoadingRows, QueryFault, useLate } from '../../ui/table/data-table-states.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { SignedMoney } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { TextLink } from '../../ui/text/text.tsx';

const SHOWN = 4;

/** The newest lines of the statement in short, with a link to all of them. */
export function RecentMovements({
  query,
}: {
  query: ListQuery & { data: DataOf<typeof funds.getWallet> | undefined };
}) {
  const movements = query.data?.last_movements;
  const isPlayed = useMarketClock().session?.feed.label != null;
  const isLoading = movements === undefined && !query.isError;
  const late = useLate(isLoading);
  return (
    <Panel
      title={t`Recent transactions`}
      fills
      rule
      padded={false}
      control={<TextLink to={paths.transactionHistory}>{t`All transactions`}</TextLink>}
      foot={isPlayed && t`Actual dates and times, not those of the market`}
    >
      <QueryFault query={query} />
      {movements?.length === 0 && (
        <ListState icon={IconArrowsSort} title={t`No transactions yet`}>
          {t`Your deposits, trades and incomes will be listed here.`}
        </ListState>
      )}
      <Rows aria-label={t`Recent transactions`} aria-busy={isLoading || undefined}>
        {movements?.slice(0, SHOWN).map((movement) => (
          <Group
            py={8}
            key={`${movement.id} ${movement.wallet}`}
            component="li"
            justify="space-between"
            gap="sm"
            fz="sm"
          >
            <div>
              {translate(wordsOfKind(movement.kind))}
              <Note>
                {formatShortDateTime(movement.created_at)} {t`UTC`} ·{' '}
                {movement.wallet === 'profit' ? t`Profit` : t`Primary`}
              </Note>
            </div>
            <SignedMoney value={movement.amount} plain />
          </Group>
        ))}
        {late && <LoadingRows />}
      </Rows>
    </Panel>
  );
}
