import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { earnings } from '../../../test/incomes.ts';
import { showPage } from '../../../test/render.tsx';
import { TeamIncomePanel } from './team-income-panel.tsx';

test('shares of fees are listed by kind with their totals, without trading results', async () => {
  showPage('/dashboard', <TeamIncomePanel />, { 'GET /auth/user-earner': earnings });
  await screen.findByText(/^Today/);
  const table = within(screen.getByRole('table', { name: 'Team income' }));
  expect(table.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'IncomeThis monthLifetime',
    'Referral Bonus$6.7360$24.1160',
    'Team Level Bonus$0$0',
    'Weekly Income$0$0',
    'Monthly Income$0$0',
    'Team Profit$0$0',
    'Rewards$1.0000$1.0000',
    'Total$7.7360$25.1160',
  ]);
  expect(screen.getByText(/Today \$0\.2000, this week \$1\.5000\./)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'View statement' }).getAttribute('href')).toBe('/payout');
});

test('an unknown figure is a dash, never 0', () => {
  showPage('/dashboard', <TeamIncomePanel />, { 'GET /auth/user-earner': 'never' });
  const table = screen.getByRole('table', { name: 'Team income' });
  expect(table.textContent).toContain('Total––');
  expect(table.textContent).not.toContain('$');
});
