/**
 * Who is who: members, operators, their passwords, sign-ins and one-time passwords (product.md sections 8 and 10).
 */
export { type ActiveOperator, listActiveOperators } from './active-operators-sql.ts';
export { listAdmins } from './admins-sql.ts';
export { answerResetRequests } from './answer-reset-requests.ts';
export type { SignedInOperator } from './begin-operator-session.ts';
export type { ClosingStep } from './close-account.ts';
export { confirmOperator } from './confirm-operator.ts';
export { confirmOperatorTotp } from './confirm-operator-totp.ts';
export { listContacts } from './contacts.ts';
export { type Contact, memberCodes, memberNames } from './contacts-sql.ts';
export { ensureCompany } from './ensure-company.ts';
export { ensureFirstAdmin } from './ensure-first-admin.ts';
export { exportAccount } from './export-sql.ts';
export { findCaller, type MemberCaller, type OperatorCaller } from './find-caller.ts';
export { findSponsorName } from './find-sponsor-name.ts';
export { forgetExpired } from './forget-expired.ts';
export { freezeMember } from './freeze-member.ts';
export { getStanding, type Standing } from './get-standing.ts';
export { listFirstSights } from './list-first-sights.ts';
export { listSessionEnds } from './list-session-ends.ts';
export { lockReceiver } from './lock-receiver.ts';
export { lockWithdrawer, type Withdrawer } from './lock-withdrawer.ts';
export { getMember, listFrozenMembers, listMemberNames, type Member } from './members.ts';
export { claimOtpTry, useOtp } from './one-time-password.ts';
export { type OpenedMember, openMember } from './open-member.ts';
export * from './operator-accounts/index.ts';
export {
  doesCount,
  listAuthorities,
  lockAuthorities,
  lockDecider,
  type OperatorAuthorities,
} from './operator-authorities.ts';
export { findOperator, listOperatorNames, type Operator } from './operators.ts';
export { findOwnLimits, type LimitsInForce, listLossLimits, listPausedMembers, lockOwnLimits } from './own-limits.ts';
export { type NewMember, registerMember } from './register-member.ts';
export { registerOperator } from './register-operator.ts';
export { mountIdentity, type ProfileParts } from './routes.ts';
export {
  type ListedMember,
  listIdsByCode,
  listIdsByEmail,
  listIdsById,
  listIdsByLastDigits,
  listIdsByMobile,
  listMemberRows,
} from './search-members-sql.ts';
export { sendEmailOtp } from './send-email-otp.ts';
export { type OperationOtp, sendOperationOtp } from './send-operation-otp.ts';
export { getServerKey } from './server-key.ts';
export { tightenLimits } from './set-own-limits.ts';
export { setVerified } from './set-verified.ts';
export { showLimits } from './show-limits.ts';
export { signInMember } from './sign-in-member.ts';
export { signInOperator } from './sign-in-operator.ts';
export { signOut } from './sign-out.ts';
export { startOperatorTotp } from './start-operator-totp.ts';
export { unfreezeMember } from './unfreeze-member.ts';
export { verifyOperatorOtp } from './verify-operator-otp.ts';
