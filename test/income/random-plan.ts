import fc from 'fast-check';
import { type FeePlanTerms, firstFeePlan } from '#contract/fee-plan.ts';

const upTo = (max: number) => fc.integer({ min: 0, max });
const times = (length: number, max: number) => fc.array(upTo(max), { minLength: length, maxLength: length });

/** Any shares that the fees can pay, and any rules of weeks, months and ranks; the fees are those of the first plan. */
export const randomPlan: fc.Arbitrary<FeePlanTerms> = fc
  .record({
    level_bps: times(10, 600),
    weekly_bps: upTo(1300),
    monthly_bps: upTo(1300),
    rewards_bps: upTo(1300),
    team_profit_bps: times(3, 3300),
    weekly_min_directs: upTo(3),
    weekly_cap_bps: fc.oneof(fc.constant(10_000), fc.integer({ min: 1, max: 4000 })),
    leg_cap_bps: fc.integer({ min: 1, max: 10_000 }),
    ranks: fc.array(fc.record({ more: fc.integer({ min: 1, max: 20_000 }), monthly: upTo(100), reward: upTo(100) }), {
      minLength: 5,
      maxLength: 5,
    }),
  })
  .map(({ ranks, ...rules }) => {
    let volume = 0;
    return {
      ...firstFeePlan,
      ...rules,
      ranks: ranks.map(({ more, ...income }) => {
        volume += more;
        return { volume, ...income };
      }),
    };
  });
