import type { FeePlan as ShownPlan } from '#contract/fee-plan.ts';
import { type FeePlan, showTerms } from './core/fee-plan.ts';

/** Which plans are not past: the newest, and the one of the session that opened last. */
export type PlanIds = { readonly newestId: number; readonly currentId: number };

/** A plan as calls show it (contract/fee-plan.ts). A plan that was followed by another before any session opened is past. */
export const showFeePlan = (plan: FeePlan, { newestId, currentId }: PlanIds): ShownPlan => ({
  id: plan.id.toString(),
  terms: showTerms(plan),
  note: plan.note,
  created_at: plan.createdAt.toISOString(),
  state: plan.id === currentId ? 'current' : plan.id === newestId ? 'next' : 'past',
});
