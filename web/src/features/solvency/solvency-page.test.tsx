import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import { partsOf, rowsOf } from '../../../test/reading.ts';
import { onMobile, showPage } from '../../../test/render.tsx';
import { savedFiles } from '../../../test/saved-files.ts';
import { success } from '../../../test/server.ts';
import { aPeriod, aSolvency } from '../../../test/solvency.ts';
import { aSeal } from '../../../test/solvency-seal.ts';
import { signIn } from '../../api/sign-in-state.ts';
import type { Solvency } from './cover.ts';
import { SolvencyPage } from './solvency-page.tsx';

const aReport = {
  simulated: false,
  gateway: { state: 'unknown', booked: 625.4999, reported: null, at: null },
  venue: { state: 'unknown', booked: 400, reported: null, at: null },
  total: null,
  counted: 1025.4999,
};

const open = (change: Partial<Solvency> = {}) => {
  signIn('secret', { id: '7', name: 'Anika Rao', referral_code: 'TW7K3QMX9D' } as User);
  const seal = aSeal('TW7K3QMX9D');
  showPage('/solvency', <SolvencyPage />, {
    'GET /solvency': success(aSolvency(change)),
    'GET /solvency/snapshot': success(seal.snapshot),
    'GET /solvency/my-leaf': success(seal),
    'GET /solvency/my-proofs': success({ items: [] }),
    'GET /solvency/reserves': success({ items: [] }),
    'GET /solvency/reported': success(aReport),
  });
};

async function accounts(change?: Partial<Solvency>) {
  open(change);
  return screen.findByRole('table', { name: 'Accounts' });
}

test('it shows how far assets cover liabilities, with both bars as text', async () => {
  open();
  expect(await screen.findByRole('heading', { name: 'Assets cover 102.54% of liabilities' })).toBeTruthy();
  expect(screen.getByText('As of 4 Mar 2026, 14:05 UTC, computed from the ledger')).toBeTruthy();
  const parts = (name: string) => partsOf(screen.getByRole('list', { name }));
  expect(parts('Assets')).toEqual(['Payment gateway 60.99%', 'Trading venue 39.01%']);
  expect(parts('Liabilities and surplus')).toEqual([
    'Primary Wallets 48.76%',
    'Profit Wallets 5.85%',
    'In trades 38.85%',
    'In plans 2.93%',
    'Reserved for members 1.13%',
    'Surplus 2.49%',
  ]);
});

test('each account is listed under its group; pools and undistributed fees are liabilities', async () => {
  const table = await accounts();
  const rows = rowsOf(table);
  expect(rows).toHaveLength(23);
  expect(rows[0]).toEqual(['Assets', '$1,025.4999', '102.54%']);
  expect(rows[3]).toEqual(['Liabilities', '$1,000.0000', '100.00%']);
  expect(rows.slice(9, 15).map(([name]) => name)).toEqual([
    'Unallocated payments underpaid, late or in review',
    'Trade fees not yet distributed',
    'Performance fees not yet distributed',
    'Weekly pool reserved for team income',
    'Monthly pool reserved for team income',
    'Rewards pool reserved for team income',
  ]);
  expect(rows[15]).toEqual(['Surplus', '$25.4999', '2.54%']);
  expect(rows[18]).toEqual(['Venue result exchange fees and slippage', '−$3.5001', '−0.36%']);
});

test('outside the ledger are exposure, reports and income on hold, then the proof with its root', async () => {
  const table = await accounts({
    simulated: false,
    assets: { booked: 1025.4999, gateway: 625.4999, venue: 400, reported: 1020 },
    exposure: 56,
    residuals: [{ symbol: 'btc', quantity: '0.0008', value: 56 }],
    held: 3.5,
  });
  expect(rowsOf(table).slice(-5)).toEqual([
    ['Outside the ledger'],
    ['Residual coins at the exchange beyond members’ positions, or missing', '$56.0000', '5.60%'],
    ['BTC 0.0008 coins', '$56.0000', '5.60%'],
    ['Reported assets as reported by gateway and exchange', '$1,020.0000', '102.00%'],
    ['Income on hold weekly and monthly income in the pools, paid once reconciliation passes', '$3.5000', '0.35%'],
  ]);
  expect(screen.getByText(/^Proof of liabilities of/).textContent).toBe(
    `Proof of liabilities of 4 Mar 2026, 00:00 UTC. Root ${'8f3a61c9d2b409e7'.repeat(4)}`,
  );
});

test('coins missing at a testnet exchange are its residual', async () => {
  const table = await accounts({ exposure: 4, residuals: [{ symbol: 'ada', quantity: '-0.4', value: 4 }] });
  expect(table.textContent).toContain('coins at the exchange beyond members’ positions, or missing');
  expect(table.textContent).toContain('ADA −0.4 coins');
});

test('unknown exposure is a dash, and a missing proof is pointed out', async () => {
  const table = await accounts({ exposure: null, sealed_at: null, root: null });
  expect(within(table).getAllByRole('row').at(-1)?.textContent).toContain(
    'simulated: the paper venue fills every order itself–',
  );
  expect(screen.getByText('No proof of liabilities yet.')).toBeTruthy();
});

const side = (heading: HTMLElement) => partsOf(heading.parentElement as HTMLElement, 'definition');

test('fees collected equal fees distributed, including those not yet distributed', async () => {
  open();
  const went = await screen.findByRole('heading', { name: 'Distributed' });
  expect(partsOf(went.parentElement as HTMLElement, 'term')).toEqual([
    'Referral Bonus',
    'Team Level Bonus',
    'Team Profit',
    'Weekly Income',
    'Monthly Income',
    'Rewards',
    'Net change of pools',
    'Revenue',
    'Not yet distributed',
    'Total',
  ]);
  expect(side(went)).toEqual([
    '$0.8000',
    '$0',
    '$1.4340',
    '$0',
    '$0',
    '$0',
    '+$2.0000',
    '$22.8860',
    '+$1.6000',
    '$28.7200',
  ]);
  expect(side(screen.getByRole('heading', { name: 'Collected' }))).toEqual([
    '$9.6000',
    '$19.1200',
    '$0',
    '$28.7200',
    '$199.2000',
    '$99.6000',
  ]);
  expect(screen.getByRole('heading', { name: 'Proof of funded incomes, since 27 Feb 2026' })).toBeTruthy();
});

test('periods are months or sessions, and each expands to its two sides', async () => {
  open();
  const months = await screen.findByRole('table', { name: 'Months' });
  const rows = rowsOf(months);
  expect(rows.map((cells) => cells.slice(1))).toEqual([
    ['March 2026', '$27.1200', '$12.0000', '$99.6000', '$2.2340', '+$2.0000', '$22.8860'],
    ['February 2026', '$27.1200', '$199.2000', '$99.6000', '$2.2340', '+$2.0000', '$22.8860'],
  ]);
  fireEvent.click(within(months).getByRole('button', { name: 'Incomes of February 2026' }));
  expect(within(months).getByRole('heading', { name: 'Distributed' })).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: 'Sessions' }));
  const sessions = await screen.findByRole('table', { name: 'Sessions' });
  expect(within(sessions).getByText('3 Mar 2026')).toBeTruthy();
});

test('months are shown thirteen at a time', async () => {
  const yearBefore = Array.from({ length: 12 }, (_, index) => {
    const month = `2025-${String(12 - index).padStart(2, '0')}`;
    return aPeriod({ from: `${month}-01`, to: `${month}-28` });
  });
  open({ months: [aPeriod({ from: '2026-03-01' }), aPeriod(), ...yearBefore] });
  const months = await screen.findByRole('table', { name: 'Months' });
  expect(rowsOf(months)).toHaveLength(13);
  fireEvent.click(screen.getByRole('button', { name: 'Earlier' }));
  expect(rowsOf(months).map(([, period]) => period)).toEqual(['January 2025']);
});

test('execution cost is shown beside the fees, and reduces both sides', async () => {
  const month = aPeriod({ from: '2026-03-01', to: '2026-03-31', execution_cost: 0.12, revenue: 22.766 });
  open({ months: [month, aPeriod()] });
  const months = await screen.findByRole('table', { name: 'Months' });
  const rows = rowsOf(months);
  expect(rows.map((cells) => cells.slice(1, 4))).toEqual([
    ['March 2026', '$27.1200', '$0.1200'],
    ['February 2026', '$27.1200', '$0'],
  ]);
  fireEvent.click(within(months).getByRole('button', { name: 'Incomes of March 2026' }));
  const values = (name: string) => side(within(months).getByRole('heading', { name }));
  expect(values('Collected').slice(0, 4)).toEqual(['$8.0000', '$19.1200', '−$0.1200', '$27.0000']);
  expect(values('Distributed').slice(-2)).toEqual(['$0', '$27.0000']);
});

test('it shows how many members lost money, and when the ledger was reconciled', async () => {
  open();
  expect(await screen.findByText('61.54%')).toBeTruthy();
  expect(screen.getByText('8 of 13 members with a settled trade')).toBeTruthy();
  expect(screen.getByText('20 Nov 2026, 23:10 UTC')).toBeTruthy();
  expect(screen.getByText('3 Mar 2026')).toBeTruthy();
});

test('every block of figures is marked as simulated', async () => {
  open();
  await screen.findByText('Included');
  expect(await screen.findAllByText('Simulated')).toHaveLength(6);
  expect(screen.queryByText('Reported balances')).toBeNull();
});

test('with real money nothing is marked as simulated', async () => {
  open({ simulated: false });
  await screen.findByRole('table', { name: 'Accounts' });
  await screen.findByText('Included');
  expect(screen.queryByText('Simulated')).toBeNull();
  expect(screen.getByText('Reported balances')).toBeTruthy();
});

test('the proof is saved with the member’s leaf, unchanged', async () => {
  const saved = savedFiles();
  open();
  const button = await screen.findByRole('button', { name: 'Download proof' });
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  fireEvent.click(button);
  expect(JSON.parse((await saved[0]?.file.text()) ?? '')).toEqual(aSeal('TW7K3QMX9D'));
});

test('before the first session it says what will appear here, and shows no share of nobody', async () => {
  open({
    lifetime: null,
    months: [],
    sessions: [],
    members: { traded: 0, negative: 0 },
    checked: null,
    liabilities: 0,
  });
  expect(await screen.findByRole('heading', { name: 'No liabilities' })).toBeTruthy();
  expect(screen.getByText('No fees collected yet')).toBeTruthy();
  expect(screen.getByText('No reconciliation yet')).toBeTruthy();
  expect(screen.getByText('No settled trades yet.')).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Distributed' })).toBeNull();
});

test('on a phone a period is what was paid, and from which fees', async () => {
  onMobile();
  open({ months: [aPeriod()] });
  const line = await screen.findByText('February 2026');
  expect(line.closest('li')?.textContent).toContain('paid from $27.1200 of fees · gains $199.2000 · losses $99.6000');
});

test('a failure says that money is safe, with the request id', async () => {
  showPage('/solvency', <SolvencyPage />, {
    'GET /solvency': {
      status: 500,
      body: { status: 'error', code: 'internal', message: 'Broken.' },
      headers: { 'x-request-id': 'req-58c1e0' },
    },
  });
  const id = await screen.findByText('req-58c1e0');
  expect(id.closest('[role="alert"]')?.textContent).toContain('Your money is not affected.');
});

test('while loading, static bars are shown in its place', async () => {
  showPage('/solvency', <SolvencyPage />, { 'GET /solvency': 'never' });
  expect(await screen.findByRole('status', { name: 'Loading solvency' })).toBeTruthy();
});
