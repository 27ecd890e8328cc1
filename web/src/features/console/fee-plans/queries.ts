import { queryOptions, useMutation } from '@tanstack/react-query';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import type { consoleFeePlans, FeePlanProposal } from '#contract/operator/fee-plans.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';
import { type ApprovalKind, useChange } from '../kit/approvals.ts';

const rows = endpoints.consoleFeePlans;
const PLANS_POLL_MS = 15_000;

/** All that were ever written, newest first: few, and every proposal is compared with one of them. */
export const plansQuery = queryOptions({
  queryKey: ['operator', 'fee-plans', 'plans'],
  queryFn: ({ signal }) => call(endpoints.feePlans.listFeePlans, { signal }),
  refetchInterval: pollEvery(PLANS_POLL_MS),
});

export const feePlanKind: ApprovalKind<FeePlanProposal> = {
  key: 'fee-plans',
  name: 'Proposed plan',
  list: (query, signal) => call(rows.listFeePlanProposals, { query, signal }),
  approve: (params, body) => call(rows.approveFeePlan, { params, body }),
  reject: (params, body) => call(rows.rejectFeePlan, { params, body }),
  withdraw: (params, body) => call(rows.withdrawFeePlan, { params, body }),
  second: 'admin',
  states: { posted: 'Approved' },
  approves: 'The next session that opens takes it.',
  texts: ({ proposed_by }) => ({
    approve: `The plan of ${proposed_by.name} is written and stays: it is in force from the next session that opens, and everybody reads it on the fee page until then.`,
    reject: 'No plan is written, and fees stay as they are.',
    withdraw: 'You take back what you proposed; no plan is written.',
  }),
  busy: 'Writing',
  done: 'The plan is written',
};

export const usePropose = () =>
  useChange(feePlanKind, (body: BodyInOf<typeof consoleFeePlans.proposeFeePlan>) =>
    call(rows.proposeFeePlan, { body }),
  );

export const useDryRun = () =>
  useMutation({
    mutationFn: (terms: FeePlanTerms) => call(endpoints.feePlanDryRun.dryRunFeePlan, { body: { terms } }),
  });
