import { useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import type { Trade, TradeSource } from '#contract/trading/trading.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { t } from '../../api/texts.ts';
import { AssetRow, Pnl } from '../../entities/trade/asset-row.tsx';
import { walletNames } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { formatShortDateTime, formatTime } from '../../ui/format/time.ts';
import { paths } from '../../ui/paths.ts';
import { Money } from '../../ui/text/money.tsx';
import { cancelReasonLabels, closeReasonLabels } from './labels.ts';
import classes from './trade-cells.module.css';

const walletLabels = { primary: t`Primary`, profit: t`Profit`, investment: t`Plan` } as const satisfies Record<
  TradeSource,
  string
>;

/** The wallet of a trade, or the plan that placed it, with a link. */
export function Source({ trade, full = false }: { trade: Trade; full?: boolean }) {
  if (trade.plan_id === null) return (full ? walletNames : walletLabels)[trade.wallet_type];
  return (
    <Link className={`${classes.above} ${classes.plan}`} to={paths.plan(trade.plan_id)}>
      {walletLabels.investment}
    </Link>
  );
}

/** A time of a trade, linked to its page. */
const TradeLink = ({ trade, children }: { trade: Trade; children: ReactNode }) => (
  <Link className={classes.above} to={paths.trade(trade.id)}>
    {children}
  </Link>
);

/** When it was opened, with the day of a trade carried over from an earlier session. */
export function Since({ trade }: { trade: Trade }) {
  const { data: session } = useQuery(sessionQuery);
  const from = trade.opened_at ?? trade.placed_at;
  const isEarlier = session !== undefined && Date.parse(from) < Date.parse(session.opens_at);
  return <TradeLink trade={trade}>{t`since ${isEarlier ? formatShortDateTime(from) : formatTime(from)}`}</TradeLink>;
}

export function AmountCell({ trade }: { trade: Trade }) {
  return (
    <>
      <Money value={trade.amount} decimals="typed" />
      {trade.fee !== null && <small>{t`Fee ${formatMoney(trade.fee, 'typed')}`}</small>}
    </>
  );
}

/** The unrealised result of an open trade or the result of a settled one, with its percentage of the amount below. */
export function ResultCell({ trade }: { trade: Trade }) {
  const isOpen = trade.state === 'open' || trade.state === 'settling';
  return <Pnl value={isOpen ? trade.live?.result : trade.result} of={trade.amount} />;
}

/** When it opened and closed, in UTC; a queued or cancelled trade was only placed. */
export function OpenCell({ trade, wallet = false }: { trade: Trade; wallet?: boolean }) {
  return (
    <>
      <TradeLink trade={trade}>{formatShortDateTime(trade.opened_at ?? trade.placed_at)}</TradeLink>
      <small>{wallet ? <Source trade={trade} full /> : untilText(trade)}</small>
    </>
  );
}

function untilText({ opened_at, closed_at }: Trade): string {
  if (opened_at === null) return t`placed`;
  if (closed_at === null) return t`open`;
  const sameDay = opened_at.slice(0, 10) === closed_at.slice(0, 10);
  const until = sameDay ? formatTime(closed_at) : formatShortDateTime(closed_at);
  return t`to ${until}`;
}

/** Why it ended; empty while open. */
export const endReason = (trade: Trade): string | null => {
  if (trade.cancel_reason !== null) return cancelReasonLabels[trade.cancel_reason];
  return trade.close_reason === null ? null : closeReasonLabels[trade.close_reason];
};

type NarrowTradeProps = Pick<ComponentProps<typeof AssetRow>, 'detail' | 'action'> & { trade: Trade };

/** A trade in two lines, linked to its page: trade and result, then details. */
export const NarrowTrade = ({ trade, detail, action }: NarrowTradeProps) => (
  <AssetRow symbol={trade.symbol} to={paths.trade(trade.id)} detail={detail} action={action}>
    <ResultCell trade={trade} />
  </AssetRow>
);
