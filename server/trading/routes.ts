import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { runBacktest } from './backtest/run-backtest.ts';
import { showLimits } from './limits/change-limits.ts';
import { cancelTrade } from './orders/cancel-trade.ts';
import { closeTrade } from './orders/close-trade.ts';
import { getTrade } from './orders/get-trade.ts';
import { listTradable, listTrades } from './orders/list-trades.ts';
import { placeTrade } from './orders/place-trade.ts';
import { pausePlan, redeemPlan, resumePlan, setPlanStops } from './plans/change-plan.ts';
import { createPlan } from './plans/create-plan.ts';
import { getPlan, listPlans, listRedemptions } from './plans/list-plans.ts';
import { getPortfolio } from './portfolio/get-portfolio.ts';
import { getWalletBalance, getWalletSummary } from './portfolio/get-wallet.ts';
import { getSession } from './session/get-session.ts';
import { setTradeStops } from './stops/set-trade-stops.ts';

export function mountTrading(http: Http, context: Context): void {
  const { db } = context;
  mount(http, endpoints.trading, {
    listTradable: () => listTradable(context),
    getSession: () => getSession(context),
    listLimits: () => showLimits(context),
    placeTrade: ({ caller, body, once }) => placeTrade(context, caller.memberId, body, once),
    listTrades: ({ caller, query }) => listTrades(db, { memberId: caller.memberId, ...query }),
    cancelTrade: ({ caller, params, once }) => cancelTrade(context, caller.memberId, params.id, once),
    closeTrade: ({ caller, params, once }) => closeTrade(context, caller.memberId, params.id, once),
    setTradeStops: ({ caller, params, body }) => setTradeStops(context, caller.memberId, params.id, body),
    getPortfolio: ({ caller }) => getPortfolio(context, caller.memberId),
    getTrade: ({ caller, params }) => getTrade(context, caller.memberId, params.id),
    getWalletBalance: ({ caller }) => getWalletBalance(db, caller.memberId),
    getWalletSummary: ({ caller }) => getWalletSummary(db, caller.memberId),
  });
  mount(http, endpoints.plans, {
    listPlans: ({ caller, query }) => listPlans(db, { memberId: caller.memberId, ...query }),
    createPlan: ({ caller, body, once }) => createPlan(context, caller.memberId, body, once),
    getPlan: ({ caller, params }) => getPlan(db, caller.memberId, params.id),
    setPlanStops: ({ caller, params, body }) => setPlanStops(context, caller.memberId, params.id, body),
    pausePlan: ({ caller, params, once }) => pausePlan(context, caller.memberId, params.id, once),
    resumePlan: ({ caller, params, once }) => resumePlan(context, caller.memberId, params.id, once),
    redeemPlan: ({ caller, params, once }) => redeemPlan(context, caller.memberId, params.id, once),
    listRedemptions: ({ caller, query }) => listRedemptions(db, { memberId: caller.memberId, ...query }),
  });
  mount(http, endpoints.backtest, {
    runBacktest: ({ caller, body }) => runBacktest(context, caller.memberId, body),
  });
}
