import type { FeePlanTerms, WaterfallSums } from '#contract/fee-plan.ts';
import { toDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { checkWaterfall, readTerms } from '#server/fee-plans/index.ts';
import { Refused } from '#server/refused.ts';
import { beneficiariesOfLines, findLastDone, getSums, type RunSums, rerun, tradersUnder } from './rerun.ts';

/**
 * What the session that was shared last would have come to under other terms (docs/product.md, section 6): its trades
 * at the rates proposed, with the statements of the real run, and nothing is posted or kept. Who was active, and with
 * how many active directs, is as it was.
 *
 * @throws Refused fee_plan_over_100, fee_plan_ranks, no_shared_session
 */
export async function dryRunFeePlan({ db }: Context, proposed: FeePlanTerms) {
  const terms = readTerms(proposed);
  const refusal = checkWaterfall(terms);
  if (refusal !== undefined) throw new Refused(refusal);
  const last = await findLastDone(db);
  if (last === undefined) throw new Refused('no_shared_session');
  const { day, feePlanId } = last;
  const { sums, outputsHash } = await inTransaction(db, (tx) =>
    rerun(tx, {
      day,
      feePlanId,
      shares: terms,
      traders: tradersUnder(day, terms),
      beneficiaries: () => beneficiariesOfLines(day),
    }),
  );
  return {
    session: day,
    actual: showSums(await getSums(db, day)),
    proposed: showSums(sums),
    outputs_hash: outputsHash,
  };
}

const showSums = (sums: RunSums): WaterfallSums => ({
  trade_fees: toDollars(sums.tradeFees),
  performance_fees: toDollars(sums.performanceFees),
  execution_cost: toDollars(sums.tradeCost + sums.performanceCost),
  referral_bonus: toDollars(sums.referralBonus),
  level_bonus: toDollars(sums.levelBonus),
  team_profit: toDollars(sums.teamProfit),
  pool_weekly: toDollars(sums.poolWeekly),
  pool_monthly: toDollars(sums.poolMonthly),
  pool_rewards: toDollars(sums.poolRewards),
  revenue: toDollars(sums.tradeRevenue + sums.performanceRevenue),
  beneficiaries: sums.beneficiaries,
});
