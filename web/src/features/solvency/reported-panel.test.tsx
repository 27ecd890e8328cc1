import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../test/render.tsx';
import { success } from '../../../test/server.ts';
import { aSolvency } from '../../../test/solvency.ts';
import { ReportedPanel } from './check-panels.tsx';

const at = '2026-11-21T12:00:00.000Z';
const coins = { asset: 'BTC', units: '0.0198', value: 990, valued_at: at, valued: true };
const solvency = aSolvency({
  gateway_deviation: -9.5,
  gateway_coins: [coins, { ...coins, asset: 'LTC', valued: false }],
});

function open(gateway: object, venue: object) {
  const report = { simulated: false, gateway, venue, total: null, counted: 140 };
  showPage('/solvency', <ReportedPanel solvency={solvency} />, { 'GET /solvency/reported': success(report) });
}

test('each report is shown with its time; a stale one is a dash, and so is the total', async () => {
  open({ state: 'reported', booked: 100, reported: 90.5, at }, { state: 'unknown', booked: 40, reported: null, at });
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
  open(
    { state: 'simulated', booked: 100, reported: null, at: null },
    { state: 'unknown', booked: 40, reported: null, at: null },
  );
  await screen.findByText('Simulated');
  expect(screen.getByText('not reported yet')).toBeTruthy();
});
