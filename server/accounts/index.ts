/**
 * Who is who: members, operators, their passwords, sign-ins and one-time passwords (docs/product.md, sections 8 and
 * 10).
 */

export { claimOtpTry, useOtp } from './codes/one-time-password.ts';
export { sendEmailOtp, sendOperationOtp } from './codes/send-operation-otp.ts';
export { openMember } from './impersonation/open-member.ts';
export {
  findOwnLimits,
  type LimitsInForce,
  listLossLimits,
  listPausedMembers,
  lockOwnLimits,
} from './limits/own-limits.ts';
export { ensureCompany } from './members/ensure-company.ts';
export { freezeMember } from './members/freeze-member.ts';
export { getStanding, type Standing } from './members/get-standing.ts';
export { lockReceiver, lockWithdrawer, type Withdrawer } from './members/lock-member.ts';
export {
  type Contact,
  findSponsorName,
  getMember,
  listContacts,
  listFrozenMembers,
  listMemberNames,
  type Member,
  memberCodes,
  memberNames,
} from './members/members.ts';
export { registerMember } from './members/register-member.ts';
export * as memberSearch from './members/search-members-sql.ts';
export { setVerified } from './members/set-verified.ts';
export { inviteFromServer } from './operators/accounts/invite-from-server.ts';
export { executeDueOperatorChanges } from './operators/accounts/operator-change.ts';
export { listOperators } from './operators/accounts/show-operators.ts';
export { confirmOperator } from './operators/confirm-operator.ts';
export { operators } from './operators/operator-authorities.ts';
export { mountOperators } from './operators/operator-routes.ts';
export {
  type ActiveOperator,
  findOperator,
  listActiveOperators,
  listAdmins,
  listOperatorNames,
} from './operators/operators.ts';
export { ensureFirstAdmin, registerOperator } from './operators/register-operator.ts';
export { confirmOperatorTotp, startOperatorTotp } from './operators/set-up-operator-totp.ts';
export { answerResetRequests } from './passwords/reset-password.ts';
export { mountIdentity, type ProfileParts } from './routes.ts';
export { getServerKey } from './server-key.ts';
export { findCaller, type OperatorCaller } from './sign-in/find-caller.ts';
export { forgetExpired } from './sign-in/forget-expired.ts';
export { listFirstSights, listSessionEnds } from './sign-in/list-auth-sessions.ts';
export { signInMember } from './sign-in/sign-in-member.ts';
export { signInOperator } from './sign-in/sign-in-operator.ts';
export { signOut } from './sign-in/sign-out.ts';
