import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Trade } from '#contract/trading.ts';
import { formatMoney } from '../../shared/format/money.ts';
import { formatDay, formatShortDateTime, formatTime } from '../../shared/format/time.ts';
import { paths } from '../../shared/paths.ts';
import { AssetIcon } from '../../shared/ui/asset-icon.tsx';
import { Money, Percent, SignedMoney } from '../../shared/ui/money.tsx';
import { percentOf } from './sum-trades.ts';
import classes from './trade-cells.module.css';
import { cancelReasonWords, closeReasonWords, pairOf } from './words.ts';

export const walletWord = (trade: Trade) => (trade.wallet_type === 'primary' ? 'Primary' : 'Profit');

/** Fees of a trade together; nothing is known of them before it opened. */
export const feesOf = (trade: Trade) => (trade.fee === null ? null : trade.fee + (trade.performance_fee ?? 0));

export function AssetCell({ trade, detail }: { trade: Trade; detail: ReactNode }) {
  return (
    <Link className={classes.asset} to={paths.symbol(trade.symbol)}>
      <AssetIcon symbol={trade.symbol} />
      <span>
        <b>{pairOf(trade.symbol)}</b>
        <small>{detail}</small>
      </span>
    </Link>
  );
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
  if (result === null) return <span className={classes.unknown}>–</span>;
  return (
    <>
      <b className={classes.result}>
        <SignedMoney value={result} />
      </b>
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
      <span className={classes.number}>{formatShortDateTime(from)}</span>
      <small className={classes.number}>{wallet ? `${walletWord(trade)} wallet` : untilWords(trade)}</small>
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
};

/** A trade in two lines: what and result, then details. */
export function NarrowTrade({ trade, detail, action }: NarrowTradeProps) {
  return (
    <div className={classes.narrow}>
      <AssetCell trade={trade} detail={detail} />
      <span className={classes.narrowResult}>
        <ResultCell trade={trade} />
      </span>
      {action}
    </div>
  );
}
