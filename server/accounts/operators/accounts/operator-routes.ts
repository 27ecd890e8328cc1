import { operatorAccounts } from '#contract/accounts/operators.ts';
import type { OperatorCode } from '#contract/fields.ts';
import type { OperatorCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { mount, withMessage } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { endAuthSession, endOtherSessions, listAuthSessions, signOut } from '../../sign-in/auth-sessions.ts';
import { showSignedIn } from '../../sign-in/begin-session.ts';
import { confirmAdmin, getLegalConfirmation } from '../legal/legal-confirmation.ts';
import { changeOperatorRole, disableOperator } from './change-operator.ts';
import type { AdminActor } from './decide.ts';
import { acceptInvitation, getInvitation, resendInvitation } from './invitations.ts';
import { approveOperatorChange, inviteOperator, resetOperator, withdrawOperatorChange } from './operator-change.ts';
import { changeOperatorPassword, getOperatorMe } from './own-account.ts';
import { getOperator, listOperatorProposals, listOperators, showOperatorChange } from './show-operators.ts';

/** Operators' own accounts, and admins' decisions about other operators. */
export function mountOperatorAccounts(http: Http, context: Context): void {
  mount(http, operatorAccounts, {
    getOperatorMe: ({ caller }) => getOperatorMe(context, caller),
    signOutOperator: ({ caller, address }) => signOut(context, caller, address),
    listOperatorSessions: ({ caller }) => listAuthSessions(context, caller),
    endOperatorSession: async ({ caller, params, address }) => {
      await endAuthSession(context, caller, params.id, address);
      return withMessage('The device was signed out.', null);
    },
    endOtherOperatorSessions: async ({ caller, address }) => {
      const ended = await endOtherSessions(context, caller, address);
      return withMessage('All other devices were signed out.', { ended });
    },
    changeOperatorPassword: async ({ caller, body, address }) => {
      const { current_password: currentPassword, password, otp } = body;
      await changeOperatorPassword(context, caller, { currentPassword, password, otp, address });
      return withMessage('Your password was changed. All other devices were signed out.', null);
    },
    showInvitation: async ({ body }) => {
      const { name, email, role, expiresAt } = await getInvitation(context, body.token);
      return { name, email, role, expires_at: expiresAt.toISOString() };
    },
    acceptInvitation: async ({ body, address, userAgent }) =>
      showSignedIn(await acceptInvitation(context, { ...body, address, userAgent })),
    showLegalConfirmation: async ({ body }) => {
      const { name, email, passkeys, expiresAt } = await getLegalConfirmation(context, body.token);
      return { name, email, passkeys: [...passkeys], expires_at: expiresAt.toISOString() };
    },
    confirmAdmin: ({ body, address }) => confirmAdmin(context, { token: body.token, address }),
    listOperators: ({ caller }) => listOperators(context, caller.operatorId),
    inviteOperator: async ({ caller, body, address }) => {
      const { otp, ...invited } = body;
      const proposal = await inviteOperator(context, actor(caller, otp, address), invited);
      return showOperatorChange(context, caller.operatorId, proposal);
    },
    resendInvitation: async ({ caller, params, body, address }) => {
      await resendInvitation(context, actor(caller, body.otp, address), params.id);
      return getOperator(context, caller.operatorId, params.id);
    },
    changeOperatorRole: async ({ caller, params, body, address }) => {
      const change = { operatorId: params.id, role: body.role, why: body.why };
      const proposal = await changeOperatorRole(context, actor(caller, body.otp, address), change);
      return {
        operator: await getOperator(context, caller.operatorId, change.operatorId),
        proposal: proposal && (await showOperatorChange(context, caller.operatorId, proposal)),
      };
    },
    resetOperator: async ({ caller, params, body, address }) => {
      const reset = { operatorId: params.id, why: body.why };
      const proposal = await resetOperator(context, actor(caller, body.otp, address), reset);
      return showOperatorChange(context, caller.operatorId, proposal);
    },
    disableOperator: async ({ caller, params, body, address }) => {
      const disabled = { operatorId: params.id, why: body.why };
      await disableOperator(context, actor(caller, body.otp, address), disabled);
      return getOperator(context, caller.operatorId, disabled.operatorId);
    },
    listOperatorProposals: ({ caller, query }) => {
      const { cursor, limit, open } = query;
      return listOperatorProposals(context, caller.operatorId, { cursor, limit, isOpen: open === 'true' });
    },
    approveOperatorProposal: async ({ caller, params, body, address }) => {
      const proposal = await approveOperatorChange(context, actor(caller, body.otp, address), params.id);
      return showOperatorChange(context, caller.operatorId, proposal);
    },
    withdrawOperatorProposal: async ({ caller, params, body, address }) => {
      const proposal = await withdrawOperatorChange(context, actor(caller, body.otp, address), params.id);
      return showOperatorChange(context, caller.operatorId, proposal);
    },
  });
}

const actor = ({ operatorId }: OperatorCaller, otp: OperatorCode, address: string): AdminActor => ({
  operatorId,
  otp,
  address,
});
