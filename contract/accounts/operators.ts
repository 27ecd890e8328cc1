import { z } from 'zod';
import { endpoint, id, instant, line, nothing, operatorRoles, page, paging } from '../endpoint.ts';
import { otpCode } from '../funds/withdrawals.ts';
import { operatorAccount, operatorSignedIn } from './operator-sign-in.ts';
import { emailAddress, personName } from './person.ts';
import { authSession } from './profile.ts';
import { existingPassword, newPassword } from './sign-in.ts';

const role = z.enum(operatorRoles);
/** A sentence for the audit log and for the mail to the other operators. */
const why = line(300, 'Say why.');
const one = z.strictObject({ id });

/**
 * `invited`: has a mailed link and no password; `setting_up`: has a password and no second factor; `active`; `disabled`:
 * cannot sign in.
 */
export const operatorStates = ['invited', 'setting_up', 'active', 'disabled'] as const;

export const listedOperator = operatorAccount.extend({
  state: z.enum(operatorStates),
  created_at: instant,
  disabled_at: instant.nullable(),
  /** Of an invitation that was not accepted; may be over already. */
  invitation_expires_at: instant.nullable(),
  /** Sign-ins that are not over, and their last use, exact to a minute. */
  sign_ins: z.number().int(),
  last_used_at: instant.nullable(),
  /** The one who asks. */
  self: z.boolean(),
});
export type ListedOperator = z.output<typeof listedOperator>;

/**
 * `invite`: a new account, or one that comes back; `raise`: a higher role; `reset`: password and second factor are taken
 * away and a new invitation is mailed.
 */
export const proposalKinds = ['invite', 'raise', 'reset'] as const;
/** `waiting` for a second admin; `approved`: carried out at `due_at`; `done`; `withdrawn`. */
export const proposalStates = ['waiting', 'approved', 'done', 'withdrawn'] as const;

const decider = z.strictObject({ id, name: z.string() });

export const operatorProposal = z.strictObject({
  id,
  kind: z.enum(proposalKinds),
  state: z.enum(proposalStates),
  /** Whom it is about; null of an account that is still to be made. */
  operator_id: id.nullable(),
  name: z.string(),
  email: z.string(),
  /** The role it gives; of a reset the one the operator has. */
  role,
  why: z.string(),
  proposed_by: decider,
  proposed_at: instant,
  /** Whether it takes a second admin: once two admins were there. */
  needs_approval: z.boolean(),
  approved_by: decider.nullable(),
  approved_at: instant.nullable(),
  /** When it is carried out, by itself; null while it waits for approval. */
  due_at: instant.nullable(),
  /** Who withdrew it; null when it was carried out or has not ended. */
  withdrawn_by: decider.nullable(),
  ended_at: instant.nullable(),
  /** Whether the one who asks may approve it: an admin who neither proposed it nor is the one it is about. */
  may_approve: z.boolean(),
});
export type OperatorProposal = z.output<typeof operatorProposal>;

const confirmed = ['second_factor_missing', 'wrong_second_factor'] as const;

/**
 * Accounts of the people who run the product (docs/product.md, section 10). Every decision takes a fresh code and is
 * audited.
 */
export const operatorAccounts = {
  getOperatorMe: endpoint({
    method: 'GET',
    path: '/operator/me',
    access: operatorRoles,
    beforeSecondFactor: true,
    summary: 'The signed-in operator, and until when the sign-in lasts',
    data: z.strictObject({
      operator: operatorAccount,
      second_factor: z.boolean(),
      session: z.strictObject({ id, created_at: instant, expires_at: instant }),
    }),
    refusals: [],
  }),
  signOutOperator: endpoint({
    method: 'POST',
    path: '/operator/logout',
    access: operatorRoles,
    beforeSecondFactor: true,
    summary: 'End this sign-in',
    data: nothing,
    refusals: [],
  }),
  listOperatorSessions: endpoint({
    method: 'GET',
    path: '/operator/me/sessions',
    access: operatorRoles,
    summary: 'Own sign-ins, last used first',
    data: z.array(authSession),
    refusals: [],
  }),
  endOperatorSession: endpoint({
    method: 'DELETE',
    path: '/operator/me/sessions/:id',
    access: operatorRoles,
    summary: 'End one of the own sign-ins',
    params: one,
    data: nothing,
    refusals: ['not_found'],
  }),
  endOtherOperatorSessions: endpoint({
    method: 'DELETE',
    path: '/operator/me/sessions',
    access: operatorRoles,
    summary: 'End all own sign-ins but this one',
    data: z.strictObject({ ended: z.number().int() }),
    refusals: [],
  }),
  changeOperatorPassword: endpoint({
    method: 'PUT',
    path: '/operator/password',
    access: operatorRoles,
    summary: 'Change the own password; all other sign-ins end',
    body: z.strictObject({ current_password: existingPassword, password: newPassword, otp: otpCode }),
    data: nothing,
    refusals: ['wrong_password', 'weak_password', ...confirmed],
  }),
  showInvitation: endpoint({
    method: 'POST',
    path: '/operator/invitation',
    access: 'public',
    summary: 'Whom the token of a mailed link invites; it stays usable',
    body: z.strictObject({ token: line(200) }),
    data: z.strictObject({ name: z.string(), email: z.string(), role, expires_at: instant }),
    refusals: ['invitation_over'],
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/operator/invitation/accept',
    access: 'public',
    summary: 'Set the password with the token of a mailed link, once; the second factor must be set up next',
    body: z.strictObject({ token: line(200), password: newPassword }),
    data: operatorSignedIn,
    refusals: ['invitation_over', 'weak_password'],
  }),
  listOperators: endpoint({
    method: 'GET',
    path: '/operator/operators',
    access: ['admin'],
    summary: 'All operators, those who can sign in first, then by name',
    data: z.array(listedOperator),
    refusals: [],
  }),
  inviteOperator: endpoint({
    method: 'POST',
    path: '/operator/operators',
    access: ['admin'],
    summary: 'Invite an operator; once two admins were there, finance and admin take a second one and wait 24 hours',
    body: z.strictObject({ name: personName, email: emailAddress, role, why, otp: otpCode }),
    data: operatorProposal,
    refusals: ['operator_exists', 'proposal_waiting', ...confirmed],
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: '/operator/operators/:id/invitation',
    access: ['admin'],
    summary: 'Mail a new link to somebody who has not accepted yet; the old one is over',
    params: one,
    body: z.strictObject({ otp: otpCode }),
    data: listedOperator,
    refusals: ['operator_not_found', 'operator_disabled', 'operator_not_invited', ...confirmed],
  }),
  changeOperatorRole: endpoint({
    method: 'PUT',
    path: '/operator/operators/:id/role',
    access: ['admin'],
    summary: 'Give another role: a lower one at once, a higher one by the rule of new accounts; sign-ins end',
    params: one,
    body: z.strictObject({ role, why, otp: otpCode }),
    data: z.strictObject({ operator: listedOperator, proposal: operatorProposal.nullable() }),
    refusals: [
      'operator_not_found',
      'operator_disabled',
      'own_operator_account',
      'role_held',
      'proposal_waiting',
      ...confirmed,
    ],
  }),
  resetOperator: endpoint({
    method: 'POST',
    path: '/operator/operators/:id/reset',
    access: ['admin'],
    summary: 'For a colleague without their app or password: takes both away and mails a new invitation; by two admins',
    params: one,
    body: z.strictObject({ why, otp: otpCode }),
    data: operatorProposal,
    refusals: ['operator_not_found', 'operator_disabled', 'own_operator_account', 'proposal_waiting', ...confirmed],
  }),
  disableOperator: endpoint({
    method: 'POST',
    path: '/operator/operators/:id/disable',
    access: ['admin'],
    summary: 'End all sign-ins of a colleague at once and for good; an invitation brings the account back',
    params: one,
    body: z.strictObject({ why, otp: otpCode }),
    data: listedOperator,
    refusals: ['operator_not_found', 'operator_disabled', 'own_operator_account', ...confirmed],
  }),
  listOperatorProposals: endpoint({
    method: 'GET',
    path: '/operator/proposals',
    access: ['admin'],
    summary: 'Proposals about operators, newest first; those that have not ended, or all',
    query: z.strictObject({ ...paging, open: z.enum(['true', 'false']).optional() }),
    data: page(operatorProposal),
    refusals: [],
  }),
  approveOperatorProposal: endpoint({
    method: 'POST',
    path: '/operator/proposals/:id/approve',
    access: ['admin'],
    summary: 'Approve what another admin proposed; it is carried out at once or after 24 hours',
    params: one,
    body: z.strictObject({ otp: otpCode }),
    data: operatorProposal,
    refusals: ['proposal_not_found', 'proposal_not_waiting', 'own_proposal', ...confirmed],
  }),
  withdrawOperatorProposal: endpoint({
    method: 'POST',
    path: '/operator/proposals/:id/withdraw',
    access: ['admin'],
    summary: 'Take back a proposal, approved or not, that was not carried out; any admin may',
    params: one,
    body: z.strictObject({ otp: otpCode }),
    data: operatorProposal,
    refusals: ['proposal_not_found', 'proposal_ended', ...confirmed],
  }),
};
