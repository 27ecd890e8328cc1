import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Trade, TradeSource } from '#contract/trading/trading.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { formatDay, formatShortDateTime, formatTime } from '../../ui/format/time.ts';
import { paths } from '../../ui/paths.ts';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';
import { cancelReasonWords, closeReasonWords } from './labels.ts';
import { percentOf } from './sum-trades.ts';
import classes from './trade-cells.module.css';

const walletWords = { primary: 'Primary', profit: 'Profit', investment: 'Plan' } as const satisfies Record<
  TradeSource,
  string
>;

/** Where the money of a trade comes from, in one word. */
const walletWord = (trade: Trade) => walletWords[trade.wallet_type];

/** The wallet of a trade, or the plan that placed it, with the way there. */
export function Source({ trade, full = false }: { trade: Trade; full?: boolean }) {
  if (trade.plan_id === null) return full ? `${walletWord(trade)} wallet` : walletWord(trade);
  return (
    <Link className={classes.plan} to={paths.plan(trade.plan_id)}>
      Plan
    </Link>
  );
}

/** Since when it is open, with the way to everything about it. */
export function Since({ trade }: { trade: Trade }) {
  return (
    <Link className={classes.since} to={paths.trade(trade.id)}>
      since {formatTime(trade.opened_at ?? trade.placed_at)}
    </Link>
  );
}

/** Fees of a trade together; nothing is known of them before it opened. */
export const feesOf = (trade: Trade) => (trade.fee === null ? null : trade.fee + (trade.performance_fee ?? 0));

type AssetCellProps = {
  trade: Trade;
  detail: ReactNode;
  /** Where it leads; by default to its asset. */
  to?: string;
};

export function AssetCell({ trade, detail, to = paths.symbol(trade.symbol) }: AssetCellProps) {
  return <AssetLink symbol={trade.symbol} to={to} detail={detail} />;
}

export function AmountCell({ trade }: { trade: Trade }) {
  return (
    <>
      <Money value={trade.amount} decimals="typed" />
      {trade.fee !== null && <small className={classes.number}>fee {formatMoney(trade.fee, 'typed')}</small>}
    </>
  );
}

/** The result so far while open, the result once settled; in percent of the amount below it. */
export function ResultCell({ trade }: { trade: Trade }) {
  const result = trade.state === 'open' || trade.state === 'settling' ? (trade.live?.result ?? null) : trade.result;
  if (result === null)
    return (
      <Text span inherit c="dimmed">
        –
      </Text>
    );
  return (
    <>
      <Box component="b" fw={500}>
        <SignedMoney value={result} />
      </Box>
      <small>
        <Percent value={percentOf(result, trade.amount)} signed />
      </small>
    </>
  );
}

/** When it opened and closed, in UTC; a queued or cancelled trade was only placed. */
export function OpenCell({ trade, wallet = false }: { trade: Trade; wallet?: boolean }) {
  const from = trade.opened_at ?? trade.placed_at;
  return (
    <>
      <Link className={classes.when} to={paths.trade(trade.id)}>
        {formatShortDateTime(from)}
      </Link>
      <small className={classes.number}>{wallet ? <Source trade={trade} full /> : untilWords(trade)}</small>
    </>
  );
}

function untilWords({ opened_at, closed_at }: Trade): string {
  if (opened_at === null) return 'placed';
  if (closed_at === null) return 'open';
  const sameDay = opened_at.slice(0, 10) === closed_at.slice(0, 10);
  return `to ${sameDay ? '' : `${formatDay(closed_at)}, `}${formatTime(closed_at)}`;
}

/** Why it ended, in words; an open one says nothing. */
export const endWords = (trade: Trade): string | null => {
  if (trade.cancel_reason !== null) return cancelReasonWords[trade.cancel_reason];
  return trade.close_reason === null ? null : closeReasonWords[trade.close_reason];
};

type NarrowTradeProps = {
  trade: Trade;
  detail: ReactNode;
  action?: ReactNode;
  /** A line below. */
  foot?: ReactNode;
  to?: string;
};

/** A trade in two lines: what and result, then details. */
export function NarrowTrade({ trade, detail, action, foot, to }: NarrowTradeProps) {
  return (
    <>
      <div className={classes.narrow}>
        <AssetCell trade={trade} detail={detail} {...(to === undefined ? {} : { to })} />
        <span className={classes.narrowResult}>
          <ResultCell trade={trade} />
        </span>
        {action}
      </div>
      {foot}
    </>
  );
}
