import { z } from 'zod';
import { endpoint, instant, page, paging } from '../endpoint.ts';
import { money, moneyAmount, one } from '../fields.ts';
import { feed, symbolParam } from '../market.ts';
import { walletTypes } from '../rules.ts';
import { english } from '../texts.ts';
import { portfolio, walletSummary } from './portfolio.ts';
import { stopFields, stopsToSet } from './stops.ts';
import { trade, tradeId, tradeStates } from './trade.ts';
import { tradeDetail } from './trade-detail.ts';

const { t } = english;

export type { Portfolio } from './portfolio.ts';
export * from './trade.ts';

export const tradableAsset = z.strictObject({
  /** The base symbol, used as `tradeId` of `do-trade`. */
  id: z.string(),
  name: z.string(),
  logo: z.string(),
  /** Price change of the last 24 hours, in percent. */
  percentage: z.number().nullable(),
});
export type TradableAsset = z.output<typeof tradableAsset>;

export const session = z.strictObject({
  /** `closed`: before the opening; `settling`: after the close, while some trades have no result yet. */
  state: z.enum(['closed', 'open', 'settling', 'ended']),
  /** Of the session that is open or settling, otherwise the next one. */
  opens_at: instant,
  closes_at: instant,
  market_time: instant,
  /** The halt in force: its reason and since when. No trade is placed or opened; open trades continue. */
  halt: z.strictObject({ reason: z.string(), at: instant }).nullable(),
  /** Why the opening, or in an open session the trades of some assets, are delayed, for people; null if nothing is. */
  waits_for: z.string().nullable(),
  /** The only assets whose trades wait for it; null if all do. */
  waiting_assets: z.array(z.string()).nullable(),
  feed,
});
export type Session = z.output<typeof session>;

export const trading = {
  listTradable: endpoint({
    method: 'GET',
    path: '/trade',
    access: 'member',
    summary: 'List tradable assets',
    data: z.array(tradableAsset),
  }),
  getSession: endpoint({
    method: 'GET',
    path: '/trading/session',
    access: 'public',
    summary: 'Get the trading session and the market clock',
    data: session,
  }),
  listLimits: endpoint({
    method: 'GET',
    path: '/trading/limits',
    access: 'public',
    summary: 'List position limits by asset: of one trade, of one member and of all members',
    data: z.strictObject({
      items: z.array(
        z.strictObject({
          symbol: z.string(),
          /** Dollars; null without a limit. */
          trade: money.nullable(),
          member: money.nullable(),
          /** With an exchange, at most half of its order book's depth. */
          all: money.nullable(),
        }),
      ),
    }),
  }),
  placeTrade: endpoint({
    method: 'POST',
    path: '/trading/do-trade',
    access: 'member',
    summary: 'Trade Now: place a trade with an amount from one wallet',
    body: z.strictObject({
      tradeId,
      amount: moneyAmount,
      wallet_type: z.enum(walletTypes, t`Choose primary or profit.`),
      ...stopFields,
    }),
    data: trade,
    refusals: [
      'trade_not_selected',
      'trade_under_primary_minimum',
      'trade_under_profit_minimum',
      'insufficient_funds',
      'over_asset_limit',
      'account_frozen',
      'own_pause',
      'own_loss_limit',
      'trading_halted',
      'asset_halted',
      'replay_ended',
    ],
    idempotent: true,
  }),
  listTrades: endpoint({
    method: 'GET',
    path: '/trading/fetch-user-trade',
    access: 'member',
    summary: 'List your trades, newest first',
    query: z.strictObject({
      ...paging,
      state: z.enum(tradeStates).optional(),
      symbol: symbolParam.optional(),
    }),
    data: page(trade),
  }),
  cancelTrade: endpoint({
    method: 'POST',
    path: '/trading/:id/cancel',
    access: 'member',
    summary: 'Cancel a queued trade; the full amount is refunded',
    params: one,
    data: trade,
    refusals: ['trade_not_found', 'trade_not_queued', 'trade_opening'],
    idempotent: true,
  }),
  closeTrade: endpoint({
    method: 'POST',
    path: '/trading/:id/close',
    access: 'member',
    summary: 'Close an open trade at the next tick; a stop triggered before takes precedence',
    params: one,
    data: trade,
    refusals: ['trade_not_found', 'trade_not_open', 'session_closing'],
    idempotent: true,
  }),
  setTradeStops: endpoint({
    method: 'PUT',
    path: '/trading/:id/stops',
    access: 'member',
    summary: 'Set or remove stops of a queued or open trade from the next tick; omitted stops stay, null removes one',
    params: one,
    body: stopsToSet,
    data: trade,
    refusals: ['trade_not_found', 'trade_not_open', 'session_closing'],
  }),
  getPortfolio: endpoint({
    method: 'GET',
    path: '/trading/portfolio',
    access: 'member',
    summary: 'Get the portfolio: net worth, positions, plans, allocation, equity, drawdown and realised P&L',
    data: portfolio,
  }),
  getTrade: endpoint({
    method: 'GET',
    path: '/trading/:id',
    access: 'member',
    summary: 'Get a trade with its events, prices, rates and ledger transfers',
    params: one,
    data: tradeDetail,
    refusals: ['trade_not_found'],
  }),
  getWalletBalance: endpoint({
    method: 'GET',
    path: '/auth/wallet-balance',
    access: 'member',
    summary: 'Get wallet balances',
    data: z.strictObject({ primary_wallet: money, profit_wallet: money }),
  }),
  getWalletSummary: endpoint({
    method: 'GET',
    path: '/auth/wallet-summary',
    access: 'member',
    summary: 'Get lifetime totals of the account',
    data: walletSummary,
  }),
};
