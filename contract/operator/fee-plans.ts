import { z } from 'zod';
import { endpoint, id, line, operatorRoles, page } from '../endpoint.ts';
import { feePlanTerms } from '../fee-plan.ts';
import { approval, decidingRefusals, proposal, proposalQuery, rejection, withdrawal } from './proposals.ts';

const feePlanProposal = proposal.extend({
  terms: feePlanTerms,
  /** The plan it was compared with. It follows this one or none: once another was written, nobody can approve it. */
  base_id: id,
  /** The plan it became. */
  plan_id: id.nullable(),
});
export type FeePlanProposal = z.output<typeof feePlanProposal>;

const one = z.strictObject({ id });

/**
 * A fee plan is everybody's money: one admin proposes it, another approves with the second factor (docs/product.md,
 * section 10).
 */
export const consoleFeePlans = {
  listFeePlanProposals: endpoint({
    method: 'GET',
    path: '/operator/fee-plans/proposals',
    access: operatorRoles,
    summary: 'Proposed fee plans, newest first; those that wait oldest first',
    query: proposalQuery,
    data: page(feePlanProposal),
    refusals: [],
  }),
  proposeFeePlan: endpoint({
    method: 'POST',
    path: '/operator/fee-plans',
    access: ['admin'],
    summary:
      'Propose a fee plan; it is written when a second admin approves it, in force from the next session that opens',
    body: z.strictObject({
      /** The newest plan, as the admin saw it. */
      base_id: id,
      terms: feePlanTerms,
      /** Becomes the note of the plan, which everybody reads. */
      reason: line(200, 'Say why.'),
    }),
    data: feePlanProposal,
    refusals: ['fee_plan_over_100', 'fee_plan_ranks', 'fee_plan_followed'],
    idempotent: true,
  }),
  approveFeePlan: endpoint({
    method: 'POST',
    path: '/operator/fee-plans/proposals/:id/approve',
    access: ['admin'],
    summary: 'Approve a fee plan that a colleague proposed: it is written, and the next session opens under it',
    params: one,
    body: approval,
    data: feePlanProposal,
    refusals: [
      ...decidingRefusals,
      'own_proposal',
      'proposer_not_entitled',
      'second_factor_missing',
      'wrong_second_factor',
      'fee_plan_over_100',
      'fee_plan_ranks',
      'fee_plan_followed',
    ],
  }),
  rejectFeePlan: endpoint({
    method: 'POST',
    path: '/operator/fee-plans/proposals/:id/reject',
    access: ['admin'],
    summary: 'Reject a fee plan that a colleague proposed',
    params: one,
    body: rejection,
    data: feePlanProposal,
    refusals: [...decidingRefusals, 'own_proposal'],
  }),
  withdrawFeePlan: endpoint({
    method: 'POST',
    path: '/operator/fee-plans/proposals/:id/withdraw',
    access: ['admin'],
    summary: 'Take back a fee plan that one proposed oneself',
    params: one,
    body: withdrawal,
    data: feePlanProposal,
    refusals: [...decidingRefusals, 'not_allowed'],
  }),
};
