import type { Plan } from '#contract/trading/plan.ts';

/** What a plan's settled trades brought or cost, in percent of what was put in. +5 of 250 is 2. */
export const percentOfAmount = ({ result_total, amount }: Pick<Plan, 'result_total' | 'amount'>): number | null =>
  amount === 0 ? null : (result_total / amount) * 100;
