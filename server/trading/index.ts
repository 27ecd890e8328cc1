/**
 * Sessions, trades and what they come to (product.md sections 2 and 3).
 */
export { openRecordedMarket, openStoredMarket } from './backtest-markets.ts';
export { mountBacktest } from './backtest-routes.ts';
export { escrowedAmount, feesAfter, findFirstTradeId, settledTrades } from './book-sums-sql.ts';
export { cancelTrade } from './cancel-trade.ts';
export { pausePlan, setPlanStops } from './change-plan.ts';
export { closeTrade } from './close-trade.ts';
export {
  checkWaterfall,
  type FeePlan,
  type FeePlanTerms,
  type RankTerms,
  ratesOf,
  readTerms,
} from './core/fee-plan.ts';
export { valueAtMark } from './core/hedge-plan.ts';
export { blockOf, type MemberBlock } from './core/manifest.ts';
export { createFeePlan } from './create-fee-plan.ts';
export { createPlan, type NewPlanInput } from './create-plan.ts';
export { exportTrading } from './export-sql.ts';
export { mountFeePlans } from './fee-plan-routes.ts';
export { type FeePlansInForce, findFeePlans, getFeePlan } from './find-fee-plans.ts';
export { type Following, followMarket } from './follow-market.ts';
export { getNetWorth, type NetWorth } from './get-net-worth.ts';
export { getPortfolio } from './get-portfolio.ts';
export { getSession } from './get-session.ts';
export { getTrade } from './get-trade.ts';
export { getWallets, type WalletMicros } from './get-wallet.ts';
export { getWalletSummary } from './get-wallet-summary.ts';
export { mountTradingHalt } from './halt-routes.ts';
export { listHaltsBetween } from './halt-sql.ts';
export { hedgeExposure, releaseVenue } from './hedge-exposure.ts';
export { workInLanes } from './lanes.ts';
export { getPlan, listPlans, listRedemptions } from './list-plans.ts';
export {
  listResultDays,
  listSettledTrades,
  type ResultDay,
  type ResultKind,
  type ResultSums,
  type SettledTrade,
  sumResults,
  sumResultsBetween,
} from './list-results.ts';
export { listSessionAssets, type SessionAssetFigures, type SessionPrice } from './list-session-assets.ts';
export { listTradeStates } from './list-trade-states.ts';
export { listTrades, type TradeQuery } from './list-trades.ts';
export { lockNewestFeePlan } from './lock-newest-fee-plan.ts';
export { type AssetPositions, listAssetPositions } from './open-positions-sql.ts';
export { type NewTradeInput, placeTrade } from './place-trade.ts';
export { mountPlans } from './plan-routes.ts';
export { playBacktest } from './play-backtest.ts';
export { redeemPlan } from './redeem-plan.ts';
export { refuseUnfinished } from './refuse-unfinished.ts';
export { type ReplayedHash, replayResults } from './replay-results.ts';
export { reportHolding } from './report-holding.ts';
export { resumePlan } from './resume-plan.ts';
export { mountTrading } from './routes.ts';
export { findSessionFigures, listSessionFigures, type SessionFigures, sumQueued } from './session-figures-sql.ts';
export { findLastFigures } from './session-sql.ts';
export { setTradeStops } from './set-trade-stops.ts';
export {
  dailyResults,
  dailyResultsBetween,
  dailyResultsOf,
  dailyResultsUnder,
  findUnsettledDay,
  listSettledSessions,
  type SettledSession,
} from './shared-results-sql.ts';
export { showHalts } from './show-halts.ts';
export { refuseVenueChange } from './venue-change.ts';
export { VenueFault } from './venue-port.ts';
export { listResiduals, type Residual, reportVenue, type VenueReport } from './venue-report.ts';
export { findVenueState, isVenueDown, type VenueState } from './venue-state.ts';
