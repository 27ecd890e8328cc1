import type { BodyOf } from '#contract/endpoint.ts';
import { toMicros } from '#contract/money.ts';
import type { Plan, plans } from '#contract/trading/plan.ts';
import { lockOwnAccount, lockOwnLimits } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { getRow } from '#server/db/rows.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { post } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { refusePlacing } from '../core/placing.ts';
import { toPermilles } from '../core/stops/stops.ts';
import { settingOf } from '../core/strategies.ts';
import { fetchConditions } from '../orders/place-trade.ts';
import { insertPlanEvent, type PlanRow, planColumns } from './plan-sql.ts';
import { showPlans } from './show-plan.ts';

export type NewPlanInput = BodyOf<typeof plans.createPlan>;

/**
 * Creates an auto-trade plan (docs/product.md, section 3): the amount moves into `investment` at once, and the plan
 * trades from the next opening on.
 *
 * @throws Refused as `placeTrade`, except own_loss_limit
 */
export async function createPlan(context: Context, memberId: bigint, input: NewPlanInput, once?: Once): Promise<Plan> {
  const refusal = await findRefusal(context, memberId, input);
  return runOnce(context.db, once, async (tx) => {
    if (refusal !== undefined) throw refusal;
    await refuseBarred(context, tx, memberId);
    const [plan] = await showPlans(tx, [await insert(context, tx, memberId, input)]);
    return plan as Plan;
  });
}

async function findRefusal(context: Context, memberId: bigint, input: NewPlanInput): Promise<Refused | undefined> {
  // Uncached: unlike a trade that slips through, a plan is not cancelled by the engine.
  const conditions = await fetchConditions(context);
  const code = refusePlacing({
    isTradable: conditions.symbols.has(input.tradeId ?? ''),
    amount: toMicros(input.amount),
    wallet: input.wallet_type,
    isFrozen: conditions.frozenMemberIds.has(memberId),
    isPaused: conditions.pausedMemberIds.has(memberId),
    // A plan trades in future sessions, which today's loss does not affect.
    isLossLimitReached: false,
    isHalted: conditions.isHalted,
    // It trades in future sessions.
    isAssetHalted: false,
    marketEnded: conditions.hasEnded,
  });
  return code === undefined ? undefined : new Refused(code);
}

/** Rechecks freeze and pause under the member's lock, until the plan is committed. */
async function refuseBarred(context: Context, tx: Tx, memberId: bigint): Promise<void> {
  if ((await lockOwnAccount(tx, memberId)).frozenAt !== null) throw new Refused('account_frozen');
  if ((await lockOwnLimits(tx, memberId, context.now())).pausedUntil !== null) throw new Refused('own_pause');
}

async function insert(context: Context, tx: Tx, memberId: bigint, input: NewPlanInput): Promise<PlanRow> {
  const at = context.now();
  const marketAt = await getMarketTime(tx);
  const { strategy, params } = settingOf(input.strategy, input.params);
  const { stopLoss, takeProfit, trailingStop } = toPermilles(input);
  const row = await getRow(tx)<PlanRow>`
    insert into trading.plan as p (member_id, symbol, strategy, params, wallet, amount, compounding, stop_loss_permille,
      take_profit_permille, trailing_stop_permille, created_at, created_market_at)
    values (${memberId}, ${input.tradeId ?? ''}, ${strategy}, ${JSON.stringify(params)}::jsonb, ${input.wallet_type},
      ${toMicros(input.amount)}, ${input.compounding}, ${stopLoss}, ${takeProfit}, ${trailingStop}, ${at}, ${marketAt})
    returning ${planColumns}`;
  await post(tx, [
    {
      key: `plan/${row.id}/invest`,
      from: { memberId, class: row.wallet },
      to: { memberId, class: 'investment' },
      amountMicros: row.amount,
      reason: 'plan_invest',
      reference: `plan ${row.id}`,
      marketAt,
    },
  ]);
  await insertPlanEvent(tx, { plan_id: row.id, kind: 'created', reason: null, at, market_at: marketAt });
  return row;
}
