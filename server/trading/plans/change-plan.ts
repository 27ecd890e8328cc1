import type { Plan } from '#contract/trading/plan.ts';
import type { StopChange } from '#contract/trading/stops.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { getMarketTime } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { changeStops } from '../core/stops/stops.ts';
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
