import { expect, test } from 'vitest';
import { plans } from '#contract/trading/plan.ts';
import { findPlanMistake, type PlanDraft } from './check-plan.ts';

const draft = (change: Partial<PlanDraft>): PlanDraft => ({
  tradeId: 'btc',
  amount: 50,
  walletType: 'primary',
  strategy: 'momentum',
  compounding: true,
  ...change,
});

test.each<[string, Partial<PlanDraft>, string | undefined]>([
  [
    'nothing chosen: the asset comes first',
    { tradeId: null, strategy: null, compounding: null, amount: null },
    'Please select a trade.',
  ],
  ['then the strategy', { strategy: null, compounding: null, amount: null }, 'Choose a strategy.'],
  ['then what becomes of gains', { compounding: null, amount: null }, 'Choose whether gains stay in.'],
  ['then the minimum of the primary wallet', { amount: 4.99 }, 'Min amount for trade is 5$.'],
  ['and of the profit wallet', { amount: 0.99, walletType: 'profit' }, 'Min amount for trade is 1$.'],
  ['a plan that may go', { compounding: false }, undefined],
])('%s', (_, change, message) => {
  expect(findPlanMistake(draft(change))?.message).toBe(message);
});

test('the contract refuses a missing strategy and a missing choice in the same words', () => {
  const issues = plans.createPlan.body.safeParse({ tradeId: 'btc', wallet_type: 'primary', amount: 50 }).error?.issues;
  const said = Object.fromEntries((issues ?? []).map((issue) => [issue.path[0], issue.message]));
  expect(said).toEqual({
    strategy: findPlanMistake(draft({ strategy: null }))?.message,
    compounding: findPlanMistake(draft({ compounding: null }))?.message,
  });
});
