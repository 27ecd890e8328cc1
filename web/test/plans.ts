import type { Plan, Redemption } from '#contract/trading/plan.ts';
import { success } from './server.ts';

/** A session as the server sends it, at 14:05 on its day. */
export const aSession = (state: 'closed' | 'open' | 'settling' = 'closed') =>
  success({
    state,
    opens_at: '2026-03-04T12:30:00Z',
    closes_at: '2026-03-04T17:30:00Z',
    market_time: state === 'closed' ? '2026-03-04T12:05:00Z' : '2026-03-04T14:05:00Z',
    halt: null,
    waits_for: null,
    waiting_assets: null,
    feed: { kind: 'replay', label: 'Replay', at: '2026-03-04T12:05:00Z', speed: 60, stale: false, ended: false },
  });

export const aPlan = (change: Partial<Plan> = {}): Plan => ({
  id: '3',
  symbol: 'btc',
  strategy: 'momentum',
  params: { period: 20 },
  wallet_type: 'primary',
  amount: 250,
  principal: 254.5,
  value: 254.5,
  compounding: true,
  stops: { stop_loss: 2, take_profit: null, trailing_stop: null },
  state: 'active',
  state_reason: null,
  created_at: '2026-03-01T10:00:00Z',
  redeemed_at: null,
  redeemed: null,
  result_total: 4.5,
  trades: 2,
  trade_id: null,
  trade_state: null,
  last_decision: {
    at: '2026-03-03T17:15:00Z',
    action: 'wait',
    reason: 'too_late',
    words: 'No entry: only 15 minutes are left before the session closes.',
  },
  sessions: [
    { day: '2026-03-01', trades: 1, result: 7, value: 257, words: null },
    {
      day: '2026-03-02',
      trades: 0,
      result: null,
      value: 257,
      words: 'No entry: price 61,204.50 is under its 20-period average 61,530.10.',
    },
    { day: '2026-03-03', trades: 1, result: -2.5, value: 254.5, words: null },
  ],
  ...change,
});

export const aRedemption = (change: Partial<Redemption> = {}): Redemption => ({
  id: '2',
  symbol: 'eth',
  strategy: 'session_hold',
  amount: 100,
  redeemed: 103.25,
  result: 3.25,
  sessions: 4,
  created_at: '2026-02-20T10:00:00Z',
  redeemed_at: '2026-02-25T18:00:00Z',
  ...change,
});
