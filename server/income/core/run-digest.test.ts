import { expect, test } from 'vitest';
import { inputsText, outputsText, type RunInputs, type RunOutputs } from './run-digest.ts';

const inputs: RunInputs = {
  day: '2026-03-04',
  feePlanId: 1,
  shares: { levelBps: [2000, 1000], weeklyBps: 1000, monthlyBps: 900, rewardsBps: 500, teamProfitBps: [1500] },
  executionCost: 0n,
  batches: ['ab'],
};
const outputs: RunOutputs = {
  day: '2026-03-04',
  batches: ['cd'],
  tradeFees: 100n,
  performanceFees: 10n,
  executionCost: 0n,
  tradeCost: 0n,
  performanceCost: 0n,
  referralBonus: 20n,
  levelBonus: 21n,
  teamProfit: 3n,
  poolWeekly: 10n,
  poolMonthly: 9n,
  poolRewards: 5n,
  tradeRevenue: 35n,
  performanceRevenue: 7n,
};

test('a session without an execution cost does not mention it: its digests are unchanged', () => {
  expect(inputsText(inputs)).toBe(
    'session 2026-03-04\nplan 1\nlevels 2000 1000\npools 1000 900 500\nteam profit 1500\nblock ab\n',
  );
  expect(outputsText(outputs)).toBe(
    'session 2026-03-04\nblock cd\ntrade fees 100 to referral 20 level 21 pools 10 9 5 revenue 35\nperformance fees 10 to team profit 3 revenue 7\n',
  );
});

test('one with an execution cost states it, and the fees that bore it', () => {
  expect(inputsText({ ...inputs, executionCost: 130n })).toContain('team profit 1500\nexecution cost 130\nblock ab\n');
  expect(outputsText({ ...outputs, executionCost: 130n, tradeCost: 100n, performanceCost: 10n })).toContain(
    'block cd\nexecution cost 130 from trade fees 100 performance fees 10\ntrade fees 100 to',
  );
});
