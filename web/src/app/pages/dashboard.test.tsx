import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSession } from '../../../test/plans.ts';
import { aPortfolio } from '../../../test/portfolio.ts';
import { showPage } from '../../../test/render.tsx';
import { listed, success } from '../../../test/server.ts';
import { DashboardPage } from './dashboard.tsx';

test.each([
  [0, 'Deposit', 'Trade'],
  [258.85, 'Trade', 'Deposit'],
])('with a net worth of $%s the first button is: %s', async (net_worth, first, other) => {
  showPage('/dashboard', <DashboardPage />, {
    'GET /trading/session': aSession('open'),
    'GET /trading/portfolio': success(aPortfolio({ net_worth, positions: [] })),
    'GET /trading/fetch-user-trade': listed([]),
  });
  const variantOf = (name: string) => screen.getAllByRole('link', { name })[0]?.getAttribute('data-variant');
  await expect.poll(() => variantOf(other)).toBe('default');
  expect(variantOf(first)).toBe('filled');
});
