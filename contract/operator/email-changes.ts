import { z } from 'zod';
import { endpoint, financeRoles, id, instant, operatorRoles } from '../endpoint.ts';
import { memberName, one, operatorCode, secondFactorRefusals, why } from '../fields.ts';
import { decisionsOf, proposal, queryOfMember } from './proposals.ts';

/** The request of a member without access to the old mailbox; withdrawals are stopped while it is open. */
const emailRequest = z.strictObject({
  member: memberName,
  email: z.string(),
  requested_at: instant,
  /** An operator has proposed to execute it. */
  proposed: z.boolean(),
});
export type OpenEmailRequest = z.output<typeof emailRequest>;

/** `email` is the requested address; null once the account is closed. */
const emailChange = proposal.extend({ member: memberName, email: z.string().nullable() });
export type EmailChange = z.output<typeof emailChange>;

const decisions = decisionsOf({
  path: '/operator/email-changes',
  access: financeRoles,
  what: 'changing a member’s email address',
  many: 'proposals to change email addresses of members',
  query: queryOfMember,
  effect: 'it is changed after 7 days unless it is withdrawn before',
  data: emailChange,
  refusals: [],
});

/** Email changes for members who lost the old mailbox: two operators and seven days (docs/product.md, section 8). */
export const consoleEmailChanges = {
  listEmailRequests: endpoint({
    method: 'GET',
    path: '/operator/email-requests',
    access: operatorRoles,
    summary: 'List open requests of members who lost their mailbox, oldest first; at most 200',
    data: z.array(emailRequest),
  }),
  endEmailRequest: endpoint({
    method: 'POST',
    path: '/operator/members/:id/email-request/end',
    access: financeRoles,
    summary: 'End a member’s request for another email address, and what was proposed about it; the member is notified',
    params: one,
    body: z.strictObject({ why }),
    refusals: ['not_found'],
  }),
  listEmailChanges: decisions.list,
  proposeEmailChange: decisions.propose({
    summary:
      'Propose the email change that a member requested, after checking their identity; a second operator approves',
    body: z.strictObject({ member_id: id, reason: why, otp: operatorCode }),
    refusals: ['not_found', 'proposal_waiting', 'own_proposal', ...secondFactorRefusals],
  }),
  approveEmailChange: decisions.approve,
  rejectEmailChange: decisions.reject,
  withdrawEmailChange: decisions.withdraw,
};
