/**
 * Incomes out of fees (product.md sections 1, 6 and 7): what each session's fees are shared into, what the pools pay, and the
 * calls that explain every number of it.
 */
export { closeMemberIncomes } from './close-member.ts';
export { type BookCheck, bookFault } from './core/book-check.ts';
export type { BalanceSheet } from './core/solvency.ts';
export { exportIncomes } from './export-sql.ts';
export { getSolvency } from './get-solvency.ts';
export { getBalanceSheet } from './get-solvency-sheet.ts';
export { listAllChecks, listNewChecks } from './list-book-checks.ts';
export { replaySession, type SessionReplay } from './replay-session.ts';
export { mountIncome } from './routes.ts';
export { runMarket } from './run-market.ts';
export {
  findSessionRun,
  listRunStates,
  listSessionPeriods,
  type SessionPeriod,
  type SessionRun,
} from './session-run-sql.ts';
export { sumWaitingRewards } from './waiting-rewards-sql.ts';
