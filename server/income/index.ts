/**
 * Incomes out of fees (product.md sections 1, 6 and 7): what each session's fees are shared into, what the pools pay, and the
 * calls that explain every number of it.
 */
export { type BookCheck, bookFault } from './core/book-check.ts';
export { listAllChecks } from './list-book-checks.ts';
export { mountIncome } from './routes.ts';
export { runMarket } from './run-market.ts';
