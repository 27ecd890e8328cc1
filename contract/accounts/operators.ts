import { z } from 'zod';
import { endpoint, id, instant, line, operatorRoles, page, paging } from '../endpoint.ts';
import { actor, one, operatorCode, operatorEmail, personName, secondFactorRefusals, why } from '../fields.ts';
import { missingFactor, operatorAccount, operatorSignedIn, secondFactorSet } from './operator-sign-in.ts';
import { authSession } from './profile.ts';
import { existingPassword, newPassword } from './sign-in.ts';

const role = z.enum(operatorRoles);

/**
 * `invited`: has an emailed link and no password; `setting_up`: has a password and no second factor; `active`;
 * `disabled`: cannot sign in.
 */
export const operatorStates = ['invited', 'setting_up', 'active', 'disabled'] as const;

export const listedOperator = operatorAccount.extend({
  state: z.enum(operatorStates),
  created_at: instant,
  disabled_at: instant.nullable(),
  /** Of a pending invitation; may be in the past. */
  invitation_expires_at: instant.nullable(),
  /** Active sign-ins, and their last use, to the minute. */
  sign_ins: z.number().int(),
  last_used_at: instant.nullable(),
  /** Whether this is the caller. */
  self: z.boolean(),
});
export type ListedOperator = z.output<typeof listedOperator>;

/**
 * `invite`: a new or re-enabled account; `raise`: a higher role; `reset`: password and second factor are removed and a
 * new invitation is emailed.
 */
export const proposalKinds = ['invite', 'raise', 'reset'] as const;
/** `waiting` for a second admin; `approved`: executed at `due_at`; `done`; `withdrawn`. */
export const proposalStates = ['waiting', 'approved', 'done', 'withdrawn'] as const;

export const operatorProposal = z.strictObject({
  id,
  kind: z.enum(proposalKinds),
  state: z.enum(proposalStates),
  /** The operator concerned; null while the account does not exist yet. */
  operator_id: id.nullable(),
  name: z.string(),
  email: z.string(),
  /** The role it grants; for a reset, the operator's current role. */
  role,
  why: z.string(),
  /** Null: proposed from the server's command line. */
  proposed_by: actor.nullable(),
  proposed_at: instant,
  /** Whether it needs a second admin: once there have been two admins. */
  needs_approval: z.boolean(),
  approved_by: actor.nullable(),
  approved_at: instant.nullable(),
  /** When it is executed automatically; null while it awaits approval. */
  due_at: instant.nullable(),
  /** Who withdrew it; null if it was executed or is still pending. */
  withdrawn_by: actor.nullable(),
  ended_at: instant.nullable(),
  /** Whether the caller may approve it: an admin who neither proposed it nor is its subject. */
  may_approve: z.boolean(),
});
export type OperatorProposal = z.output<typeof operatorProposal>;

/**
 * Accounts of the people who run the product (docs/product.md, section 10). Every decision requires a fresh code and
 * is audited.
 */
export const operatorAccounts = {
  getOperatorMe: endpoint({
    method: 'GET',
    path: '/operator/me',
    access: operatorRoles,
    beforeSecondFactor: true,
    summary: 'Get the signed-in operator and the session expiry',
    data: z.strictObject({
      operator: operatorAccount,
      second_factor: secondFactorSet,
      missing: missingFactor,
      /** Whether an authenticator app is set up, for calls that require a fresh code. */
      app: z.boolean(),
      passkeys: z.number().int(),
      session: z.strictObject({ id, created_at: instant, expires_at: instant }),
    }),
  }),
  signOutOperator: endpoint({
    method: 'POST',
    path: '/operator/logout',
    access: operatorRoles,
    beforeSecondFactor: true,
    summary: 'Sign out',
  }),
  listOperatorSessions: endpoint({
    method: 'GET',
    path: '/operator/me/sessions',
    access: operatorRoles,
    summary: 'List your sessions, last used first',
    data: z.array(authSession),
  }),
  endOperatorSession: endpoint({
    method: 'DELETE',
    path: '/operator/me/sessions/:id',
    access: operatorRoles,
    summary: 'Sign out one of your sessions',
    params: one,
    refusals: ['not_found'],
  }),
  endOtherOperatorSessions: endpoint({
    method: 'DELETE',
    path: '/operator/me/sessions',
    access: operatorRoles,
    summary: 'Sign out all your other sessions',
    data: z.strictObject({ ended: z.number().int() }),
  }),
  changeOperatorPassword: endpoint({
    method: 'PUT',
    path: '/operator/password',
    access: operatorRoles,
    summary: 'Change your password; signs out all other sessions',
    body: z.strictObject({ current_password: existingPassword, password: newPassword, otp: operatorCode }),
    refusals: ['wrong_password', 'weak_password', ...secondFactorRefusals],
  }),
  showInvitation: endpoint({
    method: 'POST',
    path: '/operator/invitation',
    access: 'public',
    summary: 'Show the invitation of an emailed token without using it',
    body: z.strictObject({ token: line(200) }),
    data: z.strictObject({ name: z.string(), email: z.string(), role, expires_at: instant }),
    refusals: ['invitation_over'],
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/operator/invitation/accept',
    access: 'public',
    summary: 'Accept an invitation: set a password with the emailed token; two-factor setup follows',
    body: z.strictObject({ token: line(200), password: newPassword }),
    data: operatorSignedIn,
    refusals: ['invitation_over', 'weak_password'],
  }),
  showLegalConfirmation: endpoint({
    method: 'POST',
    path: '/operator/legal-confirmation',
    access: 'public',
    summary: 'Show the admin of an emailed legal confirmation without confirming',
    body: z.strictObject({ token: line(200) }),
    data: z.strictObject({
      name: z.string(),
      email: z.string(),
      /** Names of their passkeys. */
      passkeys: z.array(z.string()),
      expires_at: instant,
    }),
    refusals: ['confirmation_over'],
  }),
  confirmAdmin: endpoint({
    method: 'POST',
    path: '/operator/legal-confirmation/confirm',
    access: 'public',
    summary: 'Confirm an admin as the legal contact with the emailed token; live payouts need two',
    body: z.strictObject({ token: line(200) }),
    refusals: ['confirmation_over'],
  }),
  listOperators: endpoint({
    method: 'GET',
    path: '/operator/operators',
    access: ['admin'],
    summary: 'List operators, active ones first, then by name',
    data: z.array(listedOperator),
  }),
  inviteOperator: endpoint({
    method: 'POST',
    path: '/operator/operators',
    access: ['admin'],
    summary:
      'Invite an operator; once there have been two admins, finance and admin roles need a second admin and take effect after 24 hours',
    body: z.strictObject({ name: personName, email: operatorEmail, role, why, otp: operatorCode }),
    data: operatorProposal,
    refusals: ['operator_exists', 'proposal_waiting', ...secondFactorRefusals],
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: '/operator/operators/:id/invitation',
    access: ['admin'],
    summary: 'Resend an invitation that was not accepted; the previous link expires',
    params: one,
    body: z.strictObject({ otp: operatorCode }),
    data: listedOperator,
    refusals: [
      'operator_not_found',
      'operator_disabled',
      'operator_not_invited',
      'own_operator_account',
      ...secondFactorRefusals,
    ],
  }),
  changeOperatorRole: endpoint({
    method: 'PUT',
    path: '/operator/operators/:id/role',
    access: ['admin'],
    summary:
      'Change an operator’s role: a lower one immediately, a higher one by the approval rules of invitations; ends sessions',
    params: one,
    body: z.strictObject({ role, why, otp: operatorCode }),
    data: z.strictObject({ operator: listedOperator, proposal: operatorProposal.nullable() }),
    refusals: [
      'operator_not_found',
      'operator_disabled',
      'own_operator_account',
      'role_held',
      'proposal_waiting',
      ...secondFactorRefusals,
    ],
  }),
  resetOperator: endpoint({
    method: 'POST',
    path: '/operator/operators/:id/reset',
    access: ['admin'],
    summary:
      'Reset a colleague’s password, authenticator app and passkeys and email a new invitation; once there have been two admins, it needs a second one',
    params: one,
    body: z.strictObject({ why, otp: operatorCode }),
    data: operatorProposal,
    refusals: [
      'operator_not_found',
      'operator_disabled',
      'own_operator_account',
      'proposal_waiting',
      ...secondFactorRefusals,
    ],
  }),
  disableOperator: endpoint({
    method: 'POST',
    path: '/operator/operators/:id/disable',
    access: ['admin'],
    summary: 'Disable an operator and end all sessions; a new invitation restores the account',
    params: one,
    body: z.strictObject({ why, otp: operatorCode }),
    data: listedOperator,
    refusals: ['operator_not_found', 'operator_disabled', 'own_operator_account', ...secondFactorRefusals],
  }),
  listOperatorProposals: endpoint({
    method: 'GET',
    path: '/operator/proposals',
    access: ['admin'],
    summary: 'List proposals about operators, newest first; all or only open ones',
    query: z.strictObject({ ...paging, open: z.enum(['true', 'false']).optional() }),
    data: page(operatorProposal),
  }),
  approveOperatorProposal: endpoint({
    method: 'POST',
    path: '/operator/proposals/:id/approve',
    access: ['admin'],
    summary: 'Approve another admin’s proposal; it is executed immediately or after 24 hours',
    params: one,
    body: z.strictObject({ otp: operatorCode }),
    data: operatorProposal,
    refusals: ['proposal_not_found', 'proposal_not_waiting', 'own_proposal', ...secondFactorRefusals],
  }),
  withdrawOperatorProposal: endpoint({
    method: 'POST',
    path: '/operator/proposals/:id/withdraw',
    access: ['admin'],
    summary: 'Withdraw a proposal that was not executed, approved or not; any admin',
    params: one,
    body: z.strictObject({ otp: operatorCode }),
    data: operatorProposal,
    refusals: ['proposal_not_found', 'proposal_ended', ...secondFactorRefusals],
  }),
};
