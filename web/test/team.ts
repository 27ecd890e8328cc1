import type { TeamMember, TeamOverview } from '#contract/team.ts';

export const aTeamMember = (change: Partial<TeamMember> = {}): TeamMember => ({
  id: '12',
  referral_code: 'TW9PD4VQ7M',
  name: 'Kabir Sethi',
  mobile: '••••••4127',
  email: 'k•••@t•••.example',
  joined_at: '2026-02-20T10:00:00Z',
  active: true,
  volume: 3420,
  team_size: 61,
  directs: 3,
  level: 1,
  ...change,
});

const shares = [20, 10, 6, 4, 3, 2, 2, 1, 1, 1];
const members = [8, 21, 3, 0, 0, 0, 0, 0, 0, 0];

/** 32 members on three levels below a member with two active directs: levels 1 and 2 pay. */
export const anOverview = (change: Partial<TeamOverview> = {}): TeamOverview => ({
  as_of: '2026-03-03',
  total_members: 32,
  active_members: 16,
  active_directs: 2,
  active: true,
  volume: 20000,
  trade_fees: 80,
  bonus: 11.25,
  levels: shares.map((share, index) => ({
    level: index + 1,
    members: members[index] ?? 0,
    active: Math.floor((members[index] ?? 0) / 2),
    volume: [5000, 14000, 1000][index] ?? 0,
    trade_fees: [20, 56, 4][index] ?? 0,
    bonus: [4, 5.6, 1.65][index] ?? 0,
    share,
    pays: index < 2,
  })),
  legs: [
    { id: '12', referral_code: 'TW9PD4VQ7M', name: 'Kabir Sethi', volume: 15000 },
    { id: '13', referral_code: 'TWX5C2HK8R', name: 'Meera Nair', volume: 5000 },
  ],
  legs_total: 8,
  leg_cap: 60,
  growth: [
    { week: '2026-02-02', members: 20, active: 12 },
    { week: '2026-02-09', members: 24, active: 13 },
    { week: '2026-03-02', members: 32, active: 16 },
  ],
  ...change,
});
