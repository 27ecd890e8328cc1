import type { TeamOverview } from '#contract/team.ts';

export type GrowthPoint = { readonly at: number; readonly members: number; readonly active: number };

const DAY_MS = 86_400_000;

/** The points of the wire in time order, times in milliseconds. */
export const toGrowthPoints = (growth: TeamOverview['growth']): GrowthPoint[] =>
  growth.map(({ week, members, active }) => ({ at: Date.parse(week), members, active })).sort((a, b) => a.at - b.at);

/**
 * How many more members there are than four weeks before the newest point; of a shorter history, since its first one.
 * `joinedLately` of 38 members on 2 Feb and 42 on 2 Mar is 4 since 2 Feb. One point alone says nothing.
 */
export function joinedLately(points: readonly GrowthPoint[]): { count: number; since: number } | null {
  const newest = points.at(-1);
  if (newest === undefined) return null;
  const before = points.findLast(({ at }) => at <= newest.at - 28 * DAY_MS) ?? points[0];
  if (before === undefined || before === newest) return null;
  return { count: newest.members - before.members, since: before.at };
}
