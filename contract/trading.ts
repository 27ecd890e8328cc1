import { z } from 'zod';
import { endpoint, id, instant, page, paging } from './endpoint.ts';
import { feed, symbolParam } from './market.ts';
import { money, moneyAmount, signedMoney } from './money.ts';
import { walletTypes } from './rules.ts';

export const tradeStates = ['queued', 'open', 'settling', 'settled', 'cancelled'] as const;
export type TradeState = (typeof tradeStates)[number];
export const closeReasons = ['session_close', 'close_now', 'late_price'] as const;
export const cancelReasons = ['member', 'asset_off', 'frozen', 'own_limit', 'venue_down'] as const;
export type CancelReason = (typeof cancelReasons)[number];

export const tradableAsset = z.strictObject({
  /** What `tradeId` of `do-trade` takes: the base symbol. */
  id: z.string(),
  name: z.string(),
  logo: z.string(),
  /** Price change of the last 24 hours, in percent. */
  percentage: z.number().nullable(),
});
export type TradableAsset = z.output<typeof tradableAsset>;

/** A trade as its member sees it (product.md section 3). */
export const trade = z.strictObject({
  id,
  symbol: z.string(),
  wallet_type: z.enum(walletTypes),
  amount: money,
  /** The trade fee; null until the trade opened. */
  fee: money.nullable(),
  state: z.enum(tradeStates),
  placed_at: instant,
  opened_at: instant.nullable(),
  open_price: z.number().nullable(),
  closed_at: instant.nullable(),
  close_price: z.number().nullable(),
  close_reason: z.enum(closeReasons).nullable(),
  cancel_reason: z.enum(cancelReasons).nullable(),
  /** P − N, before the performance fee. */
  gross: signedMoney.nullable(),
  performance_fee: money.nullable(),
  /** P − A − g: what the trade changed in the wallets. */
  result: signedMoney.nullable(),
  /** *Close now* was pressed and waits for the next tick. */
  closing: z.boolean(),
  /** Only while open: what closing at the mark now would give. */
  live: z.strictObject({ price: z.number(), result: signedMoney }).nullable(),
});
export type Trade = z.output<typeof trade>;

export const session = z.strictObject({
  /** closed: before the opening; settling: closed, and not all trades have their result yet. */
  state: z.enum(['closed', 'open', 'settling', 'ended']),
  /** The session that is open or settling, else the next one. */
  opens_at: instant,
  closes_at: instant,
  market_time: instant,
  feed,
});
export type Session = z.output<typeof session>;

const wallet = z.strictObject({ balance: money, held: money, in_trade: money });

export const portfolio = z.strictObject({
  net_worth: money,
  positions: z.array(trade),
  allocation: z.array(z.strictObject({ label: z.string(), value: money, share: z.number() })),
  /** One point a session and one for now; `put_in` is deposits less withdrawals at that time. */
  equity: z.array(z.strictObject({ time: instant, value: money, put_in: signedMoney })),
  realised_by_day: z.array(z.strictObject({ day: z.iso.date(), result: signedMoney, trades: z.number().int() })),
  totals: z.strictObject({
    realised: signedMoney,
    fees_paid: money,
    trades: z.number().int(),
    best: trade.nullable(),
    worst: trade.nullable(),
    winning: z.number().int(),
    losing: z.number().int(),
    /** Of all members with a settled trade, the share with a negative result; null when nobody has one. */
    negative_members: z.number().nullable(),
  }),
});
export type Portfolio = z.output<typeof portfolio>;

export const trading = {
  listTradable: endpoint({
    method: 'GET',
    path: '/trade',
    access: 'member',
    summary: 'Assets that can be traded now',
    data: z.array(tradableAsset),
    refusals: [],
  }),
  getSession: endpoint({
    method: 'GET',
    path: '/trading/session',
    access: 'public',
    summary: 'The trading session and the market clock',
    data: session,
    refusals: [],
  }),
  placeTrade: endpoint({
    method: 'POST',
    path: '/trading/do-trade',
    access: 'member',
    summary: 'Trade Now: put an amount of one wallet on one asset',
    // No tradeId or an unknown one is the operation's refusal 'Please select a trade.', so it is optional here.
    body: z.strictObject({
      tradeId: z.string().max(20, 'At most 20 characters.').nullish(),
      amount: moneyAmount,
      wallet_type: z.enum(walletTypes, 'Choose primary or profit.'),
    }),
    data: trade,
    refusals: [
      'trade_not_selected',
      'trade_under_primary_minimum',
      'trade_under_profit_minimum',
      'insufficient_funds',
      'account_frozen',
      'replay_ended',
    ],
    idempotent: true,
  }),
  listTrades: endpoint({
    method: 'GET',
    path: '/trading/fetch-user-trade',
    access: 'member',
    summary: 'Own trades, newest first',
    query: z.strictObject({
      ...paging,
      state: z.enum(tradeStates).optional(),
      symbol: symbolParam.optional(),
    }),
    data: page(trade),
    refusals: [],
  }),
  cancelTrade: endpoint({
    method: 'POST',
    path: '/trading/:id/cancel',
    access: 'member',
    summary: 'Take back a queued trade; the whole amount returns',
    params: z.strictObject({ id }),
    data: trade,
    refusals: ['trade_not_found', 'trade_not_queued'],
    idempotent: true,
  }),
  closeTrade: endpoint({
    method: 'POST',
    path: '/trading/:id/close',
    access: 'member',
    summary: 'Close now: the trade is sold at the next tick',
    params: z.strictObject({ id }),
    data: trade,
    refusals: ['trade_not_found', 'trade_not_open'],
    idempotent: true,
  }),
  getPortfolio: endpoint({
    method: 'GET',
    path: '/trading/portfolio',
    access: 'member',
    summary: 'Net worth, positions, allocation, equity and realised results',
    data: portfolio,
    refusals: [],
  }),
  getWalletBalance: endpoint({
    method: 'GET',
    path: '/auth/wallet-balance',
    access: 'member',
    summary: 'The two balances',
    data: z.strictObject({ primary_wallet: money, profit_wallet: money }),
    refusals: [],
  }),
  getWallet: endpoint({
    method: 'GET',
    path: '/auth/wallet',
    access: 'member',
    summary: 'The two wallets with what is held and in trades, and the last movements',
    data: z.strictObject({
      primary: wallet,
      profit: wallet,
      last_movements: z.array(
        z.strictObject({ id, kind: z.string(), wallet: z.string(), amount: signedMoney, created_at: instant }),
      ),
    }),
    refusals: [],
  }),
  getWalletSummary: endpoint({
    method: 'GET',
    path: '/auth/wallet-summary',
    access: 'member',
    summary: 'Sums over the life of the account',
    data: z.strictObject({
      deposited: money,
      withdrawn: money,
      in_trades: money,
      invested: money,
      on_hold: money,
      traded_volume: money,
      realised: signedMoney,
      fees_paid: money,
      income: money,
      net_worth: money,
    }),
    refusals: [],
  }),
};
