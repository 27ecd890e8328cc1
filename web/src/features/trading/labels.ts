import type { CloseCause, Trade } from '#contract/trading/trading.ts';
import { t } from '../../api/texts.ts';
import { pairOf, walletNames } from '../../entities/trade/labels.ts';
import { stopNames } from '../../entities/trade/stops.ts';
import { formatMoney } from '../../ui/format/number.ts';

/** The toast after a trade was placed. */
export const placedText = (trade: Trade): [title: string, text: string] => [
  t`Trade placed`,
  t`${formatMoney(trade.amount, 'typed')} in ${pairOf(trade.symbol)} from the ${walletNames[trade.wallet_type]}`,
];

export const closeReasonLabels: Record<NonNullable<Trade['close_reason']>, string> = {
  session_close: t`Session close`,
  close_now: t`Closed by you`,
  late_price: t`Sold after the close`,
  ...stopNames,
  strategy: t`Strategy`,
};

/** A close under way: by whom or what, and when it happens. Null if there is none. */
export function closingText({ closing, closing_cause: cause }: Trade): string | null {
  if (!closing) return null;
  if (cause === null) return t`Carried over, closes once the exchange has sold it`;
  return t`${closingCauseLabels[cause]}, closes at the next price`;
}

const closingCauseLabels: Record<CloseCause, string> = {
  close_now: t`Closed by you`,
  stop_loss: t`Stop-loss reached`,
  take_profit: t`Take-profit reached`,
  trailing_stop: t`Trailing stop reached`,
  strategy: t`Strategy exit`,
};

export const cancelReasonLabels: Record<NonNullable<Trade['cancel_reason']>, string> = {
  member: t`Cancelled by you`,
  asset_off: t`Asset not tradable`,
  frozen: t`Account frozen`,
  own_limit: t`Self-imposed limit`,
  venue_down: t`No price or exchange`,
  halted: t`Trading halted`,
  session_closed: t`Session closed before it opened`,
  not_filled: t`Not filled by the exchange`,
  over_asset_limit: t`Over the asset’s limit`,
};
