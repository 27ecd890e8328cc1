import { aTrade } from './trades.ts';

/** A member with one open position, and nothing else. */
const position = {
  ...aTrade({ live: { price: 104, result: 8.85 } }),
  distances: { stop_loss: null, take_profit: null, trailing_stop: null },
};
const sums = { realised: 0, fees_paid: 1, trade_fees: 1, performance_fees: 0 };
export const aPortfolio = (change: object = {}) => ({
  net_worth: 258.85,
  summary: { deposited: 250, withdrawn: 0, traded_volume: 0, net_worth: 258.85 },
  result: { total: 8.85, realised: 0, open: 8.85, income: 0, corrections: 0 },
  positions: [position],
  plans: [],
  in_plans: 0,
  allocation: [],
  equity: [{ time: '2026-03-04T14:05:00Z', value: 258.85, put_in: 250, held: null, drawdown: 0 }],
  drawdown: {
    now: { amount: 0, percent: 0 },
    deepest_amount: { amount: 0, at: null },
    deepest_percent: { percent: 0, at: null },
  },
  realised_by_day: [],
  by_asset: [],
  totals: { ...sums, trades: 0, open: 1, best: null, worst: null, winning: 0, losing: 0, negative_members: null },
  ...change,
});
