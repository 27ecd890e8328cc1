import type { CloseCause, Trade } from '#contract/trading/trading.ts';
import { pairOf, walletNames } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';

/** The one fact of the toast after a trade was placed. */
export const placedWords = (trade: Trade): [title: string, text: string] => [
  'Trade placed',
  `${formatMoney(trade.amount, 'typed')} in ${pairOf(trade.symbol)} from the ${walletNames[trade.wallet_type]}`,
];

export const closeReasonWords: Record<NonNullable<Trade['close_reason']>, string> = {
  session_close: 'Session close',
  close_now: 'Closed by you',
  late_price: 'First price after a gap',
  stop_loss: 'Stop-loss',
  take_profit: 'Take-profit',
  trailing_stop: 'Trailing stop',
  strategy: 'Strategy',
};

/** Its sale was asked for: by whom or what, and when it happens. Null while nobody asked. */
export function closingWords({ closing, closing_cause: cause }: Trade): string | null {
  if (!closing) return null;
  return `${cause === null ? 'Closing' : closingCauseWords[cause]}, sells at the next price`;
}

const closingCauseWords: Record<CloseCause, string> = {
  close_now: 'Closed by you',
  stop_loss: 'Stop-loss reached',
  take_profit: 'Take-profit reached',
  trailing_stop: 'Trailing stop reached',
  strategy: 'The strategy ends it',
};

export const cancelReasonWords: Record<NonNullable<Trade['cancel_reason']>, string> = {
  member: 'Cancelled by you',
  asset_off: 'Asset switched off',
  frozen: 'Account frozen',
  own_limit: 'Your own limit',
  venue_down: 'No venue all session',
  halted: 'Trading halted',
  session_closed: 'Session closed before it opened',
};
