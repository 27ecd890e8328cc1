import type { TeamOverview } from '#contract/team.ts';
import { linePath, round, type Scale, WIDTH, yOf } from '../../ui/charts/chart-scale.ts';

export type GrowthPoint = { readonly at: number; readonly members: number; readonly active: number };

const DAY_MS = 86_400_000;
const MOST_TICKS = 4;

/** The points of the wire in time order, times in milliseconds. */
export const toGrowthPoints = (growth: TeamOverview['growth']): GrowthPoint[] =>
  growth.map(({ week, members, active }) => ({ at: Date.parse(week), members, active })).sort((a, b) => a.at - b.at);

/** Distance from the left in a picture of width 1000. */
const xOf = (at: number, from: number, to: number): number =>
  to === from ? WIDTH : round(((at - from) / (to - from)) * WIDTH);

export const growthPath = (points: readonly GrowthPoint[], of: 'members' | 'active', scale: Scale): string => {
  const [from = 0, to = 0] = [points[0]?.at, points.at(-1)?.at];
  return linePath(points.map((point) => [xOf(point.at, from, to), yOf(point[of], scale)] as const));
};

/** Points whose days stand below the picture, evenly spread: all of few, four of many. */
export function weekTicks(points: readonly GrowthPoint[]): number[] {
  const count = Math.min(points.length, MOST_TICKS);
  return Array.from({ length: count }, (_, index) => {
    const at = count === 1 ? 0 : Math.round((index * (points.length - 1)) / (count - 1));
    return points[at]?.at ?? 0;
  });
}

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
