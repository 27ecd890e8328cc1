import type { TeamOverview } from '#contract/team.ts';
import { Awaited } from '../../ui/layout/page-head.tsx';
import { figuresOf } from './team-labels.ts';

/**
 * The period of the page's figures. It reserves its room while loading, so that the button beside it does not shift.
 */
export const TeamFacts = ({ overview }: { overview: TeamOverview | undefined }) => (
  <Awaited isThere={overview !== undefined}>
    {figuresOf(overview === undefined ? new Date().toISOString() : overview.as_of)}
  </Awaited>
);
