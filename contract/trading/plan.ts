import { z } from 'zod';
import { endpoint, id, instant, page, paging } from '../endpoint.ts';
import { money, moneyAmount, one, signedMoney } from '../fields.ts';
import { walletTypes } from '../rules.ts';
import { english } from '../texts.ts';
import { stopFields, stopPercents, stopsToSet } from './stops.ts';
import { foreignParameterMessage, hasOnlyOwnParameters, strategyNames, strategyParams } from './strategy.ts';
import { tradeId, tradeStates } from './trade.ts';

const { t } = english;

export const planStates = ['active', 'paused', 'redeemed'] as const;
export type PlanState = (typeof planStates)[number];
/** Why a plan is paused, by its member or by the engine; with `over_asset_limit` an active plan skips the session. */
export const planStateReasons = ['member', 'minimum', 'own_limit', 'asset_off', 'over_asset_limit'] as const;
export type PlanStateReason = (typeof planStateReasons)[number];

/** A strategy's decision and its reason: `reason` is for programs, `words` for people. */
const decision = z.strictObject({
  at: instant,
  action: z.enum(['enter', 'exit', 'wait']),
  reason: z.string(),
  words: z.string(),
});
export type PlanDecision = z.output<typeof decision>;

/** One session of a plan. Without a trade, `words` say why. */
const planSession = z.strictObject({
  day: z.iso.date(),
  trades: z.number().int(),
  /** Result of the session's trades, fees included; null without a trade. */
  result: signedMoney.nullable(),
  /** The plan's value after the session. */
  value: money,
  words: z.string().nullable(),
});
export type PlanSession = z.output<typeof planSession>;

/** An auto-trade plan as its member sees it (docs/product.md, section 3). */
export const plan = z.strictObject({
  id,
  symbol: z.string(),
  strategy: z.enum(strategyNames),
  params: strategyParams,
  wallet_type: z.enum(walletTypes),
  /** The amount invested. */
  amount: money,
  /** The capital it trades now: the amount less losses and, with compounding, plus gains. */
  principal: money,
  /** The principal, with an open trade valued at the current mark. */
  value: money,
  compounding: z.boolean(),
  stops: stopPercents,
  state: z.enum(planStates),
  state_reason: z.enum(planStateReasons).nullable(),
  created_at: instant,
  redeemed_at: instant.nullable(),
  /** The amount paid back on redemption. */
  redeemed: money.nullable(),
  /** Sum over all its settled trades. */
  result_total: signedMoney,
  trades: z.number().int(),
  /** Its queued or open trade. */
  trade_id: id.nullable(),
  trade_state: z.enum(tradeStates).nullable(),
  /** The strategy's last decision; null before the first. */
  last_decision: decision.nullable(),
  /** Newest last; at most 60. */
  sessions: z.array(planSession),
});
export type Plan = z.output<typeof plan>;

export const planEvent = z.strictObject({
  kind: z.enum(['created', 'paused', 'resumed', 'stops_changed', 'redeemed', 'skipped']),
  reason: z.string().nullable(),
  at: instant,
});

export const redemption = plan
  .pick({ id: true, symbol: true, strategy: true, amount: true, created_at: true })
  .extend({ redeemed: money, result: signedMoney, sessions: z.number().int(), redeemed_at: instant });
export type Redemption = z.output<typeof redemption>;

const changeRefusals = ['plan_not_found', 'plan_in_session', 'plan_redeemed'] as const;

export const plans = {
  listPlans: endpoint({
    method: 'GET',
    path: '/trading/plans',
    access: 'member',
    summary: 'List your auto-trade plans, newest first',
    query: z.strictObject({ ...paging, state: z.enum(planStates).optional() }),
    data: page(plan),
  }),
  createPlan: endpoint({
    method: 'POST',
    path: '/trading/plans',
    access: 'member',
    summary: 'Create an auto-trade plan; it trades from the next session',
    body: z
      .strictObject({
        tradeId,
        strategy: z.enum(strategyNames, t`Choose a strategy.`),
        params: strategyParams.optional(),
        wallet_type: z.enum(walletTypes, t`Choose primary or profit.`),
        amount: moneyAmount,
        compounding: z.boolean(t`Choose whether gains stay in.`),
        ...stopFields,
      })
      .refine(({ strategy, params }) => hasOnlyOwnParameters(strategy, params ?? {}), {
        path: ['params'],
        message: foreignParameterMessage,
      }),
    data: plan,
    refusals: [
      'trade_not_selected',
      'trade_under_primary_minimum',
      'trade_under_profit_minimum',
      'insufficient_funds',
      'account_frozen',
      'own_pause',
      'trading_halted',
      'replay_ended',
    ],
    idempotent: true,
  }),
  getPlan: endpoint({
    method: 'GET',
    path: '/trading/plans/:id',
    access: 'member',
    summary: 'Get a plan with its events and latest decisions',
    params: one,
    data: z.strictObject({ plan, events: z.array(planEvent), decisions: z.array(decision) }),
    refusals: ['plan_not_found'],
  }),
  setPlanStops: endpoint({
    method: 'PUT',
    path: '/trading/plans/:id/stops',
    access: 'member',
    summary: 'Set or remove stops for a plan’s future trades; omitted stops stay, null removes one',
    params: one,
    body: stopsToSet,
    data: plan,
    refusals: changeRefusals,
  }),
  pausePlan: endpoint({
    method: 'POST',
    path: '/trading/plans/:id/pause',
    access: 'member',
    summary: 'Pause a plan; it keeps its money and does not trade',
    params: one,
    data: plan,
    refusals: [...changeRefusals, 'plan_not_active'],
    idempotent: true,
  }),
  resumePlan: endpoint({
    method: 'POST',
    path: '/trading/plans/:id/resume',
    access: 'member',
    summary: 'Resume a plan from the next session',
    params: one,
    data: plan,
    refusals: [
      ...changeRefusals,
      'plan_not_paused',
      'plan_under_minimum',
      'trade_not_selected',
      'account_frozen',
      'own_pause',
      'own_loss_limit',
      'trading_halted',
    ],
    idempotent: true,
  }),
  redeemPlan: endpoint({
    method: 'POST',
    path: '/trading/plans/:id/redeem',
    access: 'member',
    summary: 'Redeem a plan; its value goes to the Primary Wallet',
    params: one,
    data: plan,
    refusals: changeRefusals,
    idempotent: true,
  }),
  listRedemptions: endpoint({
    method: 'GET',
    path: '/safe/compounding-hist',
    access: 'member',
    summary: 'List redemptions of compounding plans, newest first',
    query: z.strictObject(paging),
    data: page(redemption),
  }),
};
