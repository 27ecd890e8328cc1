import { expect, test } from 'vitest';
import { aTeamMember } from '../../../test/team.ts';
import { memberText, payingText, requirementText } from './team-labels.ts';

const levels = (paying: number) => Array.from({ length: 10 }, (_, index) => ({ pays: index < paying }));

test.each([
  ['before a session', { as_of: null, active: false, active_directs: 0 }, 0, 'No session is settled yet'],
  ['without a trade', { active: false, active_directs: 5 }, 0, 'You had no trade in 30 days: no level pays'],
  ['alone', { active: true, active_directs: 0 }, 1, '0 active direct referrals: level 1 pays'],
  ['with one', { active: true, active_directs: 1 }, 1, '1 active direct referral: level 1 pays'],
  ['with six', { active: true, active_directs: 6 }, 6, '6 active direct referrals: levels 1 to 6 pay'],
  ['with many', { active: true, active_directs: 1200 }, 10, '1,200 active direct referrals: levels 1 to 10 pay'],
])('which levels pay: %s', (_name, facts, paying, words) => {
  expect(payingText({ as_of: '2026-03-03', ...facts, levels: levels(paying) })).toBe(words);
});

test('a level that does not pay says what it needs', () => {
  expect(requirementText(7, { active: true })).toBe('Needs 7 active');
  expect(requirementText(7, { active: false })).toBe('Needs a trade of yours');
});

test('a member of the tree is described in one sentence', () => {
  expect(memberText(aTeamMember(), true)).toBe('Kabir Sethi, TW9PD4VQ7M, active, own volume $3,420.00, team of 61');
  expect(memberText(aTeamMember({ active: false, volume: 0, team_size: 0 }), true)).toBe(
    'Kabir Sethi, TW9PD4VQ7M, not active, own volume $0, no team',
  );
  expect(memberText(aTeamMember({ team_size: 1200 }), false)).toBe(
    'Kabir Sethi, TW9PD4VQ7M, active, own volume not known yet, team of 1,200',
  );
});
