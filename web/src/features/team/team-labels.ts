import type { TeamMember, TeamOverview } from '#contract/team.ts';
import { plural, t } from '../../api/texts.ts';
import { formatCount, formatMoney } from '../../ui/format/number.ts';
import { formatDate } from '../../ui/format/time.ts';

/** The overview once a session is settled: before the first one, its figures are unknown, not zero. */
export const settledOnly = (overview: TeamOverview | undefined): TeamOverview | undefined =>
  overview?.as_of === null ? undefined : overview;

/** `countOf(1204) === '1,204'`; unknown is a dash. */
export const countOf = (count: number | undefined): string => (count === undefined ? '–' : formatCount(count));

/** The period of the figures. */
export const figuresOf = (asOf: TeamOverview['as_of']): string =>
  asOf === null
    ? t`Volume and bonus are shown after the first settled session.`
    : t`Last 30 days, up to the session of ${formatDate(asOf)}`;

type Paying = Pick<TeamOverview, 'as_of' | 'active' | 'active_directs'> & { levels: { pays: boolean }[] };

/** Which levels pay the member now and why: "6 active direct referrals: levels 1 to 6 pay". */
export function payingText({ as_of, active, active_directs, levels }: Paying): string {
  if (as_of === null) return t`No session is settled yet`;
  if (!active) return t`You had no trade in 30 days: no level pays`;
  const paying = levels.filter(({ pays }) => pays).length;
  const directs = plural(active_directs, { one: '# active direct referral', other: '# active direct referrals' });
  return paying === 1 ? t`${directs}: level 1 pays` : t`${directs}: levels 1 to ${paying} pay`;
}

/** What the member needs for a level that does not pay. */
export const requirementText = (level: number, { active }: Pick<TeamOverview, 'active'>): string =>
  active ? t`Needs ${level} active` : t`Needs a trade of yours`;

/** A tree member in one sentence, for screen readers. */
export function memberText(member: TeamMember, hasFigures: boolean): string {
  const { name, referral_code, active, volume, team_size } = member;
  return [
    `${name}, ${referral_code}`,
    active ? t`active` : t`not active`,
    hasFigures ? t`own volume ${formatMoney(volume, 2)}` : t`own volume not known yet`,
    team_size === 0 ? t`no team` : t`team of ${formatCount(team_size)}`,
  ].join(', ');
}
