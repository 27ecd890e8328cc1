import { keepPreviousData } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import { plans } from '#contract/endpoints.ts';
import type { PlanState } from '#contract/trading/plan.ts';
import type { StopPercents } from '#contract/trading/stops.ts';
import { call } from '../../api/call.ts';
import { pollEvery, queryOf } from '../../api/query-of.ts';
import { sendTo } from '../../api/send-to.ts';
import { useOwnChange, useRefreshOwn } from '../../api/trading-queries.ts';
import { useOnce } from '../../api/use-once.ts';

/** Plans decide every 15 market minutes; with an open trade their value follows the price. */
const LIVE_MS = 5_000;

export type PlanEvent = DataOf<typeof plans.getPlan>['events'][number];

type PlanFilter = { state?: PlanState | undefined; cursor?: string | undefined; limit?: string };

export const plansQuery = (filter: PlanFilter) =>
  queryOf(['plans', 'list', filter], plans.listPlans, {
    query: filter,
    placeholderData: keepPreviousData,
    refetchInterval: filter.cursor === undefined && pollEvery(LIVE_MS),
  });

export const planQuery = (id: string) =>
  queryOf(['plans', 'one', id], plans.getPlan, { params: { id }, pollMs: LIVE_MS });

export const redemptionsQuery = (cursor: string | undefined) =>
  queryOf(['plans', 'redemptions', cursor], plans.listRedemptions, {
    query: { cursor },
    placeholderData: keepPreviousData,
  });

/** The client reuses the key of a request without a response, so that the same plan sent again is one plan. */
export function useCreatePlan() {
  const refresh = useRefreshOwn();
  return useOnce({
    mutationFn: sendTo(plans.createPlan),
    onSuccess: () => void refresh(),
  });
}

export const useSetPlanStops = (id: string) =>
  useOwnChange((stops: Partial<StopPercents>) => call(plans.setPlanStops, { params: { id }, body: stops }));

export type PlanChange = 'pause' | 'resume' | 'redeem';

const rows = {
  pause: plans.pausePlan,
  resume: plans.resumePlan,
  redeem: plans.redeemPlan,
} as const;

export const useChangePlan = (id: string) =>
  useOwnChange((change: PlanChange) => call(rows[change], { params: { id } }));
