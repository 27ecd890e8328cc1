import type { Plan } from '#contract/trading/plan.ts';
import type { Context } from '#server/context.ts';
import type { Once } from '#server/db/tx.ts';
import { post } from '#server/ledger/index.ts';
import { changePlan, noteChange } from './change-plan.ts';
import { updatePlanState } from './plan-sql.ts';

/**
 * Ends a plan: what it is worth goes to the primary wallet, whichever wallet it came from (docs/product.md, section 3).
 * A plan that lost everything ends with nothing to move.
 *
 * @throws Refused as `changePlan`
 */
export const redeemPlan = (context: Context, memberId: bigint, id: bigint, once?: Once): Promise<Plan> =>
  changePlan(context, memberId, id, once, async (tx, found) => {
    const { plan, at, marketAt } = found;
    if (plan.cash > 0n)
      await post(tx, [
        {
          key: `plan/${id}/redeem`,
          from: { memberId, class: 'investment' },
          to: { memberId, class: 'primary' },
          amountMicros: plan.cash,
          reason: 'plan_redeem',
          reference: `plan ${id}`,
          marketAt,
        },
      ]);
    await noteChange(tx, found, 'redeemed');
    return updatePlanState(tx, id, { state: 'redeemed', at, marketAt, amount: plan.cash });
  });
