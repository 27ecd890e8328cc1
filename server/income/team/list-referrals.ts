import type { QueryOf } from '#contract/endpoint.ts';
import { type team, teamLevels } from '#contract/team.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { findLevel } from '#server/team/index.ts';
import { listMembers, type MemberPage } from './list-members.ts';

/**
 * Direct referrals of the caller, or of a member in the caller's team: a branch of the tree. Below the tenth level is nobody's
 * team, so a member there has none to show. Refusals: `not_found` for who is not in the team, `team_list_too_long`.
 */
export async function listReferrals(
  { db }: Context,
  callerId: bigint,
  { of, ...query }: QueryOf<typeof team.listReferrals>,
): Promise<MemberPage> {
  if (of === undefined) return listMembers(db, { memberId: callerId, level: 1, callerAbove: 0 }, query);
  const level = await findLevel(db, callerId, BigInt(of));
  if (level === undefined) throw new Refused('not_found');
  if (level === teamLevels) return { items: [], next_cursor: null, total: 0 };
  return listMembers(db, { memberId: BigInt(of), level: 1, callerAbove: level }, query);
}
