import type { FeePlan } from '#server/fee-plans/index.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { findCountHorizon } from '#server/team/index.ts';
import { weeklyMessage } from '../core/period-messages.ts';
import { weeklyCap } from '../core/weekly.ts';
import type { PeriodRules } from './period-rules.ts';
import { payWeek, storeWeek, type WeekTerms, weekTotals } from './weekly-sql.ts';

/** Weekly income (docs/product.md, section 6): the pool in proportion to team volume, nobody more than the cap. */
export const weeklyRules: PeriodRules = {
  totals: (week, plan) => weekTotals(termsOf(week, plan)),
  async computeBlock(tx, run, plan, { no, ...range }) {
    await storeWeek(tx, {
      run,
      terms: termsOf(run, plan),
      cap: weeklyCap(run.pool, plan.weeklyCapBps),
      range,
      no,
      countedTx: await findCountHorizon(tx),
    });
  },
  async payBlock(tx, run, { no, ...range }) {
    const paid = await payWeek(tx, run, no, range);
    await notifyMembers(
      tx,
      paid.map((row) => ({
        memberId: row.memberId,
        kind: 'weekly_income',
        message: weeklyMessage({ startsOn: run.startsOn, paid: row.paid }),
      })),
    );
  },
};

const termsOf = (week: { startsOn: string; lastSession: string }, plan: FeePlan): WeekTerms => ({
  startsOn: week.startsOn,
  lastSession: week.lastSession,
  minDirects: plan.weeklyMinDirects,
});
