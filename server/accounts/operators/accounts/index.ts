/** Accounts of the people who run the product: who comes, who goes, and by whose word (docs/product.md, section 10). */
export { acceptInvitation, getInvitation } from './accept-invitation.ts';
export { approveProposal } from './approve-proposal.ts';
export { carryOutDueProposals } from './carry-out-due.ts';
export { changeOperatorPassword } from './change-own-password.ts';
export { changeOperatorRole } from './change-role.ts';
export type { Decider } from './decide.ts';
export { disableOperator } from './disable-operator.ts';
export { inviteFromServer } from './invite-from-server.ts';
export { inviteOperator } from './invite-operator.ts';
export {
  endOperatorSession,
  endOtherOperatorSessions,
  getOperatorMe,
  listOperatorSessions,
  signOutOperator,
} from './own-sessions.ts';
export { resendInvitation } from './resend-invitation.ts';
export { resetOperator } from './reset-operator.ts';
export { getOperator, listOperatorProposals, listOperators, showProposal } from './show-operators.ts';
export { withdrawProposal } from './withdraw-proposal.ts';
