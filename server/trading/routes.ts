import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { cancelTrade } from './orders/cancel-trade.ts';
import { closeTrade } from './orders/close-trade.ts';
import { getTrade } from './orders/get-trade.ts';
import { listTrades } from './orders/list-trades.ts';
import { placeTrade } from './orders/place-trade.ts';
import { listTradable } from './orders/tradable-assets.ts';
import { getPortfolio } from './portfolio/get-portfolio.ts';
import { getWalletBalance } from './portfolio/get-wallet.ts';
import { getWalletSummary } from './portfolio/get-wallet-summary.ts';
import { getSession } from './session/get-session.ts';
import { setTradeStops } from './stops/set-trade-stops.ts';

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
