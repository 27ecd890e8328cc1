/**
 * Incomes from fees (docs/product.md, sections 1, 6 and 7): the distribution of each session's fees, payments from the
 * pools, and the calls that explain every figure.
 */

export { runMarket } from '../market-step.ts';
export { replaySession, type SessionReplay } from './bonus/replay-session.ts';
export {
  findSessionRun,
  listRunStates,
  listSessionPeriods,
  type SessionPeriod,
  type SessionRun,
} from './bonus/session-run-sql.ts';
export { closeMemberIncomes } from './close-member.ts';
export { findDiscrepancy, type IncomeCheck } from './core/discrepancy.ts';
export type { BalanceSheet } from './core/solvency.ts';
export { getBalanceSheet, getSolvency } from './get-solvency.ts';
export { listAllChecks, listNewChecks } from './reconciliation/reconcile.ts';
export { sumWaitingRewards } from './rewards/reward-sql.ts';
export { mountIncome } from './routes.ts';
export { exportIncomes } from './statement/export-sql.ts';
