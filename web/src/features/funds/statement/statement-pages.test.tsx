import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Movement, Statement } from '#contract/funds/deposits.ts';
import { aUser } from '../../../../test/account.ts';
import { queryOf, showPage } from '../../../../test/render.tsx';
import { type Answers, success } from '../../../../test/server.ts';
import { signIn, signOut } from '../../../api/sign-in-state.ts';
import { StatementPrintPage } from './statement-print-page.tsx';
import { TransactionHistoryPage } from './transaction-history-page.tsx';

const LIST = 'GET /auth/transaction-hist';
const TOTALS = 'GET /auth/statement';
const SESSION = 'GET /trading/session';

const line = (id: string, given: Partial<Movement>): Movement => ({
  id,
  kind: 'deposit',
  wallet: 'primary',
  amount: 0.1,
  balance_after: 0.1,
  reference: `T-${id}`,
  note: null,
  created_at: '2026-02-03T10:00:00.000Z',
  ...given,
});

/** Newest first, as the server lists them. */
const lines = [
  line('12', { kind: 'trade_place', wallet: 'in_trades', amount: 0.25, balance_after: 0.25 }),
  line('11', { kind: 'trade_place', amount: -0.25, balance_after: 1500.05 }),
  line('2', { amount: 0.2, balance_after: 1500.3, note: 'second' }),
  line('1', { amount: 1500.1, balance_after: 1500.1 }),
];
const nothing = { opening: 0, received: 0, spent: 0, closing: 0 };
const statement: Statement = {
  from: '2026-02-01T00:00:00.000Z',
  to: '2026-03-01T00:00:00.000Z',
  wallets: [
    { wallet: 'primary', opening: 0, received: 1500.3, spent: 0.25, closing: 1500.05 },
    { wallet: 'profit', opening: 0.1, received: 0, spent: 0, closing: 0.1 },
    { wallet: 'in_trades', opening: 0.2, received: 0.25, spent: 0, closing: 0.45 },
    { wallet: 'invested', ...nothing },
    { wallet: 'on_hold', ...nothing },
  ],
  kinds: [
    { kind: 'deposit', movements: 2, received: 1500.3, spent: 0 },
    { kind: 'trade_place', movements: 2, received: 0.25, spent: 0.25 },
  ],
  movements: 4,
  received: 1500.55,
  spent: 0.25,
};
const answers = {
  [LIST]: success({ items: lines, next_cursor: null }),
  [TOTALS]: success(statement),
  [SESSION]: success({
    feed: { kind: 'simulated', label: 'Simulated market', at: '2026-03-04T14:05:00Z', speed: 60, ended: false },
    market_time: '2026-03-04T14:05:00Z',
  }),
};

const ADDRESS = '?period=days&from=2026-02-01&to=2026-02-28';
const history = (given: Answers = {}, address = ADDRESS) =>
  showPage(`/fund/transaction-history${address}`, <TransactionHistoryPage />, { ...answers, ...given });
const print = (given: Answers = {}, address = ADDRESS) =>
  showPage(`/fund/statement${address}`, <StatementPrintPage />, { ...answers, ...given });

const figure = (label: string) => screen.getByText(label).nextElementSibling?.textContent;
const rowsOf = (table: string) =>
  within(screen.getByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-04T14:05:00Z') });
  signIn('token', aUser());
});
afterEach(() => {
  signOut();
  vi.useRealTimers();
});

test('screen and paper show the same figures of the same data', async () => {
  history();
  await screen.findByText('second');
  await waitFor(() => expect(figure('Opening balance')).toBe('$0.3000'));
  const onScreen = ['Opening balance', 'Received', 'Spent', 'Closing balance'].map(figure);
  expect(onScreen).toEqual(['$0.3000', '$1,500.5500', '$0.2500', '$1,500.6000']);
  cleanup();

  print();
  await screen.findByText('second');
  expect(rowsOf('Wallets')).toEqual([
    ['Primary Wallet', '$0', '$1,500.3000', '$0.2500', '$1,500.0500'],
    ['Profit Wallet', '$0.1000', '$0', '$0', '$0.1000'],
    ['In trades', '$0.2000', '$0.2500', '$0', '$0.4500'],
    ['Together', ...onScreen],
  ]);
  expect(rowsOf('By kind')).toEqual([
    ['Deposit', '2', '$1,500.3000', '$0'],
    ['Trade placed', '2', '$0.2500', '$0.2500'],
    ['Together', '4', '$1,500.5500', '$0.2500'],
  ]);
});

test('paper says whose it is, of when, in which mode, and lists the movements oldest first', async () => {
  const { sentTo } = print();
  await screen.findByText('second');
  const fact = (label: string) => screen.getByText(label).nextElementSibling?.textContent;
  expect(fact('Name')).toBe('Anika Rao');
  expect(fact('Registered Id')).toBe('TW7K3QMX9D');
  expect(fact('Period, UTC')).toBe('1 Feb 2026 to 28 Feb 2026');
  expect(fact('Up to')).toBe('1 Mar 2026, 00:00 UTC');
  expect(fact('Made at')).toBe('4 Mar 2026, 14:05 UTC');
  expect(screen.getByText('Paper mode')).toBeTruthy();
  expect(await screen.findByText('Simulated market')).toBeTruthy();
  expect(rowsOf('Movements').map((row) => row.slice(3))).toEqual([
    ['T-1', '+$1,500.1000', '$1,500.1000'],
    ['T-2', '+$0.2000', '$1,500.3000'],
    ['T-11', '−$0.2500', '$1,500.0500'],
    ['T-12', '+$0.2500', '$0.2500'],
  ]);
  expect(sentTo(TOTALS).map(queryOf)[0]).toEqual({
    from: '2026-02-01T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
  });
});

test('paper goes back to the same filters and prints on the button', async () => {
  print({}, '?wallet=primary&kind=deposit');
  const button = await screen.findByRole('button', { name: 'Print or save as PDF' });
  expect(screen.getByRole('link', { name: 'Back to transaction history' }).getAttribute('href')).toBe(
    '/fund/transaction-history?wallet=primary&kind=deposit',
  );
  const printed = vi.fn();
  vi.stubGlobal('print', printed);
  await screen.findByText('second');
  fireEvent.click(button);
  expect(printed).toHaveBeenCalledTimes(1);
  expect(screen.getByText('“Deposit”, Primary Wallet')).toBeTruthy();
});

test('lines are read up to the instant of the totals, and both again when more came in between', async () => {
  const late = line('13', { amount: 5 });
  let readings = 0;
  const { sentTo } = print({
    [TOTALS]: () => {
      readings += 1;
      return success(readings === 1 ? statement : { ...statement, movements: 5 });
    },
    [LIST]: success({ items: [late, ...lines], next_cursor: null }),
  });
  await screen.findByText('T-13');
  expect(readings).toBe(2);
  expect(sentTo(LIST).map(queryOf)[0]).toMatchObject({ to: statement.to, limit: '100' });
});

test('a statement that never adds up is not shown', async () => {
  print({ [TOTALS]: success({ ...statement, movements: 9 }) });
  expect(await screen.findByText('The statement could not be made')).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

test('more movements than paper takes are not asked for: totals, and the way to all of them', async () => {
  const { sentTo } = print({ [TOTALS]: success({ ...statement, movements: 5001 }) });
  expect(await screen.findByText(/5,001 movements are in this period/)).toBeTruthy();
  expect(sentTo(LIST)).toEqual([]);
});

test('own dates that end before they begin are told and not asked for', async () => {
  const { calls } = history({}, '?period=days&from=2026-02-02&to=2026-02-01');
  expect((await screen.findByRole('alert')).textContent).toBe('The period ends before it begins.');
  expect(calls).toEqual([]);
});

test('list, totals and file of the page are asked for with one filter', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: () => {} }));
  const { sentTo } = history({}, '?period=last-month&wallet=on_hold&kind=withdrawal_hold');
  await screen.findByText('second');
  fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(sentTo(LIST)).toHaveLength(2));
  const filter = {
    kind: 'withdrawal_hold',
    wallet: 'on_hold',
    from: '2026-02-01T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
  };
  expect(sentTo(TOTALS).map(queryOf)[0]).toEqual(filter);
  expect(sentTo(LIST).map(queryOf)).toEqual([filter, { ...filter, format: 'csv' }]);
  expect(screen.getByRole('link', { name: 'Print statement' }).getAttribute('href')).toBe(
    '/fund/statement?period=last-month&wallet=on_hold&kind=withdrawal_hold',
  );
});
