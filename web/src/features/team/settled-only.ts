import type { TeamOverview } from '#contract/team.ts';

/** The overview where its figures are of a settled session: before the first of them they are unknown, and not zero. */
export const settledOnly = (overview: TeamOverview | undefined): TeamOverview | undefined =>
  overview?.as_of === null ? undefined : overview;
