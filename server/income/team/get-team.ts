import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { team } from '#contract/team.ts';
import type { Context } from '#server/context.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { listMembers } from './list-members.ts';
import { readOverview } from './read-overview.ts';

/** Without a level the caller's team in figures; with one, a page of its members. Refusal: `team_list_too_long`. */
export async function getTeam(
  { db }: Context,
  callerId: bigint,
  { level, ...query }: QueryOf<typeof team.getTeam>,
): Promise<DataOf<typeof team.getTeam>> {
  if (level === undefined) return inSnapshot(db, (tx) => readOverview(tx, callerId));
  return listMembers(db, { memberId: callerId, level, callerAbove: 0 }, query);
}
