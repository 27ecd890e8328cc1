import { z } from 'zod';
import { financeRoles, id } from '../endpoint.ts';
import { memberName, operatorCode, secondFactorRefusals, why } from '../fields.ts';
import { decisionsOf, proposal, queryOfMember } from './proposals.ts';

/**
 * What is lifted: the account freeze, the stop of withdrawals (also *This was not me*), lack of verification, or
 * two-factor authentication of a member who lost every factor and all recovery codes.
 */
export const looseningKinds = ['unfreeze', 'lift_withdrawal_stop', 'verify', 'turn_off_two_factor'] as const;
export type LooseningKind = (typeof looseningKinds)[number];

export const loosening = proposal.extend({ what: z.enum(looseningKinds), member: memberName });
export type Loosening = z.output<typeof loosening>;

const decisions = decisionsOf({
  path: '/operator/loosenings',
  access: financeRoles,
  what: 'lifting a member’s restriction',
  many: 'proposals to lift restrictions of members',
  query: queryOfMember,
  effect: 'it is lifted, two-factor authentication seven days later, and the member is notified',
  data: loosening,
  refusals: [],
});

/**
 * Lifting a member's restriction takes two operators (docs/product.md, section 10). Imposing it takes one, and ends any
 * pending proposal to lift it. Two-factor authentication is turned off seven days after the approval, unless the member
 * uses it, also a recovery code, or reports it before.
 */
export const consoleLoosenings = {
  listLoosenings: decisions.list,
  proposeLoosening: decisions.propose({
    summary:
      'Propose to unfreeze a member, resume their withdrawals, verify them or turn off their two-factor authentication; a second operator approves. The only one who may, outside live mode, waits 24 hours instead',
    body: z.strictObject({
      member_id: id,
      what: z.enum(looseningKinds, 'Choose what to lift.'),
      reason: why,
      otp: operatorCode,
    }),
    refusals: [
      'not_found',
      'account_closed',
      'nothing_to_lift',
      'proposal_waiting',
      'own_proposal',
      ...secondFactorRefusals,
    ],
  }),
  approveLoosening: decisions.approve,
  rejectLoosening: decisions.reject,
  withdrawLoosening: decisions.withdraw,
};
