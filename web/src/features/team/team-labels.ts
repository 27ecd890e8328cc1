import type { TeamMember, TeamOverview } from '#contract/team.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { formatDate } from '../../ui/format/time.ts';

/** `countOf(1, 'direct referral')` is "1 direct referral", of 2 "2 direct referrals". */
export const countOf = (count: number, one: string): string =>
  `${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`;

/** Of which days the figures are; nothing while that is not known. */
export function figuresOf(overview: Pick<TeamOverview, 'as_of'> | undefined): string {
  if (overview === undefined) return '\u00a0';
  return overview.as_of === null
    ? 'Volume and bonus come with the first settled session'
    : `Last 30 days, to the session of ${formatDate(overview.as_of)}`;
}

type Paying = Pick<TeamOverview, 'as_of' | 'active' | 'active_directs'> & { levels: { pays: boolean }[] };

/** Which levels pay the member now and why: "6 active direct referrals: levels 1 to 6 pay". */
export function payingWords({ as_of, active, active_directs, levels }: Paying): string {
  if (as_of === null) return 'No session is settled yet';
  if (!active) return 'You had no trade in 30 days: no level pays';
  const paying = levels.filter(({ pays }) => pays).length;
  return `${countOf(active_directs, 'active direct referral')}: ${paying === 1 ? 'level 1 pays' : `levels 1 to ${paying} pay`}`;
}

/** What the member lacks for a level that does not pay. */
export const lackWords = (level: number, { active }: Pick<TeamOverview, 'active'>): string =>
  active ? `needs ${level} active` : 'needs a trade of yours';

/** A member of the tree in one sentence, for those who do not see the columns. */
export function memberWords(member: TeamMember, hasFigures: boolean): string {
  const { name, referral_code, active, volume, team_size } = member;
  const team = team_size === 0 ? 'nobody below' : `team of ${team_size.toLocaleString('en-US')}`;
  const state = active ? 'active' : 'not active';
  const traded = hasFigures ? formatMoney(volume, 2) : 'not known yet';
  return `${name}, ${referral_code}, ${state}, own volume ${traded}, ${team}`;
}
