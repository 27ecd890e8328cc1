import type { Plan } from '#contract/trading/plan.ts';
import type { StopChange } from '#contract/trading/stops.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { getRow } from '#server/db/rows.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { post } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { refuseResuming } from '../core/placing.ts';
import { changeStops } from '../core/stops/stops.ts';
import { fetchConditions, isLossLimitReached } from '../orders/place-trade.ts';
import { listLiveTradesOfPlans } from '../orders/trade-sql.ts';
import { findCurrentSession } from '../session/session-sql.ts';
import {
  insertPlanEvent,
  lockPlan,
  type PlanEventKind,
  type PlanRow,
  planColumns,
  updatePlanState,
} from './plan-sql.ts';
import { showPlans } from './show-plan.ts';

/** A plan, locked, that its member may change now, and the times of the change. */
export type PlanToChange = { readonly plan: PlanRow; readonly at: Date; readonly marketAt: Date };

/**
 * Changes a plan for its member, at most once per key. Refused from the opening of a session to the end of its
 * settlement (docs/product.md, section 3), and once the opening time has come, so that no plan is changed at a known
 * price.
 *
 * @throws Refused plan_not_found, plan_redeemed, plan_in_session
 */
async function changePlan(
  context: Context,
  memberId: bigint,
  id: bigint,
  once: Once | undefined,
  change: (tx: Tx, found: PlanToChange) => Promise<PlanRow>,
): Promise<Plan> {
  return runOnce(context.db, once, async (tx) => {
    const plan = orRefuse(await lockPlan(tx, memberId, id), 'plan_not_found');
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

const recordChange = (tx: Tx, { plan, at, marketAt }: PlanToChange, kind: PlanEventKind): Promise<void> =>
  insertPlanEvent(tx, { plan_id: plan.id, kind, reason: kind === 'paused' ? 'member' : null, at, market_at: marketAt });

/**
 * Pauses a plan: it keeps its money and does not trade.
 *
 * @throws Refused as `changePlan`, plan_not_active
 */
export const pausePlan = (context: Context, memberId: bigint, id: bigint, once?: Once): Promise<Plan> =>
  changePlan(context, memberId, id, once, async (tx, found) => {
    if (found.plan.state !== 'active') throw new Refused('plan_not_active');
    await recordChange(tx, found, 'paused');
    return updatePlanState(tx, id, { state: 'paused', reason: 'member' });
  });

/**
 * Changes stops of the plan's future trades, each independently (`changeStops`).
 *
 * @throws Refused as `changePlan`
 */
export const setPlanStops = (context: Context, memberId: bigint, id: bigint, stops: StopChange): Promise<Plan> =>
  changePlan(context, memberId, id, undefined, async (tx, found) => {
    await recordChange(tx, found, 'stops_changed');
    const { stopLoss, takeProfit, trailingStop } = changeStops(found.plan, stops);
    return getRow(tx)<PlanRow>`
      update trading.plan p set stop_loss_permille = ${stopLoss}, take_profit_permille = ${takeProfit},
        trailing_stop_permille = ${trailingStop}
      where p.id = ${id} returning ${planColumns}`;
  });

/**
 * Ends a plan and pays its value to the primary wallet, whichever wallet funded it (docs/product.md, section 3).
 *
 * @throws Refused as `changePlan`; plan_in_session also while a carried trade holds its money
 */
export const redeemPlan = (context: Context, memberId: bigint, id: bigint, once?: Once): Promise<Plan> =>
  changePlan(context, memberId, id, once, async (tx, found) => {
    const { plan, at, marketAt } = found;
    if ((await listLiveTradesOfPlans(tx, [id])).length > 0) throw new Refused('plan_in_session');
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
    await recordChange(tx, found, 'redeemed');
    return updatePlanState(tx, id, { state: 'redeemed', at, marketAt, amount: plan.cash });
  });

/**
 * Resumes a paused plan from the next opening on. The reason of the pause must be gone, or the engine would pause it
 * again.
 *
 * @throws Refused as `changePlan`; plan_not_paused, trade_not_selected, plan_under_minimum, account_frozen, own_pause,
 * own_loss_limit, trading_halted
 */
export async function resumePlan(context: Context, memberId: bigint, id: bigint, once?: Once): Promise<Plan> {
  const conditions = await fetchConditions(context);
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
    await recordChange(tx, found, 'resumed');
    return updatePlanState(tx, id, { state: 'active' });
  });
}
