import { z } from 'zod';
import { endpoint, id, line } from '../endpoint.ts';
import { feePlanTerms, newFeePlanTerms } from '../fee-plan.ts';
import { decisionsOf, proposal } from './proposals.ts';

const feePlanProposal = proposal.extend({
  terms: feePlanTerms,
  /** The plan it was based on. Once a newer plan exists, it can no longer be approved. */
  base_id: id,
  /** The resulting plan. */
  plan_id: id.nullable(),
});
export type FeePlanProposal = z.output<typeof feePlanProposal>;

const planRefusals = ['fee_plan_over_100', 'fee_plan_ranks', 'fee_plan_followed'] as const;

const decisions = decisionsOf({
  path: '/operator/fee-plans/proposals',
  access: ['admin'],
  what: 'a fee plan',
  many: 'proposed fee plans',
  effect: 'the next session opens under it',
  data: feePlanProposal,
  refusals: planRefusals,
});

/**
 * A fee plan affects everybody's money: one admin proposes it, another approves it with the second factor
 * (docs/product.md, section 10).
 */
export const consoleFeePlans = {
  listFeePlanProposals: decisions.list,
  proposeFeePlan: endpoint({
    method: 'POST',
    path: '/operator/fee-plans',
    access: ['admin'],
    summary: 'Propose a fee plan; once a second admin approves it, it applies from the next session',
    body: z.strictObject({
      /** The newest plan that the admin saw. */
      base_id: id,
      terms: newFeePlanTerms,
      /** Becomes the plan's note, which is public. */
      reason: line(200, 'Say why.'),
    }),
    data: feePlanProposal,
    refusals: [...planRefusals, 'fee_plan_unchanged'],
    idempotent: true,
  }),
  approveFeePlan: decisions.approve,
  rejectFeePlan: decisions.reject,
  withdrawFeePlan: decisions.withdraw,
};
