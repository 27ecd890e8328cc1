/**
 * Sessions, trades and what they come to (product.md sections 2 and 3).
 */
export { openRecordedMarket, openStoredMarket } from './backtest-markets.ts';
export { mountBacktest } from './backtest-routes.ts';
export { cancelTrade } from './cancel-trade.ts';
export { pausePlan, setPlanStops } from './change-plan.ts';
export { closeTrade } from './close-trade.ts';
export { createPlan, type NewPlanInput } from './create-plan.ts';
export { followMarket } from './follow-market.ts';
export { getNetWorth, type NetWorth } from './get-net-worth.ts';
export { getPortfolio } from './get-portfolio.ts';
export { getSession } from './get-session.ts';
export { hedgeExposure, releaseVenue } from './hedge-exposure.ts';
export { getPlan, listPlans, listRedemptions } from './list-plans.ts';
export { listTrades, type TradeQuery } from './list-trades.ts';
export { type NewTradeInput, placeTrade } from './place-trade.ts';
export { mountPlans } from './plan-routes.ts';
export { playBacktest } from './play-backtest.ts';
export { redeemPlan } from './redeem-plan.ts';
export { resumePlan } from './resume-plan.ts';
export { mountTrading } from './routes.ts';
export { setTradeStops } from './set-trade-stops.ts';
export { refuseVenueChange } from './venue-change.ts';
export { VenueFault } from './venue-port.ts';
export { listResiduals, type Residual, reportVenue, type VenueReport } from './venue-report.ts';
export { findVenueState, isVenueDown, type VenueState } from './venue-state.ts';
