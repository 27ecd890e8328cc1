import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import { aSession } from '../../../test/plans.ts';
import { beside, rowsOf } from '../../../test/reading.ts';
import { addressNow, showPage } from '../../../test/render.tsx';
import { savedFiles } from '../../../test/saved-files.ts';
import { success } from '../../../test/server.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { PayoutPage } from './payout-page.tsx';

const rows = [
  { day: '2026-03-04', kind: 'referral', amount: 0.2, count: 1 },
  { day: '2026-03-04', kind: 'trade', amount: -2.5, count: 3 },
];

function open(path: string, items: unknown[] = rows) {
  const { calls } = showPage(path, <PayoutPage />, {
    'GET /trading/session': aSession(),
    'GET /trading/portfolio': success({ totals: { negative_members: 0.6134 } }),
    'GET /payout': success({
      items,
      next_cursor: null,
      from: null,
      to: null,
      totals: [
        { kind: 'referral', amount: 0.2 },
        { kind: 'trade', amount: -2.5 },
      ],
    }),
  });
  return { asked: () => calls.filter(({ name }) => name === 'GET /payout').map(({ url }) => url.split('?')[1]) };
}

test('each market day lists its income by kind: shares unsigned, results signed', async () => {
  open('/payout');
  const table = await screen.findByRole('table', { name: 'Statement' });
  await within(table).findByText('1 transfer');
  expect(rowsOf(table)).toEqual([
    ['4 Mar 2026', 'Referral Bonus', '1 transfer', '$0.2000'],
    ['4 Mar 2026', 'Trade Income', '3 trades', '−$2.5000'],
  ]);
  expect(within(table).getByRole('link', { name: 'Trade Income' }).getAttribute('href')).toBe('/income/trade-income');
  expect(await screen.findByText('61.34% of members have lost money trading.')).toBeTruthy();
});

test('totals keep shares of fees and results apart; a kind without income is zero once loaded', async () => {
  open('/payout');
  await screen.findByText('1 transfer');
  const totals = ['Referral Bonus', 'Weekly Income', 'Trade Income'].map((kind) => beside(kind, { selector: 'dt' }));
  expect(totals).toEqual(['$0.2000', '$0', '−$2.5000']);
});

test('the filter in the address is requested, and unknown values are dropped', async () => {
  const { asked } = open('/payout?kind=weekly&from=2026-03-01&to=2026-02-31');
  await screen.findByText('1 transfer');
  expect(asked()[0]).toBe('kind=weekly&from=2026-03-01');
  expect(screen.getByText('“Weekly Income”, since 1 Mar 2026')).toBeTruthy();
});

test('a period length sets the days up to the market’s current day', async () => {
  const { asked } = open('/payout');
  fireEvent.click(await screen.findByRole('radio', { name: '7 days' }));
  await waitFor(() => expect(addressNow()).toBe('/payout?from=2026-02-26'));
  await waitFor(() => expect(asked().at(-1)).toBe('from=2026-02-26'));
  fireEvent.click(screen.getByRole('radio', { name: 'All' }));
  await waitFor(() => expect(addressNow()).toBe('/payout'));
});

test('a period that ends before it begins is reported at the fields and not requested', async () => {
  const { asked } = open('/payout?from=2026-03-04&to=2026-03-01');
  expect((await screen.findByRole('alert')).textContent).toBe('The period ends before it begins.');
  expect(screen.getByLabelText('To').getAttribute('aria-describedby')).toContain(screen.getByRole('alert').id);
  expect(screen.getByRole('button', { name: /^Export CSV/ })).toHaveProperty('disabled', true);
  expect(asked()).toEqual([]);
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-03-04' } });
  await waitFor(() => expect(asked()).toEqual(['from=2026-03-04&to=2026-03-04']));
});

test('a filter that hides everything is named and can be cleared', async () => {
  open('/payout?kind=weekly', []);
  expect(await screen.findByText('No income matches the filter')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
  await waitFor(() => expect(addressNow()).toBe('/payout'));
  expect(await screen.findByText('No income yet')).toBeTruthy();
});

test('the CSV is the server’s own, requested with the filter and the token in the header', async () => {
  signIn('secret', { id: '7', name: 'Anika Rao', referral_code: 'TW7K3QMX9D' } as User);
  open('/payout?kind=trade&from=2026-03-01&to=2026-03-04');
  await screen.findByText('1 transfer');
  expect(screen.getByText('“Trade Income”, 1 – 4 Mar')).toBeTruthy();
  const sent: { url: string; headers: Headers }[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push({ url, headers: new Headers(init.headers) });
    return new Response('Day\r\n');
  });
  const saved = savedFiles();
  fireEvent.click(screen.getByRole('button', { name: /^Export CSV/ }));
  await waitFor(() => expect(saved).toMatchObject([{ name: 'payout-trade-from-2026-03-01-to-2026-03-04.csv' }]));
  const file = sent.find(({ url }) => url.includes('format=csv'));
  expect(file?.url).toBe('/api/v1/payout?kind=trade&from=2026-03-01&to=2026-03-04&format=csv');
  expect(file?.headers.get('authorization')).toBe('Bearer secret');
  // The mark by which a spreadsheet knows that the file is UTF-8; reading it as text would remove it.
  expect(new Uint8Array((await saved[0]?.file.arrayBuffer()) ?? []).slice(0, 3)).toEqual(
    Uint8Array.of(0xef, 0xbb, 0xbf),
  );
});
