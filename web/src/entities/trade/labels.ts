import type { TradeSource } from '#contract/trading/trading.ts';

export const walletNames: Record<TradeSource, string> = {
  primary: 'Primary Wallet',
  profit: 'Profit Wallet',
  investment: 'plan',
};

/** `pairOf('btc') === 'btc/usdt'` */
export const pairOf = (symbol: string) => `${symbol}/usdt`;
