import type { Trade, TradeSource } from '#contract/trading/trading.ts';
import { t } from '../../api/texts.ts';

export const walletNames: Record<TradeSource, string> = {
  primary: t`Primary Wallet`,
  profit: t`Profit Wallet`,
  investment: t`plan`,
};

/** `pairOf('btc') === 'btc/usdt'` */
export const pairOf = (symbol: string) => `${symbol}/usdt`;

/** All fees of a trade; unknown before it opens. */
export const feesOf = (trade: Trade) => (trade.fee === null ? null : trade.fee + (trade.performance_fee ?? 0));
