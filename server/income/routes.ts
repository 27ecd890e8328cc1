import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { asFile, mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { dryRunFeePlan } from './bonus/dry-run-fee-plan.ts';
import { explainMonth, explainWeek } from './periods/explain-period.ts';
import { listMonthly, listWeekly } from './periods/list-periods.ts';
import { claimReward } from './rewards/claim-reward.ts';
import { listRewards } from './rewards/list-rewards.ts';
import { explainLine } from './statement/explain-line.ts';
import { getEarnings } from './statement/get-earnings.ts';
import { getPayout, writePayout } from './statement/get-payout.ts';
import { listLines, listTeamProfit } from './statement/list-lines.ts';
import { getTeam } from './team/get-team.ts';
import { listReferrals } from './team/list-members.ts';

export function mountIncome(http: Http, context: Context): void {
  mount(http, endpoints.income, {
    getEarnings: ({ caller }) => getEarnings(context, caller.memberId),
    listTeamProfit: ({ caller, query }) => listTeamProfit(context, caller.memberId, query),
    listMonthly: ({ caller, query }) => listMonthly(context, caller.memberId, query),
    explainMonth: ({ caller, params }) => explainMonth(context, caller.memberId, String(params.id)),
    listWeekly: ({ caller, query }) => listWeekly(context, caller.memberId, query),
    explainWeek: ({ caller, params }) => explainWeek(context, caller.memberId, String(params.id)),
    listLines: ({ caller, params, query }) => listLines(context, caller.memberId, params.kind, query),
    explainLine: ({ caller, params, query }) => explainLine(context, caller.memberId, params, query),
    listRewards: ({ caller }) => listRewards(context, caller.memberId),
    claimReward: ({ caller, body, once }) => claimReward(context, caller.memberId, body, once),
    getPayout: async ({ caller, query }) => {
      if (query.format !== 'csv') return getPayout(context, caller.memberId, query);
      return asFile(writePayout(context, caller.memberId, query));
    },
  });
  mount(http, endpoints.team, {
    listReferrals: ({ caller, query }) => listReferrals(context, caller.memberId, query),
    getTeam: ({ caller, query }) => getTeam(context, caller.memberId, query),
  });
  mount(http, endpoints.feePlanDryRun, { dryRunFeePlan: ({ body }) => dryRunFeePlan(context, body.terms) });
}
