import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import { renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
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
  stubServer({
    'GET /solvency': success(aSolvency(change)),
    'GET /solvency/snapshot': success(seal.snapshot),
    'GET /solvency/my-leaf': success(seal),
    'GET /solvency/reported': success(aReport),
  });
  renderAt('/solvency', <SolvencyPage />);
};

const cellsOf = (row: HTMLElement) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent);

test('it says how far assets cover what is owed, with both bars in words', async () => {
  open();
  expect(await screen.findByRole('heading', { name: 'Assets cover 102.54% of what is owed' })).toBeTruthy();
  expect(screen.getByText('As of 4 Mar 2026, 14:05 UTC, from the ledger alone')).toBeTruthy();
  const parts = (name: string) =>
    within(screen.getByRole('list', { name }))
      .getAllByRole('listitem')
      .map((item) => item.textContent);
  expect(parts('What we hold')).toEqual(['Payment gateway 60.99%', 'Trading venue 39.01%']);
  expect(parts('What we owe')).toEqual([
    'Primary Wallets 48.76%',
    'Profit Wallets 5.85%',
    'In trades 38.85%',
    'In plans 2.93%',
    'Set aside for members 1.13%',
    'Surplus 2.49%',
  ]);
});

test('each account stands under what it is a sum of; pools and fees not shared yet are owed', async () => {
  open();
  const table = await screen.findByRole('table', { name: 'Accounts' });
  const rows = within(table).getAllByRole('row').slice(1).map(cellsOf);
  expect(rows).toHaveLength(22);
  expect(rows[0]).toEqual(['Assets', '$1,025.4999', '102.54%']);
  expect(rows[3]).toEqual(['Owed', '$1,000.0000', '100.00%']);
  expect(rows.slice(9, 15).map(([name]) => name)).toEqual([
    'Payments to be creditedunderpaid, late or in review',
    'Trade feesnot shared yet',
    'Performance feesnot shared yet',
    'Weekly poolset aside for team income',
    'Monthly poolset aside for team income',
    'Rewards poolset aside for team income',
  ]);
  expect(rows[15]).toEqual(['Surplus', '$25.4999', '2.54%']);
  expect(rows[18]).toEqual(['Venue resultexchange fees and slippage', '−$3.5001', '−0.36%']);
});

test('beside the books stand exposure, reports and what is held, and under them the seal with its root', async () => {
  open({
    simulated: false,
    assets: { booked: 1025.4999, gateway: 625.4999, venue: 400, reported: 1020 },
    exposure: { value: 56, assets: [{ symbol: 'btc', quantity: '0.0008', value: 56 }] },
    held: 3.5,
  });
  const table = await screen.findByRole('table', { name: 'Accounts' });
  expect(within(table).getAllByRole('row').slice(-5).map(cellsOf)).toEqual([
    ['Beside the books'],
    ['Exposure not hedgedopen positions that no order at the exchange stands behind', '$56.0000', '5.60%'],
    ['BTC0.0008 not hedged', '$56.0000', '5.60%'],
    ['Reported assetswhat gateway and exchange say they hold', '$1,020.0000', '102.00%'],
    ['Weeks and months heldcomputed, in the pools, paid when the books are found right', '$3.5000', '0.35%'],
  ]);
  expect(screen.getByText(/^What members are owed was sealed on/).textContent).toBe(
    `What members are owed was sealed on 4 Mar 2026, 00:00 UTC. Root ${'8f3a61c9d2b409e7'.repeat(4)}`,
  );
});

test('an exposure that nobody knows is a dash, and no seal is said to be none', async () => {
  open({ exposure: { value: null, assets: [] }, sealed_at: null, root: null });
  const table = await screen.findByRole('table', { name: 'Accounts' });
  expect(within(table).getAllByRole('row').at(-1)?.textContent).toContain(
    'simulated: the paper venue fills every order itself–',
  );
  expect(screen.getByText('What members are owed is not sealed yet.')).toBeTruthy();
});

const side = (heading: HTMLElement) => within(heading.parentElement as HTMLElement);

test('the proof: fees collected and where they went come to the same, what is not shared yet included', async () => {
  open();
  const went = side(await screen.findByRole('heading', { name: 'Where it went' }));
  const values = went.getAllByRole('definition').map((value) => value.textContent);
  expect(went.getAllByRole('term').map((term) => term.textContent)).toEqual([
    'Referral bonus',
    'Team level bonus',
    'Team profit',
    'Weekly income',
    'Monthly income',
    'Rewards',
    'Into pools, less paid from them',
    'Revenue',
    'Not shared yet',
    'Together',
  ]);
  expect(values).toEqual([
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
  const collected = side(screen.getByRole('heading', { name: 'Collected' }));
  expect(collected.getAllByRole('definition').map((value) => value.textContent)).toEqual([
    '$9.6000',
    '$19.1200',
    '$28.7200',
    '$199.2000',
    '$99.6000',
  ]);
  expect(screen.getByRole('heading', { name: 'Proof of funded incomes, since 27 Feb 2026' })).toBeTruthy();
});

test('periods are months or sessions, and each opens into its two sides', async () => {
  open();
  const months = await screen.findByRole('table', { name: 'Months' });
  const rows = within(months).getAllByRole('row').slice(1).map(cellsOf);
  expect(rows.map((cells) => cells.slice(1))).toEqual([
    ['March 2026', '$27.1200', '$12.0000', '$99.6000', '$2.2340', '+$2.0000', '$22.8860'],
    ['February 2026', '$27.1200', '$199.2000', '$99.6000', '$2.2340', '+$2.0000', '$22.8860'],
  ]);
  fireEvent.click(within(months).getByRole('button', { name: 'Where the incomes of February 2026 came from' }));
  expect(within(months).getByRole('heading', { name: 'Where it went' })).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: 'Sessions' }));
  const sessions = await screen.findByRole('table', { name: 'Sessions' });
  expect(within(sessions).getByText('3 Mar 2026')).toBeTruthy();
});

test('how many members have lost, and when the books were checked', async () => {
  open();
  expect(await screen.findByText('61.54%')).toBeTruthy();
  expect(screen.getByText('8 of 13 who ever settled a trade')).toBeTruthy();
  expect(screen.getByText('20 Nov 2026, 23:10 UTC')).toBeTruthy();
  expect(screen.getByText('3 Mar 2026')).toBeTruthy();
});

test('every block of figures says that it is simulated', async () => {
  open();
  await screen.findByText('Counted');
  expect(await screen.findAllByText('Simulated')).toHaveLength(6);
  expect(screen.queryByText('What holders report')).toBeNull();
});

test('with real money nothing is called simulated', async () => {
  open({ simulated: false });
  await screen.findByRole('table', { name: 'Accounts' });
  expect(screen.queryByText('Simulated')).toBeNull();
  expect(screen.getByText('What holders report')).toBeTruthy();
});

test('the seal is saved with the own leaf, as it came', async () => {
  const saved: Blob[] = [];
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (file: Blob) => saved.push(file) && 'blob:seal' }));
  open();
  const button = await screen.findByRole('button', { name: 'Download the seal' });
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  fireEvent.click(button);
  expect(JSON.parse((await saved[0]?.text()) ?? '')).toEqual(aSeal('TW7K3QMX9D'));
});

test('before the first session it says what will be here, and shows no share of nobody', async () => {
  open({
    lifetime: null,
    months: [],
    sessions: [],
    members: { traded: 0, negative: 0 },
    checked: null,
    liabilities: 0,
  });
  expect(await screen.findByRole('heading', { name: 'Nothing is owed to members' })).toBeTruthy();
  expect(screen.getByText('No fees collected yet')).toBeTruthy();
  expect(screen.getByText('Not checked yet')).toBeTruthy();
  expect(screen.getByText('Nobody has a settled trade yet.')).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Where it went' })).toBeNull();
});

test('on a narrow screen a period is what was paid, and of which fees', async () => {
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: media.includes('max-width: 47.99em'),
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  open({ months: [aPeriod()] });
  const line = await screen.findByText('February 2026');
  expect(line.closest('li')?.textContent).toContain('paid from $27.1200 of fees · gains $199.2000 · losses $99.6000');
});

test('what fails says that money is safe, with the request id', async () => {
  stubServer({
    'GET /solvency': {
      status: 500,
      body: { status: 'error', code: 'internal', message: 'Broken.' },
      headers: { 'x-request-id': 'req-58c1e0' },
    },
  });
  renderAt('/solvency', <SolvencyPage />);
  const id = await screen.findByText('req-58c1e0');
  expect(id.closest('[role="alert"]')?.textContent).toContain('Your money is not affected.');
});

test('while it is read, still bars stand in its place', async () => {
  stubServer({ 'GET /solvency': 'never' });
  renderAt('/solvency', <SolvencyPage />);
  expect(await screen.findByRole('status', { name: 'Solvency is being read' })).toBeTruthy();
});
