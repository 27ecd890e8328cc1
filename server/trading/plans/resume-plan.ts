import type { Plan } from '#contract/trading/plan.ts';
import type { Context } from '#server/context.ts';
import type { Once } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { refuseResuming } from '../core/plans/resuming.ts';
import { isLossLimitReached, readConditions } from '../orders/trading-conditions.ts';
import { changePlan, noteChange } from './change-plan.ts';
import { updatePlanState } from './plan-sql.ts';

/**
 * Lets a paused plan trade again from the next opening on, whoever paused it. What paused it must be over: the engine
 * would only pause it again.
 *
 * @throws Refused as `changePlan`; plan_not_paused, trade_not_selected when its asset is switched off,
 * plan_under_minimum, account_frozen, own_pause, own_loss_limit, trading_halted
 */
export async function resumePlan(context: Context, memberId: bigint, id: bigint, once?: Once): Promise<Plan> {
  const conditions = await readConditions(context);
  const isOverLoss = await isLossLimitReached(context, memberId, conditions);
  return changePlan(context, memberId, id, once, async (tx, found) => {
    const refusal = refuseResuming({
      isPaused: found.plan.state === 'paused',
      isTradable: conditions.symbols.has(found.plan.symbol),
      cash: found.plan.cash,
      wallet: found.plan.wallet,
      isFrozen: conditions.frozenMemberIds.has(memberId),
      isMemberPaused: conditions.pausedMemberIds.has(memberId),
      isLossLimitReached: isOverLoss,
      isHalted: conditions.isHalted,
    });
    if (refusal !== undefined) throw new Refused(refusal);
    await noteChange(tx, found, 'resumed');
    return updatePlanState(tx, id, { state: 'active' });
  });
}
