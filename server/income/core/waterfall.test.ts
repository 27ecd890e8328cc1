import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import {
  type Beneficiary,
  chargeExecution,
  costTransfers,
  type FeeShares,
  findMissReason,
  shareableOf,
  shareHouse,
  shareLevels,
} from './waterfall.ts';

const first: FeeShares = {
  levelBps: firstFeePlan.level_bps,
  weeklyBps: firstFeePlan.weekly_bps,
  monthlyBps: firstFeePlan.monthly_bps,
  rewardsBps: firstFeePlan.rewards_bps,
  teamProfitBps: firstFeePlan.team_profit_bps,
};
const active = (activeDirects: bigint): Beneficiary => ({
  isCompany: false,
  isClosed: false,
  isActive: true,
  activeDirects,
});

describe('who misses a level', () => {
  test.each([
    [
      'the company, whatever it has',
      { isCompany: true, isClosed: false, isActive: true, activeDirects: 99n },
      1,
      'company',
    ],
    ['who closed the account, whatever they have', { ...active(99n), isClosed: true }, 1, 'closed'],
    ['who was not active', { isCompany: false, isClosed: false, isActive: false, activeDirects: 99n }, 1, 'inactive'],
    ['nobody who was active, at level 1', active(0n), 1, undefined],
    ['one active direct too few', active(1n), 2, 'directs'],
    ['exactly enough', active(2n), 2, undefined],
    ['nine of ten', active(9n), 10, 'directs'],
    ['ten of ten', active(10n), 10, undefined],
  ] as const)('%s', (_, beneficiary, level, reason) => {
    expect(findMissReason(beneficiary, level)).toBe(reason);
  });
});

describe('what a member gets', () => {
  test('levels 2 and 3 of 199 micros each are one transfer of 31, in lines of 19 and 12', () => {
    const levels = [1, 2, 3].map((level) => ({ level, tradeFees: 199n, performanceFees: 0n }));
    expect(shareLevels(levels, active(3n), first).map(({ bonus }) => bonus)).toEqual([39n, 19n, 12n]);
  });

  test('a level that is missed adds nothing to those after it', () => {
    const levels = [1, 2, 4].map((level) => ({ level, tradeFees: 1_000_000n, performanceFees: 1_000_000n }));
    expect(shareLevels(levels, active(2n), first)).toEqual([
      { level: 1, bonus: 200_000n, teamProfit: 150_000n, reason: undefined },
      { level: 2, bonus: 100_000n, teamProfit: 100_000n, reason: undefined },
      { level: 4, bonus: 0n, teamProfit: 0n, reason: 'directs' },
    ]);
  });

  test('team profit is of levels 1 to 3 in one transfer', () => {
    const levels = [1, 2, 3, 4].map((level) => ({ level, tradeFees: 0n, performanceFees: 99n }));
    // 14.85 + 9.9 + 4.95 = 29.7
    expect(shareLevels(levels, active(10n), first).map(({ teamProfit }) => teamProfit)).toEqual([14n, 10n, 5n, 0n]);
  });
});

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

  test('a quarter of the fees: levels 2 and 3 of 199 micros each are one transfer of 23, in lines of 14 and 9', () => {
    const levels = [1, 2, 3].map((level) => ({ level, tradeFees: 199n, performanceFees: 0n }));
    const paid = { tradeFees: 800n, performanceFees: 0n };
    const shareable = shareableOf(paid, chargeExecution(paid, -200n));
    expect(shareLevels(levels, active(3n), first, shareable).map(({ bonus }) => bonus)).toEqual([29n, 14n, 9n]);
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
  // One trader with ten above: each of them has all of the fees at one level.
  const upline = fc.array(fc.record({ isActive: fc.boolean(), activeDirects: fc.bigInt({ min: 0n, max: 11n }) }), {
    maxLength: 10,
  });
  // Often less than the fees, often more.
  const anyCost = fc.oneof(
    fc.constant(0n),
    fc.bigInt({ min: 0n, max: 1000n }),
    fc.bigInt({ min: 0n, max: 2n * 10n ** 15n }),
  );
  fc.assert(
    fc.property(anyShares, micros, micros, upline, anyCost, (shares, tradeFees, performanceFees, above, cost) => {
      const charge = chargeExecution({ tradeFees, performanceFees }, -cost);
      const shareable = shareableOf({ tradeFees, performanceFees }, charge);
      expect(charge.tradeCost === tradeFees || charge.performanceCost === 0n).toBe(true);
      const paid = above.flatMap((member, index) =>
        shareLevels(
          [{ level: index + 1, tradeFees, performanceFees }],
          { isCompany: false, isClosed: false, ...member },
          shares,
          shareable,
        ),
      );
      const sum = (pick: (share: (typeof paid)[number]) => bigint) =>
        paid.reduce((total, share) => total + pick(share), 0n);
      const bonuses = {
        referralBonus: sum(({ level, bonus }) => (level === 1 ? bonus : 0n)),
        levelBonus: sum(({ level, bonus }) => (level > 1 ? bonus : 0n)),
        teamProfit: sum(({ teamProfit }) => teamProfit),
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

test('lines add up to one rounding of the exact sum, whatever the levels', () => {
  const anyLevels = fc.uniqueArray(
    fc.record({ level: fc.integer({ min: 1, max: 10 }), tradeFees: micros, performanceFees: micros }),
    { selector: ({ level }) => level },
  );
  fc.assert(
    fc.property(anyShares, anyLevels, fc.bigInt({ min: 0n, max: 11n }), (shares, found, directs) => {
      const levels = found.toSorted((a, b) => a.level - b.level);
      const lines = shareLevels(levels, active(directs), shares);
      const exact = levels
        .filter(({ level }) => level > 1 && BigInt(level) <= directs)
        .reduce((sum, { level, tradeFees }) => sum + tradeFees * BigInt(shares.levelBps[level - 1] as number), 0n);
      expect(lines.filter(({ level }) => level > 1).reduce((sum, { bonus }) => sum + bonus, 0n)).toBe(exact / 10_000n);
      expect(lines.every(({ bonus, teamProfit }) => bonus >= 0n && teamProfit >= 0n)).toBe(true);
    }),
  );
});
