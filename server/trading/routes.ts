import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { cancelTrade } from './cancel-trade.ts';
import { closeTrade } from './close-trade.ts';
import { getPortfolio } from './get-portfolio.ts';
import { getSession } from './get-session.ts';
import { getTrade } from './get-trade.ts';
import { getWalletBalance } from './get-wallet.ts';
import { getWalletSummary } from './get-wallet-summary.ts';
import { listTrades } from './list-trades.ts';
import { placeTrade } from './place-trade.ts';
import { setTradeStops } from './set-trade-stops.ts';
import { listTradable } from './tradable-assets.ts';

export function mountTrading(http: Http, context: Context): void {
  const { db } = context;
  mount(http, endpoints.trading, {
    listTradable: () => listTradable(context),
    getSession: () => getSession(context),
    placeTrade: ({ caller, body, once }) => placeTrade(context, caller.memberId, body, once),
    listTrades: ({ caller, query }) => listTrades(db, { memberId: caller.memberId, ...query }),
    cancelTrade: ({ caller, params, once }) => cancelTrade(context, caller.memberId, BigInt(params.id), once),
    closeTrade: ({ caller, params, once }) => closeTrade(context, caller.memberId, BigInt(params.id), once),
    setTradeStops: ({ caller, params, body }) => setTradeStops(context, caller.memberId, BigInt(params.id), body),
    getPortfolio: ({ caller }) => getPortfolio(context, caller.memberId),
    getTrade: ({ caller, params }) => getTrade(context, caller.memberId, BigInt(params.id)),
    getWalletBalance: ({ caller }) => getWalletBalance(db, caller.memberId),
    getWalletSummary: ({ caller }) => getWalletSummary(db, caller.memberId),
  });
}
