import { type FeePlan, type FeePlanTerms, firstFeePlan } from '#contract/fee-plan.ts';
import { defaultSpreadBps, symbols } from '#contract/rules.ts';
import { success } from './server.ts';

/** A fee plan as the server sends it: the first one, with overrides. */
export const aFeePlan = (change: Partial<FeePlanTerms> = {}, state: FeePlan['state'] = 'current'): FeePlan => ({
  id: state === 'next' ? '2' : '1',
  terms: { ...firstFeePlan, ...change },
  note: state === 'next' ? 'Cheaper trades.' : 'The first fee plan.',
  created_at: '2026-03-01T10:00:00Z',
  state,
});

/** The first plan in force, and the next one's changes, if any. */
export const theFees = (next?: Partial<FeePlanTerms>) =>
  success({ current: aFeePlan(), next: next === undefined ? null : aFeePlan(next, 'next') });

/** The same spread for every asset, with overrides. */
export const theSpreads = (change: Record<string, { spread_bps?: number; next_bps?: number }> = {}) =>
  success({
    items: symbols.map((symbol) => ({ symbol, spread_bps: defaultSpreadBps, next_bps: null, ...change[symbol] })),
  });
