import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import type { TeamOverview } from '#contract/team.ts';
import { partsOf, rowsOf, textsOf } from '../../../test/reading.ts';
import { renderAt, showPage } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { anOverview } from '../../../test/team.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { TeamAnalysisPage } from './team-analysis-page.tsx';

beforeEach(() => signIn('token', { id: '7', name: 'Anika Rao', referral_code: 'TW7K3QMX9D' } as User));

const open = async (change: Partial<TeamOverview> = {}) => {
  showPage('/team/team-analysis', <TeamAnalysisPage />, {
    'GET /auth/team-info': success(anOverview(change)),
    'GET /auth/refer-list': success({ items: [], next_cursor: null }),
  });
  await screen.findByRole('table', { name: 'Levels' });
};

const rows = () => rowsOf(screen.getByRole('table', { name: 'Levels' }));

// The figures come before the column headers of the same name.
const figure = (label: string) => screen.getAllByText(label)[0]?.parentElement?.textContent;

test('the figures say what they are shares of', async () => {
  await open();
  expect(figure('Members')).toBe('Members32In 3 of 10 levels');
  expect(figure('Active')).toBe('Active1650.00% settled a trade');
  expect(figure('Team volume')).toBe('Team volume$20,000.00Amount traded');
  expect(figure('Trade fees they paid')).toBe('Trade fees they paid$80.00000.40% of the volume');
  expect(figure('Your bonus')).toBe('Your bonus$11.2500Referral, level and team profit');
});

test('a level that does not pay says what it needs, and keeps what it paid before', async () => {
  await open();
  expect(screen.getByText('2 active direct referrals: levels 1 to 2 pay')).toBeTruthy();
  const levels = rows();
  expect(levels[0]).toEqual(['1', '8', '4', '$5,000.00', '', '20%', '$4.0000']);
  expect(levels[2]).toEqual(['3', '3', '1', '$1,000.00', '', '6%', '$1.6500Needs 3 active']);
  expect(levels[6]).toEqual(['7', '0', '0', '$0', '', '2%', 'Needs 7 active']);
  expect(levels[10]).toEqual(['Total', '32', '16', '$20,000.00', '', '', '$11.2500']);
});

test('the members of a level link to their list', async () => {
  await open();
  const link = screen.getByRole('link', { name: '21 members of level 2' });
  expect(link.getAttribute('href')).toBe('/team/level-team?level=2');
});

test('legs are compared by their Share of volume, with a mark at the most that counts', async () => {
  await open();
  const legs = screen.getByRole('region', { name: 'Legs' });
  expect(partsOf(legs)).toEqual(['Kabir Sethi TW9PD4VQ7M$15,000.0075.00%', 'Meera Nair TWX5C2HK8R$5,000.0025.00%']);
  expect(
    within(legs).getByText(
      '6 smaller legs not shown. The mark at 60% is the most that one leg counts for of the monthly volume of a rank.',
    ),
  ).toBeTruthy();
});

test('growth is a chart with a summary, and a table', async () => {
  await open();
  const growth = within(screen.getByRole('region', { name: 'Growth' }));
  expect(growth.getByRole('img').getAttribute('aria-label')).toBe(
    'Team from 2 Feb 2026 to 2 Mar 2026: 20 to 32 members, 12 to 16 active.',
  );
  expect(growth.getByText('Joined since 9 Feb').nextSibling?.textContent).toBe('12');
  expect(growth.getByText('No trade in 30 days').nextSibling?.textContent).toBe('16');
  fireEvent.click(growth.getByRole('button', { name: 'Show as table' }));
  expect(textsOf(growth.getAllByRole('row'))).toEqual([
    'Week ofMembersActive',
    '2 Mar 20263216',
    '9 Feb 20262413',
    '2 Feb 20262012',
  ]);
});

test('a single week is not yet a line', async () => {
  await open({ growth: [{ week: '2026-03-02', members: 32, active: 16 }] });
  expect(screen.getByText('No chart yet')).toBeTruthy();
  expect(screen.queryByText(/^Joined since/)).toBeNull();
});

test('before the first settled session, its figures are unknown, not zero', async () => {
  await open({ as_of: null, volume: 0, trade_fees: 0, bonus: 0, active_members: 0, active: false, active_directs: 0 });
  expect(screen.getByText('Volume and bonus are shown after the first settled session.')).toBeTruthy();
  expect(figure('Members')).toBe('Members32In 3 of 10 levels');
  expect(figure('Active')?.trim()).toBe('Active–');
  expect(figure('Your bonus')).toBe('Your bonus–Referral, level and team profit');
  expect(rows()[0]).toEqual(['1', '8', '–', '–', '', '20%', '–']);
  expect(partsOf(screen.getByRole('region', { name: 'Legs' }))[0]).toBe('Kabir Sethi TW9PD4VQ7M––');
});

test('a team that could not be loaded is not shown as empty', async () => {
  stubServer({ 'GET /auth/team-info': { status: 503, body: { status: 'error', message: 'Not ready.' } } });
  renderAt('/team/team-analysis', <TeamAnalysisPage />);
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.queryByText('Members')).toBeNull();
  expect(screen.getByRole('button', { name: 'Export CSV' })).toHaveProperty('disabled', true);
});
