import type { passkeySignIn } from '#contract/accounts/passkey-calls.ts';
import type { User } from '#contract/accounts/sign-in.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { MemberCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { limitsAt, type OwnLimits } from '../core/own-limits.ts';
import { findImpersonation, type ImpersonationRow } from '../impersonation/impersonation-sql.ts';
import { findStoredLimits } from '../limits/own-limits.ts';
import type { SignedInMember } from '../sign-in/begin-session.ts';
import { findSecondFactors, isAnyOn } from '../two-factor/second-factor.ts';
import { getMember, listMemberNames, type Member } from './members.ts';

export type Profile = {
  readonly member: Member;
  readonly sponsorName: string | null;
  readonly hasSecondFactor: boolean;
  readonly limits: OwnLimits;
  /** The impersonation that this session belongs to; null for the member's own sign-in. */
  readonly openedBy: ImpersonationRow | null;
};

/** The signed-in member with their sponsor's name and their self-imposed limits. */
export async function getProfile(context: Context, { memberId, opening }: MemberCaller): Promise<Profile> {
  const openedBy = (opening === undefined ? undefined : await findImpersonation(context.db, opening.id)) ?? null;
  const member = await getMember(context.db, memberId);
  const limits = limitsAt(await findStoredLimits(context.db, memberId), context.now());
  const hasSecondFactor = isAnyOn(await findSecondFactors(context.db, memberId));
  const profile = { member, hasSecondFactor, limits, openedBy };
  if (member.sponsorId === null) return { ...profile, sponsorName: null };
  const names = await listMemberNames(context.db, [member.sponsorId]);
  return { ...profile, sponsorName: names.get(member.sponsorId) ?? null };
}

export const showUser = (member: Member): User => ({
  id: member.id.toString(),
  referral_code: member.referralCode,
  name: member.name,
  email: member.email,
  mobile_number: member.mobileNumber,
  role: 'member',
  created_at: member.createdAt.toISOString(),
});

/** The reply of every way to sign in as a member. */
export const showSignedIn = ({
  accessToken,
  member,
  deviceToken,
}: SignedInMember): DataOf<typeof passkeySignIn.finishPasskeySignIn> => ({
  access_token: accessToken,
  user: showUser(member),
  ...(deviceToken === undefined ? {} : { device_token: deviceToken }),
});
