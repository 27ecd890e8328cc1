import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aRedemption } from '../../../test/plans.ts';
import { rowsOf } from '../../../test/reading.ts';
import { renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { CompoundingHistoryPage } from './compounding-history-page.tsx';

const open = (...items: unknown[]) => {
  stubServer({
    'GET /safe/compounding-hist': success({ items, next_cursor: null }),
    'GET /trading/portfolio': success({ totals: { negative_members: 0.6134 } }),
  });
  renderAt('/fund/compounding-withdrawal-history', <CompoundingHistoryPage />);
};

test('each redemption shows the amount invested, the amount returned and the result', async () => {
  open(aRedemption(), aRedemption({ id: '1', symbol: 'doge', redeemed: 88, result: -12, sessions: 1 }));
  const table = await screen.findByRole('table', { name: 'Redemptions' });
  const link = await within(table).findByRole('link', { name: 'eth/usdt' });
  expect(rowsOf(table)).toEqual([
    ['25 Feb 2026, 18:00', 'eth/usdtSession hold', '20 Feb 2026', '4', '$100.0000', '$103.2500', '+$3.2500'],
    ['25 Feb 2026, 18:00', 'doge/usdtSession hold', '20 Feb 2026', '1', '$100.0000', '$88.0000', '−$12.0000'],
  ]);
  expect(link.getAttribute('href')).toBe('/fund/investments/2');
  expect(screen.getByRole('button', { name: 'Export listed rows as CSV' })).toHaveProperty('disabled', false);
  expect(await screen.findByText('61.34% of members have lost money trading.')).toBeTruthy();
});

test('before the first redemption it says what will appear here', async () => {
  open();
  expect(await screen.findByText('No redemptions yet')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Export listed rows as CSV' })).toHaveProperty('disabled', true);
});
