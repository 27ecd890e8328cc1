/**
 * Who is who: members, operators, their passwords, sign-ins and one-time passwords (product.md sections 8 and 10).
 */
export { answerResetRequests } from './answer-reset-requests.ts';
export { listContacts } from './contacts.ts';
export { type Contact, memberNames } from './contacts-sql.ts';
export { ensureCompany } from './ensure-company.ts';
export { ensureFirstAdmin } from './ensure-first-admin.ts';
export { findCaller, type MemberCaller } from './find-caller.ts';
export { findSponsorName } from './find-sponsor-name.ts';
export { forgetExpired } from './forget-expired.ts';
export { freezeMember } from './freeze-member.ts';
export { getMember, listFrozenMembers, listMemberNames } from './members.ts';
export { findOwnLimits, type LimitsInForce, listLossLimits, listPausedMembers, lockOwnLimits } from './own-limits.ts';
export { type NewMember, registerMember } from './register-member.ts';
export { mountIdentity } from './routes.ts';
export { signInOperator } from './sign-in-operator.ts';
