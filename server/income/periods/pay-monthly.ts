import type { FeePlan } from '#server/fee-plans/index.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { claimableMessage, monthlyMessage } from '../core/period-messages.ts';
import { monthName } from '../core/periods.ts';
import { type MonthTerms, monthTotals, payMonth, storeMonth } from './monthly-sql.ts';
import type { PeriodRules } from './period-rules.ts';
import { everybody } from './period-sql.ts';

/**
 * Monthly income by rank (docs/product.md, section 6): all scaled by one factor when the pool is short. With it the
 * rewards of ranks that the month reached for the first time in a member's life become claimable, also while what the
 * month pays is held.
 */
export const monthlyRules: PeriodRules = {
  totals: (month, plan) => monthTotals(termsOf(month, plan), everybody),
  async computeBlock(tx, run, plan, { no, ...range }) {
    const month = monthName(run.startsOn);
    const reached = await storeMonth(tx, { run, terms: termsOf(run, plan), range, no });
    await notifyMembers(
      tx,
      reached.flatMap(({ memberId, ranks }) =>
        ranks.map((rank) => ({ memberId, kind: 'reward_claimable', message: claimableMessage({ month, rank }) })),
      ),
    );
  },
  async payBlock(tx, run, { no, ...range }) {
    const month = monthName(run.startsOn);
    const paid = await payMonth(tx, { run, no, range, reference: `month ${month}` });
    await notifyMembers(
      tx,
      paid.map(({ memberId, ...line }) => ({
        memberId,
        kind: 'monthly_income',
        message: monthlyMessage({ month, ...line }),
      })),
    );
  },
};

const termsOf = (month: { startsOn: string; lastSession: string }, plan: FeePlan): MonthTerms => ({
  startsOn: month.startsOn,
  lastSession: month.lastSession,
  ranks: plan.ranks,
  legCapBps: plan.legCapBps,
});
