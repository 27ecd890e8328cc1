import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { aSolvency } from '../../../test/solvency.ts';
import { ReportedPanel } from './check-panels.tsx';

const at = '2026-11-21T12:00:00.000Z';
const coins = { asset: 'BTC', units: '0.0198', value: 990, valued_at: at, valued: true };
const solvency = aSolvency({
  gateway_deviation: -9.5,
  gateway_coins: [coins, { ...coins, asset: 'LTC', valued: false }],
});

test('each report is shown with its time; a stale one is a dash, and so is the total', async () => {
  stubServer({
    'GET /solvency/reported': success({
      simulated: false,
      gateway: { state: 'reported', booked: 100, reported: 90.5, at },
      venue: { state: 'unknown', booked: 40, reported: null, at },
      total: null,
      counted: 140,
    }),
  });
  renderAt('/solvency', <ReportedPanel solvency={solvency} />);
  await screen.findByText('Payment gateway');
  expect(screen.getAllByRole('definition').map((value) => value.textContent)).toEqual([
    '$90.500021 Nov 2026, 12:00 UTC',
    '$990.00000.0198 BTCvalued 21 Nov 2026, 12:00 UTC',
    '$990.00000.0198 LTCnot valued since 21 Nov 2026, 12:00 UTC',
    '−$9.5000',
    '–last reported 21 Nov 2026, 12:00 UTC',
    '–',
    '$140.0000',
  ]);
});

test('a holder without a report is unknown, and one that holds nothing real is simulated', async () => {
  stubServer({
    'GET /solvency/reported': success({
      simulated: false,
      gateway: { state: 'simulated', booked: 100, reported: null, at: null },
      venue: { state: 'unknown', booked: 40, reported: null, at: null },
      total: null,
      counted: 140,
    }),
  });
  renderAt('/solvency', <ReportedPanel solvency={solvency} />);
  await screen.findByText('Simulated');
  expect(screen.getByText('not reported yet')).toBeTruthy();
});
