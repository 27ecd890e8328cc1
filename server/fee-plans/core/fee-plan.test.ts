import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BPS, feePlanTerms, firstFeePlan } from '#contract/fee-plan.ts';
import { shareOf } from '#contract/money.ts';
import { runs } from '#test/kit/property-runs.ts';
import { checkWaterfall, type FeePlanTerms, ratesOf, readTerms, showTerms } from './fee-plan.ts';

const first = readTerms(firstFeePlan);
const volumes = (...dollars: number[]) => ({
  ranks: dollars.map((dollar) => ({ volume: BigInt(dollar) * 1_000_000n, monthly: 0n, reward: 0n })),
});

describe('a valid plan', () => {
  test.each<[string, Partial<FeePlanTerms>]>([
    ['the first plan', {}],
    ['all of a trade fee distributed', { weeklyBps: 3500 }],
    ['all of a performance fee distributed', { teamProfitBps: [7000, 2000, 1000] }],
    ['nothing distributed', { levelBps: Array(10).fill(0), weeklyBps: 0, monthlyBps: 0, rewardsBps: 0 }],
    ['ranks one micro apart', { ranks: first.ranks.map((rank, index) => ({ ...rank, volume: BigInt(index + 1) })) }],
  ])('%s', (_, change) => {
    expect(checkWaterfall({ ...first, ...change })).toBeUndefined();
  });
});

describe('a plan is refused for', () => {
  test.each<[string, Partial<FeePlanTerms>, string]>([
    ['a basis point too much in a pool', { weeklyBps: 3501 }, 'fee_plan_over_100'],
    ['a basis point too much in a level', { levelBps: [4501, ...first.levelBps.slice(1)] }, 'fee_plan_over_100'],
    ['a basis point too much of the performance fee', { teamProfitBps: [7000, 2000, 1001] }, 'fee_plan_over_100'],
    ['two equal ranks', volumes(5_000, 5_000, 100_000, 500_000, 2_000_000), 'fee_plan_ranks'],
    ['a rank below the previous one', volumes(5_000, 25_000, 24_999, 500_000, 2_000_000), 'fee_plan_ranks'],
    ['a rank with a volume of zero', volumes(0, 25_000, 100_000, 500_000, 2_000_000), 'fee_plan_ranks'],
    ['shares, reported before ranks', { weeklyBps: 3501, ...volumes(0, 0, 0, 0, 0) }, 'fee_plan_over_100'],
  ])('%s', (_, change, refusal) => {
    expect(checkWaterfall({ ...first, ...change })).toBe(refusal);
  });
});

const share = fc.integer({ min: 0, max: BPS });
/** Around a third of the whole each, so that about half of the plans are refused. */
const some = fc.integer({ min: 0, max: 5000 });
const shares = fc
  .record({
    levels: fc.array(fc.integer({ min: 0, max: 600 }), { minLength: 10, maxLength: 10 }),
    pools: fc.tuple(some, some, some),
    profits: fc.tuple(some, some, some),
  })
  .map(({ levels, pools: [weeklyBps, monthlyBps, rewardsBps], profits }) => ({
    ...first,
    levelBps: levels,
    weeklyBps,
    monthlyBps,
    rewardsBps,
    teamProfitBps: [...profits],
  }));

/** The shares of a fee, each rounded down once. */
const cut = (fee: bigint, bps: readonly number[]) => bps.map((part) => shareOf(fee, BigInt(part), BigInt(BPS)));
const total = (parts: readonly bigint[]) => parts.reduce((sum, part) => sum + part, 0n);

test('a plan is valid exactly when no fee is distributed beyond 100 %', () => {
  const seen = { passed: 0, refused: 0 };
  fc.assert(
    fc.property(shares, (terms) => {
      const ofTrade = [...terms.levelBps, terms.weeklyBps, terms.monthlyBps, terms.rewardsBps];
      // Shares of 10 000 micros are exact, so their sum exceeds it exactly when the plan exceeds 100 %.
      const isOver = [ofTrade, terms.teamProfitBps].some((bps) => total(cut(BigInt(BPS), bps)) > BigInt(BPS));
      seen[isOver ? 'refused' : 'passed'] += 1;
      expect(checkWaterfall(terms)).toBe(isOver ? 'fee_plan_over_100' : undefined);
    }),
    { numRuns: runs(2000) },
  );
  expect(seen.passed).toBeGreaterThan(200);
  expect(seen.refused).toBeGreaterThan(200);
});

/** Valid plans: all basis points, split at random. */
const dealt = (parts: number) =>
  fc.array(share, { minLength: parts, maxLength: parts }).map((cuts) => {
    const rising = [0, ...cuts.sort((one, other) => one - other)];
    return rising.slice(1).map((end, index) => end - (rising[index] as number));
  });

test('under a valid plan, shares and remainder of any fee add up to the fee, and the remainder is never negative', () => {
  fc.assert(
    fc.property(dealt(13), dealt(3), fc.bigInt({ min: 0n, max: 10n ** 18n }), (ofTrade, teamProfitBps, fee) => {
      const [weeklyBps, monthlyBps, rewardsBps, ...levelBps] = ofTrade as [number, number, number, ...number[]];
      expect(checkWaterfall({ ...first, weeklyBps, monthlyBps, rewardsBps, levelBps, teamProfitBps })).toBeUndefined();
      for (const bps of [ofTrade, teamProfitBps]) {
        const rest = fee - total(cut(fee, bps));
        expect(rest).toBeGreaterThanOrEqual(0n);
        expect(total(cut(fee, bps)) + rest).toBe(fee);
      }
    }),
  );
});

test('terms survive a round trip over the wire', () => {
  expect(first).toMatchObject({ withdrawalFeeMin: 1_000_000n, legCapBps: 6000 });
  expect(first.ranks[4]).toEqual({ volume: 2_000_000_000_000n, monthly: 800_000_000n, reward: 400_000_000n });
  expect(showTerms(first)).toEqual(firstFeePlan);
  expect(feePlanTerms.parse(showTerms(first))).toEqual(firstFeePlan);
});

test('a trade uses two rates of the plan', () => {
  expect(ratesOf(first)).toEqual({ tradeBps: 40, performanceBps: 1000 });
});
