import { act, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { showPage } from '../../../test/render.tsx';
import { refused, success } from '../../../test/server.ts';
import { paths } from '../../ui/paths.ts';
import { AssetsPage } from './assets-page.tsx';
import type { Wallets } from './queries.ts';

const WALLET = 'GET /auth/wallet';
const SUMMARY = 'GET /auth/wallet-summary';

const wallets = (given: Partial<Wallets> = {}): Wallets => ({
  primary: { balance: 4218.635, held: 300, in_trade: 1500 },
  profit: { balance: 612.0874, held: 0, in_trade: 250 },
  arriving: { count: 1, amount: 500 },
  leaving: { count: 2, amount: 300 },
  address: null,
  last_movements: [],
  ...given,
});
const summary = {
  deposited: 7500,
  withdrawn: 450,
  in_trades: 1750,
  invested: 1250,
  on_hold: 300,
  traded_volume: 9100,
  realised: -42.5,
  fees_paid: 36.4,
  income: 12.75,
  net_worth: 8130.7224,
};

const open = (given: Partial<Wallets> = {}, sums: Partial<typeof summary> = {}) =>
  showPage('/fund', <AssetsPage />, { [WALLET]: success(wallets(given)), [SUMMARY]: success({ ...summary, ...sums }) });

test('wallets, plans and pending amounts are the server’s figures', async () => {
  open();
  await screen.findByText('1 deposit');
  const figure = (label: string) => screen.getByText(label).parentElement?.textContent;
  await waitFor(() => expect(figure('Net worth')).toContain('$8,130.7224'));
  expect(figure('Net worth')).toContain('Wallets, trades, plans and funds on hold');
  expect(figure('Plans at cost')).toContain('$1,250.0000');
  expect(figure('Pending deposits')).toContain('$500.0000');
  expect(figure('Pending withdrawals')).toBe('Pending withdrawals$300.00002 withdrawals');
  const of = (label: string) => screen.getAllByText(label).map((term) => term.nextSibling?.textContent);
  expect(of('Held for withdrawal')).toEqual(['$300.0000', '$0']);
  expect(of('Placed in trades, fees included')).toEqual(['$1,500.0000', '$250.0000']);
  expect(of('Withdrawn')).toEqual(['$450.0000']);
  expect(of('Realised P&L')).toEqual(['−$42.5000']);
});

test('a plan’s open trade is a part of its cost as well', async () => {
  open({}, { invested: 850.1, in_trades: 2150.2 });
  await waitFor(() => expect(screen.getByText('Plans at cost').parentElement?.textContent).toContain('$1,250.3000'));
});

test('the net worth follows prices, as that of the dashboard does', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let worth = 8130.7224;
  showPage('/fund', <AssetsPage />, {
    [WALLET]: success(wallets()),
    [SUMMARY]: () => success({ ...summary, net_worth: worth }),
  });
  const shown = async (ms: number) => {
    await act(() => vi.advanceTimersByTimeAsync(ms));
    return screen.getByText('Net worth').parentElement?.textContent;
  };
  expect(await shown(50)).toContain('$8,130.7224');
  worth = 8142.5;
  expect(await shown(6000)).toContain('$8,142.5000');
});

test('every page of Fund Management is one press away', async () => {
  open();
  await screen.findByText('1 deposit');
  const linked = new Set(screen.getAllByRole('link').map((link) => link.getAttribute('href')));
  const pages = Object.values(paths).filter((path) => typeof path === 'string' && path.startsWith(`${paths.fund}/`));
  expect(pages.filter((path) => path !== paths.newPlan && !linked.has(path as string))).toEqual([]);
});

test.each([
  [null, 'None yet. You can withdraw to an address 24 hours after you save it.', 'Add address'],
  [new Date(Date.now() - 1000), 'Ready for withdrawals', 'Change address'],
  [new Date('2999-01-02T03:04:00Z'), 'Available from 2 Jan 2999, 03:04 UTC', 'Change address'],
])('an address usable from %s is described as such', async (usableFrom, words, link) => {
  const address = usableFrom && {
    network: 'TRC20' as const,
    address: 'TKq8WvYzF3mB7nRtLx2cPsD9eHgJ4uQeAu',
    usable_from: usableFrom.toISOString(),
  };
  open({ address });
  await screen.findByText(words);
  expect(screen.getByRole('link', { name: link }).getAttribute('href')).toBe(paths.withdrawal);
  expect(screen.queryByText('TKq8…QeAu') !== null).toBe(usableFrom !== null);
});

test('a figure that could not be loaded is a dash, never zero', async () => {
  const down = refused(503, 'not_ready', 'Not ready.');
  showPage('/fund', <AssetsPage />, { [WALLET]: down, [SUMMARY]: down });
  await screen.findByText('Your balances could not be loaded');
  await waitFor(() => expect(screen.getAllByText('–').length).toBeGreaterThan(10));
  expect(screen.queryByText('$0')).toBeNull();
  expect(screen.queryByText(/0 deposits/)).toBeNull();
});
