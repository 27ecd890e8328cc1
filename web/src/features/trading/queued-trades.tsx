import { useQuery } from '@tanstack/react-query';
import type { Trade } from '#contract/trading/trading.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { pairOf, walletNames } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { formatShortDateTime, formatTime } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { Money } from '../../ui/text/money.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { ChangeStops } from './change-stops.tsx';
import { tradesQuery, useCancelTrade } from './queries.ts';
import classes from './queued-trades.module.css';
import { AssetCell, Source } from './trade-cells.tsx';

/** Trades that wait for their opening; there is no panel while there are none. */
export function QueuedTrades({ symbol, className }: { symbol?: string; className?: string | undefined }) {
  const filter = { limit: '100', state: 'queued', ...(symbol === undefined ? {} : { symbol }) } as const;
  const { data } = useQuery(tradesQuery(filter));
  const { data: session } = useQuery(sessionQuery);
  if (!data || data.items.length === 0) return null;
  const opens =
    session?.state === 'closed'
      ? `Open at ${formatTime(session.opens_at)} UTC`
      : session?.state === 'open'
        ? 'Open at the next price'
        : 'Open at the next opening';
  return (
    <Panel title="Queued trades" className={className} rule padded={false} control={opens}>
      <ul className={classes.list} aria-label="Queued trades">
        {data.items.map((trade) => (
          <li key={trade.id}>
            <AssetCell
              trade={trade}
              detail={
                <>
                  <Source trade={trade} /> · {formatShortDateTime(trade.placed_at)}
                </>
              }
            />
            <span className={classes.stops}>
              <ChangeStops trade={trade} look="line" />
            </span>
            <Money value={trade.amount} decimals="typed" />
            <span className={classes.state}>
              <StateBadge of="trade" state="queued" />
            </span>
            <Cancel trade={trade} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Cancel({ trade }: { trade: Trade }) {
  const cancel = useCancelTrade();
  const back = `${formatMoney(trade.amount, 'typed')} is back in your ${walletNames[trade.wallet_type]}`;
  return (
    <BusyButton
      variant="default"
      size="sm"
      className={classes.cancel}
      busy={cancel.isPending}
      busyLabel="Cancelling"
      aria-label={`Cancel the trade in ${pairOf(trade.symbol)}`}
      onClick={() => cancel.mutate(trade.id, { onSuccess: () => toast.success('Trade cancelled', back) })}
    >
      Cancel
    </BusyButton>
  );
}
