/** Fees on trades and withdrawals and their distribution: versioned data, used by trading, income and funds. */
export { checkWaterfall, type FeePlan, type FeePlanTerms, ratesOf, readTerms } from './core/fee-plan.ts';
export { createFeePlan, proposeFeePlan } from './fee-plan-proposal.ts';
export { findFeePlans, findOpenedDay, getFeePlan, getFees } from './fee-plans.ts';
export { mountFeePlans } from './routes.ts';
