import type { WalletType } from '#contract/rules.ts';
import type { Trade } from '#contract/trading.ts';
import { formatMoney } from '../../shared/format/money.ts';

export const walletNames: Record<WalletType, string> = { primary: 'Primary Wallet', profit: 'Profit Wallet' };

/** `pairOf('btc') === 'btc/usdt'` */
export const pairOf = (symbol: string) => `${symbol}/usdt`;

/** The one fact of the toast after a trade was placed. */
export const placedWords = (trade: Trade): [title: string, text: string] => [
  'Trade placed',
  `${formatMoney(trade.amount, 'typed')} in ${pairOf(trade.symbol)} from the ${walletNames[trade.wallet_type]}`,
];

export const closeReasonWords: Record<NonNullable<Trade['close_reason']>, string> = {
  session_close: 'Session close',
  close_now: 'Closed by you',
  late_price: 'First price after a gap',
};

export const cancelReasonWords: Record<NonNullable<Trade['cancel_reason']>, string> = {
  member: 'Cancelled by you',
  asset_off: 'Asset switched off',
  frozen: 'Account frozen',
  own_limit: 'Your own limit',
  venue_down: 'No venue all session',
};
