import type { TradeEvent } from '#contract/trading/trade-detail.ts';

/** Ledger accounts as a member knows them. */
const accountWords: Record<string, string> = {
  primary: 'Primary wallet',
  profit: 'Profit wallet',
  trade_escrow: 'In trades',
  investment: 'Plan',
  venue: 'Venue',
  trade_fees: 'Trade fees',
  performance_fees: 'Performance fees',
};
export const accountWord = (account: string): string => accountWords[account] ?? account.replaceAll('_', ' ');

const reasonWords: Record<string, string> = {
  trade_place: 'Placed',
  trade_cancel: 'Given back',
  trade_fee: 'Trade fee',
  trade_return: 'What was invested, as far as it was sold for',
  trade_loss: 'The loss',
  trade_gain: 'Gain that makes up for the trade fee',
  trade_profit: 'Gain over the amount',
  performance_fee: 'Performance fee',
  reversal: 'Reversal',
};
export const transferWord = (reason: string): string => reasonWords[reason] ?? reason.replaceAll('_', ' ');

export const eventWords: Record<TradeEvent['kind'], string> = {
  placed: 'Placed',
  opened: 'Opened',
  stops_set: 'Stops changed',
  close_asked: 'Sale asked for',
  closed: 'Closed',
  cancelled: 'Cancelled',
};
