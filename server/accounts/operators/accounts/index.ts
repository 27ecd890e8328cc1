/** Accounts of the people who run the product: who comes, who goes, and by whose word (docs/product.md, section 10). */
export { acceptInvitation } from './accept-invitation.ts';
export { changeOperatorPassword } from './change-own-password.ts';
export { changeOperatorRole } from './change-role.ts';
export { disableOperator } from './disable-operator.ts';
export { inviteFromServer } from './invite-from-server.ts';
export { inviteOperator } from './invite-operator.ts';
export { approveOperatorChange, executeDueOperatorChanges, withdrawOperatorChange } from './operator-change.ts';
export { mountOperatorAccounts } from './operator-routes.ts';
export {
  endOperatorSession,
  endOtherOperatorSessions,
  getOperatorMe,
  listOperatorSessions,
  signOutOperator,
} from './own-sessions.ts';
export { resendInvitation } from './resend-invitation.ts';
export { resetOperator } from './reset-operator.ts';
export { getOperator, listOperatorProposals, listOperators, showOperatorChange } from './show-operators.ts';
export { showSignedIn } from './show-signed-in.ts';
