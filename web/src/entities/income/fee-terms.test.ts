import { expect, test } from 'vitest';
import { type FeePlan, firstFeePlan } from '#contract/fee-plan.ts';
import { nextTerms, termsNow } from './fee-terms.ts';

const plan = (id: string, tradeBps: number, state: FeePlan['state']): FeePlan => ({
  id,
  terms: { ...firstFeePlan, trade_fee_bps: tradeBps },
  note: 'Made for a test.',
  created_at: '2026-03-04T12:00:00Z',
  state,
});
const current = plan('1', 40, 'current');
const next = plan('2', 30, 'next');

test.each([
  ['open', next, 40],
  ['settling', next, 30],
  ['closed', next, 30],
  ['ended', next, 30],
  ['open', null, 40],
  ['closed', null, 40],
] as const)('a trade placed while %s pays the fees it will open under', (state, waiting, tradeBps) => {
  expect(termsNow({ current, next: waiting }, { state }).trade_fee_bps).toBe(tradeBps);
});

test('a plan pays those of the next opening', () => {
  expect(nextTerms({ current, next }).trade_fee_bps).toBe(30);
  expect(nextTerms({ current, next: null }).trade_fee_bps).toBe(40);
});
