import { type RawBuilder, sql } from 'kysely';
import type { DryRunSums, FeePlanTerms } from '#contract/fee-plan.ts';
import { toDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { getValue } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { checkWaterfall, type FeePlan, getFeePlan, readTerms } from '#server/fee-plans/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { monthOf, weekOf } from '../core/periods.ts';
import { monthlyPaymentOf } from '../periods/monthly.ts';
import { weeklyPaymentOf } from '../periods/weekly.ts';
import { poolContribution } from './bonus-batch-sql.ts';
import { beneficiariesOfLines, findLastDone, getSums, type RunSums, rerun, tradersOf, tradersUnder } from './rerun.ts';

/**
 * Recalculates the last distributed session under proposed terms (docs/product.md, section 6): its trades at the
 * proposed rates, with the statements of the real run, without posting or storing anything. Activity and active directs
 * are those of the real run. Weekly and monthly payments are computed as if the session's fill were the whole pool,
 * with qualifications and ranks as of the week and month so far.
 *
 * @throws Refused fee_plan_over_100, fee_plan_ranks, no_shared_session
 */
export async function dryRunFeePlan({ db }: Context, proposed: FeePlanTerms) {
  const terms = readTerms(proposed);
  const refusal = checkWaterfall(terms);
  if (refusal !== undefined) throw new Refused(refusal);
  const last = orRefuse(await findLastDone(db), 'no_shared_session');
  const { day, feePlanId } = last;
  return inTransaction(db, async (tx) => {
    const traders = tradersUnder(day, terms);
    const beneficiaries = () => beneficiariesOfLines(day);
    const { sums, outputsHash } = await rerun(tx, { day, feePlanId, shares: terms, traders, beneficiaries });
    const actual = await getSums(tx, day);
    const plan = await getFeePlan(tx, feePlanId);
    return {
      session: day,
      actual: showSums(actual, await getPayments(tx, { day, plan, traders: tradersOf(day), sums: actual })),
      proposed: showSums(sums, await getPayments(tx, { day, plan: terms, traders, sums })),
      outputs_hash: outputsHash,
    };
  });
}

type PoolTerms = Pick<FeePlan, 'weeklyMinDirects' | 'weeklyCapBps' | 'ranks' | 'legCapBps'>;
type Session = {
  readonly day: string;
  readonly plan: PoolTerms;
  /** SQL for `member_id, trade_fees`. */
  readonly traders: RawBuilder<unknown>;
  readonly sums: RunSums;
};
/** Payments from the weekly and the monthly pool, in micros. */
type Payments = { readonly weekly: bigint; readonly monthly: bigint };

async function getPayments(tx: Tx, { day, plan, traders, sums }: Session): Promise<Payments> {
  const days = (startsOn: string) => ({ startsOn, lastSession: day });
  const contributions = (fill: bigint) => sql`
    select member_id, ${poolContribution(sql`trade_fees`, sums.tradeFees, fill)} as put, 0::bigint as reward_put from (${traders}) as trader`;
  const week = weeklyPaymentOf(days(weekOf(day).startsOn), plan, sums.poolWeekly, contributions(sums.poolWeekly));
  const month = monthlyPaymentOf(days(monthOf(day).startsOn), plan, contributions(sums.poolMonthly));
  const weekly = await getValue(tx)<bigint>`${week}`;
  const monthly = await getValue(tx)<bigint>`${month}`;
  return { weekly, monthly };
}

const showSums = (sums: RunSums, payments: Payments): DryRunSums => ({
  trade_fees: toDollars(sums.tradeFees),
  performance_fees: toDollars(sums.performanceFees),
  execution_cost: toDollars(sums.tradeCost + sums.performanceCost),
  referral_bonus: toDollars(sums.referralBonus),
  level_bonus: toDollars(sums.levelBonus),
  team_profit: toDollars(sums.teamProfit),
  pool_weekly: toDollars(sums.poolWeekly),
  paid_weekly: toDollars(payments.weekly),
  pool_monthly: toDollars(sums.poolMonthly),
  paid_monthly: toDollars(payments.monthly),
  pool_rewards: toDollars(sums.poolRewards),
  revenue: toDollars(sums.tradeRevenue + sums.performanceRevenue),
  beneficiaries: sums.beneficiaries,
});
