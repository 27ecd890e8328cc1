/**
 * Sessions, trades and their results (docs/product.md, sections 2 and 3).
 */

export { setSpread } from './assets/decide-asset.ts';
export { openRecordedMarket, openStoredMarket, simulateBacktest } from './backtest/run-backtest.ts';
export { batchOf, type MemberBatch } from './core/run-digest.ts';
export {
  endCoinSale,
  findCoinSaleId,
  hasWaitingSale,
  insertCoinSale,
  listCoinSales,
  listDoneSales,
} from './execution/coin-sale.ts';
export { executeBatches, releaseVenue } from './execution/execute-batches.ts';
export { listRefusals } from './execution/holding-sql.ts';
export { rehearseVenue } from './execution/rehearse-venue.ts';
export { openVenue } from './execution/venue-ccxt.ts';
export { findVenueFunds, type VenueFunds } from './execution/venue-funds.ts';
export { VenueFault } from './execution/venue-port.ts';
export {
  listResiduals,
  reportHolding,
  reportVenue,
  type VenueReport,
} from './execution/venue-report.ts';
export { findVenueState, refuseVenueChange } from './execution/venue-state.ts';
export { listHaltedAssets, listHaltsBetween, showHalts } from './halts/halt-trading.ts';
export { limitsKind, proposeLimits } from './limits/change-limits.ts';
export { prepareLimits } from './limits/prepare-limits.ts';
export { mountTradingConsole } from './operator-routes.ts';
export { cancelTrade } from './orders/cancel-trade.ts';
export { closeTrade } from './orders/close-trade.ts';
export { exportTrading } from './orders/export-sql.ts';
export { getTrade } from './orders/get-trade.ts';
export { listTradeStates, listTrades } from './orders/list-trades.ts';
export { placeTrade } from './orders/place-trade.ts';
export { refuseUnfinished } from './orders/refuse-unfinished.ts';
export { findTradeOwner } from './orders/trade-sql.ts';
export { redeemPlan } from './plans/change-plan.ts';
export { createPlan } from './plans/create-plan.ts';
export { getPlan, listPlans } from './plans/list-plans.ts';
export { cashOfPlans } from './plans/plan-sql.ts';
export { getPortfolio } from './portfolio/get-portfolio.ts';
export { getWalletSummary, getWallets } from './portfolio/get-wallet.ts';
export { mountTrading } from './routes.ts';
export { chargeBatches, executionResult, getExecutionResult } from './session/execution-cost-sql.ts';
export { followMarket } from './session/follow-market.ts';
export { getSession } from './session/get-session.ts';
export {
  listResultDays,
  listSettledTrades,
  type ResultKind,
  type SettledTrade,
  sumResults,
  sumResultsBetween,
} from './session/list-results.ts';
export { type ReplayedHash, replayResults } from './session/replay-session.ts';
export {
  findSessionFigures,
  listSessionAssets,
  listSessionFigures,
  type SessionAssetFigures,
  type SessionFigures,
  type SessionPrice,
  sumQueued,
} from './session/session-figures.ts';
export { findLastFigures } from './session/session-sql.ts';
export {
  dailyResults,
  dailyResultsBetween,
  dailyResultsOf,
  dailyResultsUnder,
  escrowedAmount,
  feesAfter,
  findFirstTradeId,
  findUnsettledDay,
  listSettledSessions,
  type SettledSession,
  settledTrades,
} from './session/shared-results-sql.ts';
export { importWhenDue } from './statement/import-statement.ts';
export { sumOpenFindings } from './statement/statement-sql.ts';
export { setTradeStops } from './stops/set-trade-stops.ts';
