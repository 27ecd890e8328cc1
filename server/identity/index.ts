/**
 * Who is who: members, operators, their passwords, sign-ins and one-time passwords (product.md sections 8 and 10).
 */
export { answerResetRequests } from './answer-reset-requests.ts';
export { ensureCompany } from './ensure-company.ts';
export { ensureFirstAdmin } from './ensure-first-admin.ts';
export { type Caller, findCaller, type MemberCaller, type OperatorCaller } from './find-caller.ts';
export { findSponsorName } from './find-sponsor-name.ts';
export { forgetExpired } from './forget-expired.ts';
export { freezeMember } from './freeze-member.ts';
export { getMember, listFrozenMembers, listMemberNames, type Member } from './members.ts';
export { type NewMember, registerMember } from './register-member.ts';
export { mountIdentity } from './routes.ts';
export { type SignedInOperator, signInOperator } from './sign-in-operator.ts';
