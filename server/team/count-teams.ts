import { teamLevels } from '#contract/team.ts';
import type { Db } from '#server/db/connect.ts';
import { findHorizonTx, listLevelCounts, type TeamCount } from './count-sql.ts';

/** Up to which transaction members are summed up. It only ever grows. */
export const findCountHorizon = (db: Db): Promise<bigint> => findHorizonTx(db);

/** How many stand at each level below these members, at this moment; nobody who is asked for is missing. */
export async function countTeams(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, TeamCount>> {
  const counts = new Map(memberIds.map((id) => [id, Array<bigint>(teamLevels).fill(0n)]));
  for (const row of await listLevelCounts(db, memberIds, await findHorizonTx(db))) {
    (counts.get(row.member_id) as bigint[])[row.level - 1] = row.members;
  }
  return new Map([...counts].map(([id, byLevel]) => [id, { byLevel, total: byLevel.reduce((a, b) => a + b, 0n) }]));
}
