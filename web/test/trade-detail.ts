import type { TradeDetail } from '#contract/trading/trade-detail.ts';

/**
 * 250 dollars on btc, bought at a mark of 100 and sold at the session's average of 110.25: the figures are those of
 * The rules of docs/product.md, worked by hand. 249 × 110.194875 ÷ 100.05 = 274.248114…
 */
export const settledDetail: TradeDetail = {
  trade: {
    id: '12',
    symbol: 'btc',
    wallet_type: 'primary',
    plan_id: null,
    amount: 250,
    fee: 1,
    state: 'settled',
    placed_at: '2026-03-04T12:20:00.000Z',
    opened_at: '2026-03-04T12:30:00.000Z',
    open_price: 100.05,
    closed_at: '2026-03-04T17:30:00.000Z',
    close_price: 110.194875,
    close_reason: 'session_close',
    cancel_reason: null,
    gross: 25.248114,
    performance_fee: 2.424811,
    result: 21.823303,
    stops: {
      stop_loss: 2,
      take_profit: null,
      trailing_stop: null,
      stop_loss_price: 98.049,
      take_profit_price: null,
      trailing_stop_price: null,
    },
    closing: false,
    closing_cause: null,
    live: null,
  },
  rates: { trade_bps: 40, performance_bps: 1000 },
  opening: { at: '2026-03-04T12:30:00.000Z', mark: '100', spread_bps: 10, price: '100.05', mark_source: 'stored' },
  closing: {
    at: '2026-03-04T17:30:00.000Z',
    mark: '110.25',
    spread_bps: 10,
    price: '110.194875',
    mark_source: 'stored',
  },
  average: {
    minute: 'session_close',
    from: '2026-03-04T17:29:00.000Z',
    to: '2026-03-04T17:30:00.000Z',
    parts: ['110', '108', '112', '111'].map((price) => ({ price, ms: 15_000 })),
  },
  net: 249,
  quantity: '2.488755622188',
  proceeds: 274.248114,
  events: [
    { kind: 'placed', at: '2026-03-04T12:20:00.000Z', mark: 100, words: 'Placed by you. Its amount left the wallet.' },
    { kind: 'opened', at: '2026-03-04T12:30:00.000Z', mark: 100, words: 'Bought at the first price.' },
    { kind: 'closed', at: '2026-03-04T17:30:00.000Z', mark: null, words: 'The session closed.' },
  ],
  decisions: [],
  transfers: [
    {
      id: '7',
      from: 'primary',
      to: 'trade_escrow',
      amount: 250,
      reason: 'trade_place',
      market_at: '2026-03-04T12:20:00.000Z',
      created_at: '2026-03-04T12:20:00.000Z',
      from_balance_after: 750,
      to_balance_after: 250,
    },
    {
      id: '9',
      from: 'venue',
      to: 'performance_fees',
      amount: 2.424811,
      reason: 'performance_fee',
      market_at: '2026-03-04T17:30:00.000Z',
      created_at: '2026-03-04T17:30:01.000Z',
      from_balance_after: null,
      to_balance_after: null,
    },
  ],
  chart: {
    kind: 'ticks',
    ticks: [
      { time: '2026-03-04T12:20:00.000Z', price: 100 },
      { time: '2026-03-04T15:00:00.000Z', price: 110 },
      { time: '2026-03-04T17:30:00.000Z', price: 111 },
    ],
  },
};
