import type { Context } from '#server/context.ts';
import { limitsAt, type OwnLimits } from './core/own-limits.ts';
import { getMember, listMemberNames, type Member } from './members.ts';
import { findStoredLimits } from './own-limit-sql.ts';
import { findTotp } from './totp-sql.ts';

export type Profile = {
  readonly member: Member;
  readonly sponsorName: string | null;
  readonly hasSecondFactor: boolean;
  readonly limits: OwnLimits;
};

/** The signed-in member with the name of their sponsor and the limits they set for themselves. */
export async function getProfile(context: Context, memberId: bigint): Promise<Profile> {
  const member = await getMember(context.db, memberId);
  const limits = limitsAt(await findStoredLimits(context.db, memberId), context.now());
  const hasSecondFactor = (await findTotp(context.db, { memberId }))?.isConfirmed === true;
  if (member.sponsorId === null) return { member, sponsorName: null, hasSecondFactor, limits };
  const names = await listMemberNames(context.db, [member.sponsorId]);
  return { member, sponsorName: names.get(member.sponsorId) ?? null, hasSecondFactor, limits };
}
