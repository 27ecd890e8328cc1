import type { TradeEvent } from '#contract/trading/trade-detail.ts';
import { t } from '../../api/texts.ts';

/** Ledger accounts as a member knows them. */
const accountWords: Record<string, string> = {
  primary: t`Primary wallet`,
  profit: t`Profit wallet`,
  trade_escrow: t`In trades`,
  investment: t`Plan`,
  venue: t`Venue`,
  trade_fees: t`Trade fees`,
  performance_fees: t`Performance fees`,
};
export const accountWord = (account: string): string => accountWords[account] ?? account.replaceAll('_', ' ');

const reasonWords: Record<string, string> = {
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
export const transferWord = (reason: string): string => reasonWords[reason] ?? reason.replaceAll('_', ' ');

export const eventWords: Record<TradeEvent['kind'], string> = {
  placed: t`Placed`,
  opened: t`Opened`,
  stops_set: t`Stops changed`,
  close_asked: t`Close requested`,
  closed: t`Closed`,
  cancelled: t`Cancelled`,
};
