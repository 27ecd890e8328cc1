import { consoleFeePlans, feePlans } from '#contract/endpoints.ts';
import type { FeePlanProposal } from '#contract/operator/fee-plans.ts';
import { call } from '../../../api/call.ts';
import { queryOf } from '../../../api/query-of.ts';
import type { ApprovalKind } from '../kit/approvals.ts';

const PLANS_POLL_MS = 15_000;

/** All fee plans, newest first: there are few, and every proposal is compared with one of them. */
export const plansQuery = queryOf(['operator', 'fee-plans', 'plans'], feePlans.listFeePlans, {
  pollMs: PLANS_POLL_MS,
});

export const feePlanKind: ApprovalKind<FeePlanProposal> = {
  key: 'fee-plans',
  name: 'Proposed fee plan',
  list: (query, signal) => call(consoleFeePlans.listFeePlanProposals, { query, signal }),
  approve: (params, body) => call(consoleFeePlans.approveFeePlan, { params, body }),
  reject: (params, body) => call(consoleFeePlans.rejectFeePlan, { params, body }),
  withdraw: (params, body) => call(consoleFeePlans.withdrawFeePlan, { params, body }),
  second: 'admin',
  states: { posted: 'Approved' },
  approves: 'It applies from the next session.',
  texts: ({ proposed_by }) => ({
    approve: `The fee plan of ${proposed_by.name} applies from the next session that opens. It is published on the fee page immediately and cannot be deleted.`,
    reject: 'Fees stay as they are.',
    withdraw: 'Your proposal is withdrawn, and fees stay as they are.',
  }),
  busy: 'Approving',
  done: 'Fee plan approved',
};
