import type { TradeEvent } from '#contract/trading/trade-detail.ts';
import { t } from '../../api/texts.ts';

const reasonLabels: Record<string, string> = {
  trade_place: t`Placed`,
  trade_cancel: t`Refunded`,
  trade_fee: t`Trade fee`,
  trade_return: t`Return of capital`,
  trade_loss: t`Trading loss`,
  trade_gain: t`Gain that covers the trade fee`,
  trade_profit: t`Profit`,
  performance_fee: t`Performance fee`,
  reversal: t`Reversal`,
};
export const transferLabel = (reason: string): string => reasonLabels[reason] ?? reason.replaceAll('_', ' ');

export const eventLabels: Record<TradeEvent['kind'], string> = {
  placed: t`Placed`,
  opened: t`Opened`,
  stops_set: t`Stops changed`,
  close_asked: t`Close requested`,
  closed: t`Closed`,
  cancelled: t`Cancelled`,
};
