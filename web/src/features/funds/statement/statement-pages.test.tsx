import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Movement, Statement } from '#contract/funds/deposits.ts';
import { aUser } from '../../../../test/account.ts';
import { beside, rowsOf } from '../../../../test/reading.ts';
import { queryOf, showPage } from '../../../../test/render.tsx';
import { savedFiles } from '../../../../test/saved-files.ts';
import { type Answers, success } from '../../../../test/server.ts';
import { signIn, signOut } from '../../../api/sign-in-state.ts';
import { StatementPrintPage } from './statement-print-page.tsx';
import { groupOperations, TransactionHistoryPage } from './transaction-history-page.tsx';

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

const table = (name: string) => rowsOf(screen.getByRole('table', { name }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-04T14:05:00Z') });
  signIn('token', aUser());
});
afterEach(() => {
  signOut();
  vi.useRealTimers();
});

test('screen and print show the same figures from the same data', async () => {
  history();
  await screen.findByText('second');
  await waitFor(() => expect(beside('Opening balance')).toBe('$0.3000'));
  const onScreen = ['Opening balance', 'Received', 'Spent', 'Closing balance'].map((label) => beside(label));
  expect(onScreen).toEqual(['$0.3000', '$1,500.5500', '$0.2500', '$1,500.6000']);
  cleanup();

  print();
  await screen.findByText('second');
  expect(table('Wallets')).toEqual([
    ['Primary Wallet', '$0', '$1,500.3000', '$0.2500', '$1,500.0500'],
    ['Profit Wallet', '$0.1000', '$0', '$0', '$0.1000'],
    ['In trades', '$0.2000', '$0.2500', '$0', '$0.4500'],
    ['Total', ...onScreen],
  ]);
  expect(table('By type')).toEqual([
    ['Deposit', '2', '$1,500.3000', '$0'],
    ['Trade placed', '2', '$0.2500', '$0.2500'],
    ['Total', '4', '$1,500.5500', '$0.2500'],
  ]);
});

test('the printed statement names member, period and mode, and lists movements oldest first', async () => {
  const { sentTo } = print();
  await screen.findByText('second');
  expect(beside('Name')).toBe('Anika Rao');
  expect(beside('Registered Id')).toBe('TW7K3QMX9D');
  expect(beside('Period, UTC')).toBe('1 Feb 2026 to 28 Feb 2026');
  expect(beside('As of')).toBe('1 Mar 2026, 00:00 UTC');
  expect(beside('Created')).toBe('4 Mar 2026, 14:05 UTC');
  expect(screen.getByText('Paper mode')).toBeTruthy();
  expect(await screen.findByText('Simulated market')).toBeTruthy();
  expect(table('Transactions').map((row) => row.slice(3))).toEqual([
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

test('the printed statement has the member’s name as the server knows it', async () => {
  print({ 'GET /auth/me': success({ user: { ...aUser(), name: 'Anika Menon' } }) });
  await waitFor(() => expect(beside('Name')).toBe('Anika Menon'));
});

test('the print page links back to the same filters and prints on the button', async () => {
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

test('lines are read up to the time of the totals, and both again if more arrived in between', async () => {
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

test('a statement that never balances is not shown', async () => {
  print({ [TOTALS]: success({ ...statement, movements: 9 }) });
  expect(await screen.findByText('The statement could not be loaded')).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

test('more movements than fit on paper are not requested: it shows totals and a link to all of them', async () => {
  const { sentTo } = print({ [TOTALS]: success({ ...statement, movements: 5001 }) });
  expect(await screen.findByText(/This period has 5,001 lines/)).toBeTruthy();
  expect(sentTo(LIST)).toEqual([]);
});

test('custom dates that end before they begin are reported and not requested', async () => {
  const { calls } = history({}, '?period=days&from=2026-02-02&to=2026-02-01');
  expect((await screen.findByRole('alert')).textContent).toBe('The period ends before it begins.');
  expect(calls).toEqual([]);
  expect(document.querySelector('[aria-busy="true"]')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
  await waitFor(() => expect(table('Transaction history').length).toBeGreaterThan(1));
});

test('an invalid period of a printed statement is not tried again', async () => {
  print({}, '?period=days&from=2026-02-02&to=2026-02-01');
  expect((await screen.findByRole('alert')).textContent).toBe('The period ends before it begins.');
});

test('the lines of one operation are one row that expands, each with its own support link', async () => {
  const at = '2026-02-03T11:00:00.000Z';
  const settled = (id: string, kind: string, wallet: Movement['wallet'], amount: number, balance_after: number) =>
    line(id, { kind, wallet, amount, balance_after, reference: 'trade 17', created_at: at });
  const items = [
    settled('29', 'trade_profit', 'profit', 2, 2),
    settled('27', 'trade_gain', 'primary', 0.5, 1500.55),
    settled('25', 'trade_return', 'primary', 0.25, 1500.05),
    settled('24', 'trade_return', 'in_trades', -0.25, 0),
    ...lines,
  ];
  history({ [LIST]: success({ items, next_cursor: null }) });
  const button = await screen.findByRole('button', { name: 'Lines of Trade settled, trade 17' });
  const [first, second] = table('Transaction history');
  expect(first?.slice(2, 7)).toEqual([
    'Trade settled4 lines',
    'Primary Wallet, Profit Wallet',
    'trade 17',
    '+$2.7500',
    '',
  ]);
  // Another reference is another operation, even at the same time.
  expect(second?.slice(2, 7)).toEqual(['Trade placed', 'In trades', 'T-12', '+$0.2500', '$0.2500']);
  expect(screen.getByText('1 to 5')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: /^Lines of/ })).toHaveLength(1);
  fireEvent.click(button);
  expect(table('Lines of Trade settled').map((row) => row.slice(0, 4))).toEqual([
    ['Trade profit', 'Profit Wallet', '+$2.0000', '$2.0000'],
    ['Trade gain, up to the amount', 'Primary Wallet', '+$0.5000', '$1,500.5500'],
    ['Trade settled', 'Primary Wallet', '+$0.2500', '$1,500.0500'],
    ['Trade settled', 'In trades', '−$0.2500', '$0'],
  ]);
  expect(screen.getByRole('link', { name: 'Ask about Trade profit, trade 17' }).getAttribute('href')).toBe(
    '/query/new?about=movement:29',
  );
});

test.each([
  [
    [
      ['trade_place', 'in_trades', 60],
      ['trade_place', 'primary', -60],
    ],
    'Trade placed',
    -60,
    'Primary Wallet',
  ],
  [
    [
      ['trade_place', 'in_trades', 60],
      ['trade_place', 'invested', -60],
    ],
    'Trade placed',
    -60,
    'In plans',
  ],
  [
    [
      ['plan_invest', 'invested', 0.3],
      ['plan_invest', 'primary', -0.1],
      ['plan_invest', 'profit', -0.2],
    ],
    'Put into a plan',
    -0.3,
    'Primary Wallet, Profit Wallet',
  ],
  [
    [
      ['withdrawal_fee', 'on_hold', -1],
      ['withdrawal_payout', 'on_hold', -9],
    ],
    'Withdrawal paid',
    -10,
    'On hold',
  ],
  [
    [
      ['team_profit', 'profit', 1],
      ['level_bonus', 'profit', 2],
    ],
    'Team income',
    3,
    'Profit Wallet',
  ],
] as const)('an operation of %j shows what it did to the nearest wallets', (moved, title, amount, wallets) => {
  const items = moved.map(([kind, wallet, dollars], index) =>
    line(String(index), { kind, wallet, amount: dollars, reference: 'one' }),
  );
  expect(groupOperations(items)).toMatchObject([{ title, amount, wallets }]);
});

test('list, totals and CSV use the same filter', async () => {
  savedFiles();
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
