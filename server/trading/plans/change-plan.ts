import type { Plan } from '#contract/trading/plan.ts';
import type { StopChange } from '#contract/trading/stops.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { post } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { refuseResuming } from '../core/placing.ts';
import { changeStops } from '../core/stops/stops.ts';
import { isLossLimitReached, readConditions } from '../orders/trading-conditions.ts';
import { findCurrentSession } from '../session/session-sql.ts';
import {
  insertPlanEvent,
  lockPlan,
  type PlanEventKind,
  type PlanRow,
  updatePlanState,
  updatePlanStops,
} from './plan-sql.ts';
import { showPlans } from './show-plan.ts';

/** A plan that its member may change now, locked, with the times of the change. */
export type PlanToChange = { readonly plan: PlanRow; readonly at: Date; readonly marketAt: Date };

/**
 * One change of a plan by its member, at most once per key. Between the opening of a session and the end of its
 * settlement nothing can be changed (docs/product.md, section 3), and not either once the time of the opening has come:
 * nobody changes a plan at a price that is known already.
 *
 * @throws Refused plan_not_found for a foreign or unknown one, plan_redeemed, plan_in_session
 */
export async function changePlan(
  context: Context,
  memberId: bigint,
  id: bigint,
  once: Once | undefined,
  change: (tx: Tx, found: PlanToChange) => Promise<PlanRow>,
): Promise<Plan> {
  return runOnce(context.db, once, async (tx) => {
    const plan = await lockPlan(tx, memberId, id);
    if (plan === undefined) throw new Refused('plan_not_found');
    if (plan.state === 'redeemed') throw new Refused('plan_redeemed');
    const marketAt = await getMarketTime(tx);
    if (await isInSession(tx, marketAt)) throw new Refused('plan_in_session');
    const [shown] = await showPlans(tx, [await change(tx, { plan, at: context.now(), marketAt })]);
    return shown as Plan;
  });
}

async function isInSession(tx: Tx, marketAt: Date): Promise<boolean> {
  const session = await findCurrentSession(tx);
  return session !== undefined && (session.state !== 'scheduled' || marketAt >= session.opensAt);
}

export const noteChange = (tx: Tx, { plan, at, marketAt }: PlanToChange, kind: PlanEventKind): Promise<void> =>
  insertPlanEvent(tx, { plan_id: plan.id, kind, reason: kind === 'paused' ? 'member' : null, at, market_at: marketAt });

/** Pauses a plan: it keeps its money and does not trade. @throws Refused as `changePlan`, plan_not_active */
export const pausePlan = (context: Context, memberId: bigint, id: bigint, once?: Once): Promise<Plan> =>
  changePlan(context, memberId, id, once, async (tx, found) => {
    if (found.plan.state !== 'active') throw new Refused('plan_not_active');
    await noteChange(tx, found, 'paused');
    return updatePlanState(tx, id, { state: 'paused', reason: 'member' });
  });

/** Changes stops of the trades a plan will make, each alone (`changeStops`). @throws Refused as `changePlan` */
export const setPlanStops = (context: Context, memberId: bigint, id: bigint, stops: StopChange): Promise<Plan> =>
  changePlan(context, memberId, id, undefined, async (tx, found) => {
    await noteChange(tx, found, 'stops_changed');
    return updatePlanStops(tx, id, changeStops(found.plan, stops));
  });

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
