import { expect, test } from 'vitest';
import { type FeePlanTerms, firstFeePlan } from '#contract/fee-plan.ts';
import { listChanges } from './fee-changes.ts';

const changed = (change: Partial<FeePlanTerms>) => listChanges(firstFeePlan, { ...firstFeePlan, ...change });

test('a plan with the same figures changes nothing', () => {
  expect(changed({})).toEqual([]);
});

test('only changed figures are listed, with their current values', () => {
  const [bronze, ...others] = firstFeePlan.ranks as [FeePlanTerms['ranks'][number]];
  expect(
    changed({
      trade_fee_bps: 30,
      withdrawal_fee_min: 2.5,
      level_bps: [2500, 1000, 600, 400, 300, 200, 200, 100, 100, 50],
      ranks: [{ ...bronze, volume: 6_000 }, ...others],
    }),
  ).toEqual([
    { label: 'Trade fee', now: '0.40%', next: '0.30%' },
    { label: 'Withdrawal fee', now: '1%, at least $1.00', next: '1%, at least $2.50' },
    { label: 'Trade fee to level 1', now: '20%', next: '25%' },
    { label: 'Trade fee to level 10', now: '1%', next: '0.50%' },
    { label: 'Bronze: team volume', now: '$5,000.00', next: '$6,000.00' },
  ]);
});

test('no figure of a plan changes unnoticed', () => {
  const other: FeePlanTerms = {
    ...firstFeePlan,
    performance_fee_bps: 900,
    withdrawal_fee_bps: 50,
    weekly_bps: 900,
    monthly_bps: 900,
    rewards_bps: 400,
    team_profit_bps: [1500, 1000, 400],
    weekly_min_directs: 4,
    weekly_cap_bps: 900,
    leg_cap_bps: 5000,
    ranks: firstFeePlan.ranks.map((rank) => ({ ...rank, monthly: rank.monthly + 1, reward: rank.reward + 1 })),
  };
  expect(listChanges(firstFeePlan, other)).toHaveLength(9 + 2 * 5);
});
