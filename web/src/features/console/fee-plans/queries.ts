import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import type { consoleFeePlans, FeePlanProposal } from '#contract/operator/fee-plans.ts';
import type { ProposalState } from '#contract/operator/proposals.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';
import type { Decision } from '../kit/proposals.ts';
import type { Verdict } from '../kit/use-decisions.tsx';
import { overviewQuery } from '../shell/queries.ts';

const rows = endpoints.consoleFeePlans;
const PLANS_POLL_MS = 15_000;

/** All that were ever written, newest first: few, and every proposal is compared with one of them. */
export const plansQuery = queryOptions({
  queryKey: ['operator', 'fee-plans', 'plans'],
  queryFn: ({ signal }) => call(endpoints.feePlans.listFeePlans, { signal }),
  refetchInterval: pollEvery(PLANS_POLL_MS),
});

export const readProposals = (state: ProposalState) => (query: PageQuery, signal: AbortSignal) =>
  call(rows.listFeePlanProposals, { query: { ...query, state }, signal });

/** Each decision names the version that the admin saw. */
function send(id: string, { decision, version, values }: Verdict<Decision>): Promise<FeePlanProposal> {
  const params = { id };
  switch (decision) {
    case 'approve':
      return call(rows.approveFeePlan, { params, body: { version, otp: values.otp } });
    case 'reject':
      return call(rows.rejectFeePlan, { params, body: { version, reason: values.reason } });
    case 'withdraw':
      return call(rows.withdrawFeePlan, { params, body: { version } });
  }
}

/** Plans and lists may have moved on, whatever comes of it. */
function useRefresh() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ['operator', 'fee-plans'] });
    void client.invalidateQueries({ queryKey: overviewQuery.queryKey });
  };
}

export const useDecide = (id: string) =>
  useMutation({ mutationFn: (verdict: Verdict<Decision>) => send(id, verdict), onSettled: useRefresh() });

/** The client finds the key of the intention, so that pressing twice proposes one plan. */
export const usePropose = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof consoleFeePlans.proposeFeePlan>) => call(rows.proposeFeePlan, { body }),
    onSettled: useRefresh(),
  });

export const useDryRun = () =>
  useMutation({
    mutationFn: (terms: FeePlanTerms) => call(endpoints.feePlanDryRun.dryRunFeePlan, { body: { terms } }),
  });
