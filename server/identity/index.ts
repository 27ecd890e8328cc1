/**
 * Who is who: members, operators, their passwords, sign-ins and one-time passwords (product.md sections 8 and 10).
 */
export { answerResetRequests } from './answer-reset-requests.ts';
export type { SignedInOperator } from './begin-operator-session.ts';
export { confirmOperator } from './confirm-operator.ts';
export { confirmOperatorTotp } from './confirm-operator-totp.ts';
export { listContacts } from './contacts.ts';
export { type Contact, memberNames } from './contacts-sql.ts';
export { ensureCompany } from './ensure-company.ts';
export { ensureFirstAdmin } from './ensure-first-admin.ts';
export { findCaller, type MemberCaller, type OperatorCaller } from './find-caller.ts';
export { findSponsorName } from './find-sponsor-name.ts';
export { forgetExpired } from './forget-expired.ts';
export { freezeMember } from './freeze-member.ts';
export { lockWithdrawer, type Withdrawer } from './lock-withdrawer.ts';
export { getMember, listFrozenMembers, listMemberNames } from './members.ts';
export { claimOtpTry, useOtp } from './one-time-password.ts';
export { findOperator, type Operator } from './operators.ts';
export { findOwnLimits, type LimitsInForce, listLossLimits, listPausedMembers, lockOwnLimits } from './own-limits.ts';
export { type NewMember, registerMember } from './register-member.ts';
export { registerOperator } from './register-operator.ts';
export { mountIdentity } from './routes.ts';
export { sendEmailOtp } from './send-email-otp.ts';
export { type OperationOtp, sendOperationOtp } from './send-operation-otp.ts';
export { setVerified } from './set-verified.ts';
export { signInOperator } from './sign-in-operator.ts';
export { startOperatorTotp } from './start-operator-totp.ts';
export { verifyOperatorOtp } from './verify-operator-otp.ts';
