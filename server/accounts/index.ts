/**
 * Accounts of members and operators: passwords, sign-ins and one-time passwords (docs/product.md, sections 8 and 10).
 */

export { claimOtpTry, consumeOtp, issueOtp, otpKeyUse } from './codes/one-time-password.ts';
export { sendEmailOtp, sendOperationOtp } from './codes/send-operation-otp.ts';
export { countEmailRequests, executeDueEmailChanges } from './email-change/email-change.ts';
export { mountEmailChanges } from './email-change/operator-routes.ts';
export { endEmailRequest, listEmailRequests } from './email-change/request-email-change.ts';
export { openMember } from './impersonation/open-member.ts';
export {
  findOwnLimits,
  type LimitsInForce,
  lockOwnLimits,
} from './limits/own-limits.ts';
export { listFrozenMembers, listLossLimits, listPausedMembers } from './limits/trading-restrictions.ts';
export { endLoosenings, type LooseningPayload, looseningFrame } from './members/end-loosenings.ts';
export { ensureCompany } from './members/ensure-company.ts';
export { freezeMember, unfreezeMember } from './members/freeze-member.ts';
export {
  type Contact,
  findSponsorName,
  getMember,
  hasEmailRequest,
  listContacts,
  listMemberNames,
  lockAnyMember,
  lockOpenMember,
  lockOwnAccount,
  lockReceiver,
  lockWithdrawer,
  type Member,
  memberCodes,
  memberNames,
  nameMember,
  type Withdrawer,
} from './members/members.ts';
export { registerMember } from './members/register-member.ts';
export * as memberSearch from './members/search-members-sql.ts';
export { removeVerification, setVerified } from './members/set-verified.ts';
export { inviteFromServer } from './operators/accounts/invite-from-server.ts';
export { executeDueOperatorChanges } from './operators/accounts/operator-change.ts';
export { listOperators } from './operators/accounts/show-operators.ts';
export {
  askLegalContact,
  findPayoutNeeds,
  lockPayoutNeeds,
} from './operators/legal/legal-confirmation.ts';
export { mountOperators } from './operators/operator-routes.ts';
export {
  type ActiveOperator,
  confirmOperator,
  findOperator,
  isOwnMember,
  listActiveOperators,
  listAdmins,
  listMailedOperators,
  listOperatorNames,
  nameActors,
  operators,
} from './operators/operators.ts';
export { ensureFirstAdmin, registerOperator } from './operators/register-operator.ts';
export { confirmOperatorTotp, startOperatorTotp } from './operators/set-up-operator-totp.ts';
export { answerResetRequests } from './passwords/reset-password.ts';
export { mountIdentity, type ProfileParts } from './routes.ts';
export {
  getServerKey,
  type KeyUse,
  type KeyVersion,
  listKeyVersions,
  listServerKeys,
  retireServerKeys,
  rotateServerKeys,
  type ServerKeys,
} from './server-keys.ts';
export { listFirstSeen, listSessionEnds, purgeExpired, showSignIn, signOut } from './sign-in/auth-sessions.ts';
export { findCaller } from './sign-in/find-caller.ts';
export { getProtection, type Protection } from './sign-in/get-security.ts';
export { findStopLink, notifySecurity, type SecurityNotice } from './sign-in/notify-security.ts';
export { signInMember } from './sign-in/sign-in-member.ts';
export { signInOperator } from './sign-in/sign-in-operator.ts';
export { sendFirstFactorOtp } from './two-factor/add-factor.ts';
export { keepTwoFactor, notifyTwoFactorKept } from './two-factor/keep-two-factor.ts';
export { consumeSecondFactor, hasSecondFactor, precheckSecondFactor, totpOf } from './two-factor/second-factor.ts';
export { confirmTotp, startTotp } from './two-factor/set-up-totp.ts';
export { notifyTwoFactorEnding, turnOffTwoFactor } from './two-factor/turn-off-two-factor.ts';
