import { type Notice, notifyMembers } from '#server/notify/index.ts';
import type { FeePlan } from '#server/trading/index.ts';
import { claimableMessage, monthlyMessage } from './core/period-messages.ts';
import { monthName } from './core/periods.ts';
import { type MonthTerms, monthTotals, type PaidMonth, settleMonth } from './monthly-sql.ts';
import type { PeriodRules } from './period-rules.ts';
import { everybody } from './period-sql.ts';

/**
 * Monthly income by rank (product.md section 6): all scaled by one factor when the pool is short. With it the rewards of ranks
 * that the month reached for the first time in a member's life become claimable.
 */
export const monthlyRules: PeriodRules = {
  totals: (month, plan) => monthTotals(termsOf(month, plan), everybody),
  async payBlock(tx, run, plan, { no, ...range }) {
    const month = monthName(run.startsOn);
    const told = await settleMonth(tx, { run, terms: termsOf(run, plan), range, no, reference: `month ${month}` });
    await notifyMembers(
      tx,
      told.flatMap((row) => noticesOf(row, month)),
    );
  },
};

function noticesOf({ memberId, rank, paid, rewards }: PaidMonth, month: string): Notice[] {
  const claimable = rewards.map((reached) => ({
    memberId,
    kind: 'reward_claimable',
    message: claimableMessage({ month, rank: reached }),
  }));
  if (rank === null || paid === 0n) return claimable;
  return [{ memberId, kind: 'monthly_income', message: monthlyMessage({ month, rank, paid }) }, ...claimable];
}

const termsOf = (month: { startsOn: string; lastSession: string }, plan: FeePlan): MonthTerms => ({
  startsOn: month.startsOn,
  lastSession: month.lastSession,
  ranks: plan.ranks,
  legCapBps: plan.legCapBps,
});
