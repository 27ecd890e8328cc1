import type { Context } from '#server/context.ts';
import { getMember, listMemberNames, type Member } from './members.ts';

export type Profile = { readonly member: Member; readonly sponsorName: string | null };

/** The signed-in member with the name of their sponsor. */
export async function getProfile(context: Context, memberId: bigint): Promise<Profile> {
  const member = await getMember(context.db, memberId);
  if (member.sponsorId === null) return { member, sponsorName: null };
  const names = await listMemberNames(context.db, [member.sponsorId]);
  return { member, sponsorName: names.get(member.sponsorId) ?? null };
}
