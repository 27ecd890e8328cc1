import type { TeamMember } from '#contract/team.ts';
import type { CsvCell } from '../../api/csv.ts';

export const memberHead = [
  'Level',
  'Name',
  'Registered Id',
  'Mobile',
  'Email',
  'Joined, UTC',
  'Active',
  'Own volume of 30 days',
  'Team',
  'Direct referrals',
] as const;

export const memberCells = (member: TeamMember): CsvCell[] => [
  member.level,
  member.name,
  member.referral_code,
  member.mobile,
  member.email,
  member.joined_at,
  member.active ? 'yes' : 'no',
  member.volume,
  member.team_size,
  member.directs,
];
