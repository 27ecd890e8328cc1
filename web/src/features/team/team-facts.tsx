import type { TeamOverview } from '#contract/team.ts';
import { Awaited } from '../../ui/layout/page-head.tsx';
import { figuresOf } from './team-labels.ts';

/** The days of the figures of a team's page. Until they are known they take their room: the button beside them may have to go below. */
export const TeamFacts = ({ overview }: { overview: TeamOverview | undefined }) => (
  <Awaited isThere={overview !== undefined}>
    {figuresOf(overview === undefined ? new Date().toISOString() : overview.as_of)}
  </Awaited>
);
