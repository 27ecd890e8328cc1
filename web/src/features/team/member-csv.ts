import type { TeamMember } from '#contract/team.ts';
import type { Column } from '../../ui/table/data-table.tsx';

/** More than the list shows, since rows of the file cannot be opened. */
export const memberFile: readonly Column<TeamMember>[] = [
  { key: 'level', label: 'Level', csv: (member) => member.level },
  { key: 'name', label: 'Name', csv: (member) => member.name },
  { key: 'code', label: 'Registered Id', csv: (member) => member.referral_code },
  { key: 'mobile', label: 'Mobile', csv: (member) => member.mobile },
  { key: 'email', label: 'Email', csv: (member) => member.email },
  { key: 'joined', label: 'Joined, UTC', csv: (member) => member.joined_at },
  { key: 'active', label: 'Active', csv: (member) => (member.active ? 'yes' : 'no') },
  { key: 'volume', label: 'Own volume of 30 days', csv: (member) => member.volume },
  { key: 'team', label: 'Team', csv: (member) => member.team_size },
  { key: 'directs', label: 'Direct referrals', csv: (member) => member.directs },
];
