import type { MarketEntry } from '#contract/market.ts';
import type { Session, Trade } from '#contract/trading/trading.ts';

const noStops = {
  stop_loss: null,
  take_profit: null,
  trailing_stop: null,
  stop_loss_price: null,
  take_profit_price: null,
  trailing_stop_price: null,
};

/** 1 000 in btc, open, with an unrealised gain of 7.4379. */
export const aTrade = (change: Partial<Trade> = {}): Trade => ({
  id: '7',
  symbol: 'btc',
  wallet_type: 'primary',
  plan_id: null,
  amount: 1000,
  fee: 4,
  state: 'open',
  placed_at: '2026-03-04T12:29:00Z',
  opened_at: '2026-03-04T12:30:00Z',
  open_price: 67905.4,
  closed_at: null,
  close_price: null,
  close_reason: null,
  cancel_reason: null,
  gross: null,
  performance_fee: null,
  result: null,
  stops: noStops,
  execution: null,
  close_execution: null,
  closing: false,
  closing_cause: null,
  live: { price: 68412.5, result: 7.4379 },
  ...change,
});

/** The market list's entry of an asset, with a fresh price. */
export const aPair = (symbol: string, change: Partial<MarketEntry> = {}): MarketEntry => ({
  displayName: `${symbol}/usdt`,
  apiname: symbol,
  image: '',
  listed: true,
  rate: 15.284,
  stale: false,
  change_24h: -0.29,
  high_24h: 15.47,
  low_24h: 15.106,
  volume_24h: 1,
  spark: [1, 2],
  ...change,
});

/** A session in a replay, at 14:05 and open until 17:30. */
export const theSession: Session = {
  state: 'open',
  opens_at: '2026-03-04T12:30:00Z',
  closes_at: '2026-03-04T17:30:00Z',
  market_time: '2026-03-04T14:05:00Z',
  halt: null,
  waits_for: null,
  waiting_assets: null,
  feed: { kind: 'replay', label: 'Replay', at: '2026-03-04T14:05:00Z', speed: 60, stale: false, ended: false },
};
