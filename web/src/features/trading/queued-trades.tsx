import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Trade } from '#contract/trading/trading.ts';
import { opensNow } from '../../api/market/opens-now.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { waitReason } from '../../api/market/waits-labels.ts';
import { t } from '../../api/texts.ts';
import { AssetRow } from '../../entities/trade/asset-row.tsx';
import { Delayed } from '../../entities/trade/delayed.tsx';
import { pairOf, walletNames } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { formatShortDateTime, formatTime } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { Panel, Rows } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { isUnknown, TableError } from '../../ui/table/data-table-states.tsx';
import { Money } from '../../ui/text/money.tsx';
import { ChangeStops } from './change-stops.tsx';
import { tradesQuery, useCancelTrade } from './queries.ts';
import { Source } from './trade-cells.tsx';

/** Trades waiting for their opening; no panel once it is known that there are none. */
export function QueuedTrades({ symbol }: { symbol?: string }) {
  const filter = { limit: '100', state: 'queued', ...(symbol === undefined ? {} : { symbol }) } as const;
  const query = useQuery(tradesQuery(filter));
  const { data } = query;
  const { data: session } = useQuery(sessionQuery);
  if (isUnknown(query)) {
    return (
      <Panel title={t`Queued trades`} rule padded={false}>
        <TableError query={query} />
      </Panel>
    );
  }
  if (!data || data.items.length === 0) return null;
  const opens =
    waitReason(
      session,
      data.items.map((trade) => trade.symbol),
    ) ??
    (session?.state === 'closed'
      ? t`Opens at ${formatTime(session.opens_at)} UTC`
      : session && opensNow(session)
        ? t`Opens at the next price`
        : t`Opens in the next session`);
  return (
    <Panel
      title={t`Queued trades`}
      rule
      padded={false}
      control={data.next_cursor === null ? opens : t`The newest ${data.items.length}. ${opens}`}
    >
      <Rows aria-label={t`Queued trades`}>
        {data.items.map((trade) => (
          <Group key={trade.id} component="li" py={8} gap="xs" fz="sm" lh="1.125rem">
            <Group flex="1 1 260px">
              <AssetRow
                symbol={trade.symbol}
                to={paths.symbol(trade.symbol)}
                detail={
                  <>
                    <Source trade={trade} /> · {formatShortDateTime(trade.placed_at)} <Delayed symbol={trade.symbol} />
                  </>
                }
              >
                <Money value={trade.amount} decimals="typed" />
              </AssetRow>
            </Group>
            <Group flex="1 1 200px" justify="space-between" gap="xs">
              <ChangeStops trade={trade} variant="line" />
              <Cancel trade={trade} />
            </Group>
          </Group>
        ))}
      </Rows>
    </Panel>
  );
}

function Cancel({ trade }: { trade: Trade }) {
  const cancel = useCancelTrade();
  const amount = formatMoney(trade.amount, 'typed');
  const back = t`${amount} returned to your ${walletNames[trade.wallet_type]}`;
  return (
    <BusyButton
      variant="default"
      size="sm"
      h={{ base: 44, sm: 28 }}
      busy={cancel.isPending}
      busyLabel={t`Cancelling`}
      aria-label={t`Cancel trade in ${pairOf(trade.symbol)}, ${amount}`}
      onClick={() => cancel.mutate(trade.id, { onSuccess: () => toast.success(t`Trade cancelled`, back) })}
    >{t`Cancel`}</BusyButton>
  );
}
