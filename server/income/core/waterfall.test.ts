import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { chargeExecution, costTransfers, type FeeShares, shareHouse } from './waterfall.ts';

const first: FeeShares = {
  levelBps: firstFeePlan.level_bps,
  weeklyBps: firstFeePlan.weekly_bps,
  monthlyBps: firstFeePlan.monthly_bps,
  rewardsBps: firstFeePlan.rewards_bps,
  teamProfitBps: firstFeePlan.team_profit_bps,
};

describe('the house', () => {
  const bonuses = { referralBonus: 20n, levelBonus: 21n, teamProfit: 3n };

  test.each([
    ['what pools and members do not', [0n, 0n], [10n, 10n, 5n, 34n, 7n]],
    ['it of what execution left', [21n, 1n], [7n, 7n, 3n, 21n, 6n]],
  ] as const)('gets %s', (_, [tradeCost, performanceCost], shares) => {
    const [poolWeekly, poolMonthly, poolRewards, tradeRevenue, performanceRevenue] = shares;
    expect(shareHouse({ tradeFees: 100n, performanceFees: 10n, tradeCost, performanceCost }, bonuses, first)).toEqual({
      poolWeekly,
      poolMonthly,
      poolRewards,
      tradeRevenue,
      performanceRevenue,
    });
  });
});

describe('what execution cost', () => {
  const collected = { tradeFees: 20n, performanceFees: 3n };

  test.each([
    ['nothing when the exchange took nothing', 0n, [0n, 0n, 0n]],
    ['nothing when it brought something', 9n, [0n, 0n, 0n]],
    ['is taken from trade fees first', -20n, [20n, 20n, 0n]],
    ['then from performance fees', -22n, [22n, 20n, 2n]],
    ['as far as they reach', -25n, [25n, 20n, 3n]],
  ] as const)('%s', (_, result, [executionCost, tradeCost, performanceCost]) => {
    expect(chargeExecution(collected, result)).toEqual({ executionCost, tradeCost, performanceCost });
  });

  test('is a transfer from each of both, and none of nothing', () => {
    const session = { day: '2026-03-04', closesAt: new Date('2026-03-04T17:30:00Z') };
    const charge = chargeExecution(collected, -21n);
    expect(costTransfers(session, charge).map(({ key, amountMicros }) => [key, amountMicros])).toEqual([
      ['bonus/2026-03-04/trade-cost', 20n],
      ['bonus/2026-03-04/performance-cost', 1n],
    ]);
    expect(costTransfers(session, chargeExecution(collected, 1n))).toEqual([]);
  });
});

/** Parts of a whole of 10 000 at most. */
const sharesOf = (count: number) =>
  fc.array(fc.nat(10_000), { minLength: count, maxLength: count }).map((parts) => {
    const sum = parts.reduce((total, part) => total + part, 0);
    return sum > 10_000 ? parts.map((part) => Math.floor((part * 10_000) / sum)) : parts;
  });
const anyShares = fc.record({ trade: sharesOf(13), performance: sharesOf(3) }).map(
  ({ trade, performance }): FeeShares => ({
    levelBps: trade.slice(0, 10),
    weeklyBps: trade[10] as number,
    monthlyBps: trade[11] as number,
    rewardsBps: trade[12] as number,
    teamProfitBps: performance,
  }),
);
const micros = fc.bigInt({ min: 0n, max: 10n ** 15n });

test('execution cost and all shares of any fee add up to the fee, and the house never gets less than 0', () => {
  // Often less than the fees, often more.
  const anyCost = fc.oneof(
    fc.constant(0n),
    fc.bigInt({ min: 0n, max: 1000n }),
    fc.bigInt({ min: 0n, max: 2n * 10n ** 15n }),
  );
  fc.assert(
    fc.property(anyShares, micros, micros, anyCost, (shares, tradeFees, performanceFees, cost) => {
      const charge = chargeExecution({ tradeFees, performanceFees }, -cost);
      expect(charge.tradeCost === tradeFees || charge.performanceCost === 0n).toBe(true);
      // One trader with ten above who all qualify: the most that bonuses can be.
      const most = (fees: bigint, bps: readonly number[]) =>
        (fees * BigInt(bps.reduce((sum, each) => sum + each, 0))) / 10_000n;
      const bonuses = {
        referralBonus: most(tradeFees - charge.tradeCost, shares.levelBps.slice(0, 1)),
        levelBonus: most(tradeFees - charge.tradeCost, shares.levelBps.slice(1)),
        teamProfit: most(performanceFees - charge.performanceCost, shares.teamProfitBps),
      };
      const house = shareHouse({ tradeFees, performanceFees, ...charge }, bonuses, shares);
      expect(Object.values(house).every((share) => share >= 0n)).toBe(true);
      expect(
        charge.tradeCost +
          bonuses.referralBonus +
          bonuses.levelBonus +
          house.poolWeekly +
          house.poolMonthly +
          house.poolRewards +
          house.tradeRevenue,
      ).toBe(tradeFees);
      expect(charge.performanceCost + bonuses.teamProfit + house.performanceRevenue).toBe(performanceFees);
    }),
  );
});
