import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { pausePlan, setPlanStops } from './change-plan.ts';
import { createPlan } from './create-plan.ts';
import { getPlan, listPlans, listRedemptions } from './list-plans.ts';
import { redeemPlan } from './redeem-plan.ts';
import { resumePlan } from './resume-plan.ts';

export function mountPlans(http: Http, context: Context): void {
  const { db } = context;
  mount(http, endpoints.plans, {
    listPlans: ({ caller, query }) => listPlans(db, { memberId: caller.memberId, ...query }),
    createPlan: ({ caller, body, once }) => createPlan(context, caller.memberId, body, once),
    getPlan: ({ caller, params }) => getPlan(db, caller.memberId, BigInt(params.id)),
    setPlanStops: ({ caller, params, body }) => setPlanStops(context, caller.memberId, BigInt(params.id), body),
    pausePlan: ({ caller, params, once }) => pausePlan(context, caller.memberId, BigInt(params.id), once),
    resumePlan: ({ caller, params, once }) => resumePlan(context, caller.memberId, BigInt(params.id), once),
    redeemPlan: ({ caller, params, once }) => redeemPlan(context, caller.memberId, BigInt(params.id), once),
    listRedemptions: ({ caller, query }) => listRedemptions(db, { memberId: caller.memberId, ...query }),
  });
}
