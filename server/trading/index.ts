/**
 * Sessions, trades and what they come to (docs/product.md, sections 2 and 3).
 */
export { openRecordedMarket, openStoredMarket } from './backtest/backtest-markets.ts';
export { playBacktest } from './backtest/play-backtest.ts';
export { mountBacktest } from './backtest/routes.ts';
export { valueAtMark } from './core/execution/hedge-plan.ts';
export { blockOf, type MemberBlock } from './core/manifest.ts';
export { hedgeExposure, releaseVenue } from './execution/hedge-exposure.ts';
export { reportHolding } from './execution/report-holding.ts';
export { refuseVenueChange } from './execution/venue-change.ts';
export { VenueFault } from './execution/venue-port.ts';
export { listResiduals, type Residual, reportVenue, type VenueReport } from './execution/venue-report.ts';
export { findVenueState, isVenueDown, type VenueState } from './execution/venue-state.ts';
export { listHaltsBetween } from './halts/halt-sql.ts';
export { mountTradingHalt } from './halts/operator-routes.ts';
export { showHalts } from './halts/show-halts.ts';
export { cancelTrade } from './orders/cancel-trade.ts';
export { closeTrade } from './orders/close-trade.ts';
export { exportTrading } from './orders/export-sql.ts';
export { getTrade } from './orders/get-trade.ts';
export { listTradeStates } from './orders/list-trade-states.ts';
export { listTrades, type TradeQuery } from './orders/list-trades.ts';
export { type NewTradeInput, placeTrade } from './orders/place-trade.ts';
export { refuseUnfinished } from './orders/refuse-unfinished.ts';
export { pausePlan, setPlanStops } from './plans/change-plan.ts';
export { createPlan, type NewPlanInput } from './plans/create-plan.ts';
export { getPlan, listPlans, listRedemptions } from './plans/list-plans.ts';
export { redeemPlan } from './plans/redeem-plan.ts';
export { resumePlan } from './plans/resume-plan.ts';
export { mountPlans } from './plans/routes.ts';
export { getNetWorth, type NetWorth } from './portfolio/get-net-worth.ts';
export { getPortfolio } from './portfolio/get-portfolio.ts';
export { getWallets, type WalletMicros } from './portfolio/get-wallet.ts';
export { getWalletSummary } from './portfolio/get-wallet-summary.ts';
export { type AssetPositions, listAssetPositions } from './portfolio/open-positions-sql.ts';
export { mountTrading } from './routes.ts';
export { escrowedAmount, feesAfter, findFirstTradeId, settledTrades } from './session/book-sums-sql.ts';
export { type Following, followMarket } from './session/follow-market.ts';
export { getSession } from './session/get-session.ts';
export {
  listResultDays,
  listSettledTrades,
  type ResultDay,
  type ResultKind,
  type ResultSums,
  type SettledTrade,
  sumResults,
  sumResultsBetween,
} from './session/list-results.ts';
export { listSessionAssets, type SessionAssetFigures, type SessionPrice } from './session/list-session-assets.ts';
export { type ReplayedHash, replayResults } from './session/replay-results.ts';
export {
  findSessionFigures,
  listSessionFigures,
  type SessionFigures,
  sumQueued,
} from './session/session-figures-sql.ts';
export { findLastFigures } from './session/session-sql.ts';
export {
  dailyResults,
  dailyResultsBetween,
  dailyResultsOf,
  dailyResultsUnder,
  findUnsettledDay,
  listSettledSessions,
  type SettledSession,
} from './session/shared-results-sql.ts';
export { workInLanes } from './session/workers.ts';
export { setTradeStops } from './stops/set-trade-stops.ts';
