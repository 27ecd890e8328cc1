import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Link, Route, Routes } from 'react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import { aUser } from '../../../test/account.ts';
import { aroundThePage } from '../../../test/console.ts';
import { stubSockets } from '../../../test/live.ts';
import { onMobile, renderAt } from '../../../test/render.tsx';
import { type Call, stubServer, success } from '../../../test/server.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { removeStored, writeStored } from '../../api/storage.ts';
import { Layout } from './layout.tsx';

const session = aroundThePage()['GET /trading/session'].body.data;
const wallet = (balance: number, in_trade: number) => ({ balance, held: 0, in_trade });
let calls: Call[];
let sockets: ReturnType<typeof stubSockets>;

beforeEach(() => {
  // As after a first visit, when the page stays hidden until the server has responded.
  writeStored('announcement', null);
  sockets = stubSockets();
  signIn('secret', { id: '7', name: 'Anika Rao', referral_code: 'TW7K3QMX9D' } as User);
  serve();
});

const serve = (more: Parameters<typeof stubServer>[0] = {}) => {
  calls = stubServer({
    'GET /trading/session': success(session),
    'GET /auth/wallet-balance': success({ primary_wallet: 4218.635, profit_wallet: 612.08744 }),
    'GET /auth/wallet': success({ primary: wallet(4218.635, 1500), profit: wallet(612.0874, 250), last_movements: [] }),
    'GET /notification': success({ items: [], next_cursor: null, unread: 3 }),
    'GET /announcements': success({ items: [] }),
    'GET /ticket/tickets': success({ items: [], next_cursor: null, unread: 2 }),
    ...more,
  });
};

const open = (path: string) =>
  renderAt(
    path,
    <Routes>
      <Route element={<Layout />}>
        <Route path="*" element={<Link to="/profile">elsewhere</Link>} />
      </Route>
    </Routes>,
  );

test('on the first visit the page appears once the server says whether there is an announcement', async () => {
  removeStored('announcement');
  open('/dashboard');
  const page = screen.getByRole('main');
  expect(page.dataset.held).toBe('true');
  await waitFor(() => expect(page.dataset.held).toBeUndefined());
});

test('a menu longer than the screen scrolls to the current entry', () => {
  const shown: (string | null)[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    shown.push(this.textContent);
  });
  open('/payout');
  expect(shown).toEqual(['Payout']);
});

test('the sidebar lists the entries whose pages exist, in order, and marks the current one', () => {
  open('/fund/deposits');
  const main = screen.getByRole('navigation', { name: 'Main' });
  const links = within(main).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Dashboard', '/dashboard'],
    ['Profile', '/profile'],
    ['Deposit', '/fund/deposits'],
    ['Investment', '/fund/investments'],
    ['Deposit History', '/fund/deposit-history'],
    ['Withdrawal History', '/fund/withdrawal-history'],
    ['Transaction History', '/fund/transaction-history'],
    ['Referral Bonus', '/income/referral-bonus'],
    ['Team Level Bonus', '/income/team-level-bonus'],
    ['Referral Team', '/team/referral-team'],
    ['Level Team', '/team/level-team'],
    ['Payout', '/payout'],
    ['Query', '/query'],
  ]);
  expect(within(main).getByRole('button', { name: 'Fund Management' })).toBeDefined();
  expect(within(main).getByRole('link', { current: 'page' }).textContent).toBe('Deposit');
});

test('the sidebar footer links to Solvency and marks it when current', () => {
  open('/solvency');
  expect(screen.getByRole('link', { name: 'Solvency', current: 'page' }).getAttribute('href')).toBe('/solvency');
});

test('on a tab of a group without its own entry, the group is marked', () => {
  open('/income/weekly-income');
  const main = screen.getByRole('navigation', { name: 'Main' });
  expect(within(main).queryByRole('link', { current: 'page' })).toBeNull();
  const here = (name: string) => within(main).getByRole('button', { name }).dataset.here;
  expect([here('Income'), here('Team'), here('Fund Management')]).toEqual(['true', undefined, undefined]);
});

test('the header shows session, mode, unread notifications and both balances to 4 decimals with a $', async () => {
  open('/dashboard');
  const header = screen.getByRole('banner');
  expect(await within(header).findByText('$4,218.6350')).toBeDefined();
  expect(within(header).getByText('$612.0874')).toBeDefined();
  expect(await within(header).findByText('Session open')).toBeDefined();
  expect(within(header).getByText('closes in 3:24:51')).toBeDefined();
  expect(header.textContent).toContain('Simulated market · 2026-03-04 14:05 UTC');
  expect(await within(header).findByRole('button', { name: 'Notifications, 3 unread' })).toBeDefined();
  const profile = within(header).getByRole('link', { name: /^Profile/ });
  expect(profile.getAttribute('href')).toBe('/profile');
});

test('with live prices, the header says that the money is simulated', async () => {
  serve({ 'GET /trading/session': success({ ...session, feed: { ...session.feed, kind: 'ccxt', label: null } }) });
  open('/dashboard');
  const header = screen.getByRole('banner');
  await within(header).findByText('Session open');
  expect(within(header).getAllByText('Paper mode').length).toBeGreaterThan(0);
});

test.each([
  ['0', success({ primary_wallet: 0, profit_wallet: 0 })],
  ['null', success({ primary_wallet: null, profit_wallet: null })],
  ['missing', success({})],
  ['not answered', 'never' as const],
])('header balances that are %s are shown as 0', async (_what, answer) => {
  serve({ 'GET /auth/wallet-balance': answer });
  open('/dashboard');
  const header = screen.getByRole('banner');
  await within(header).findByText('Session open');
  const figures = () => [...header.querySelectorAll('dd')].map((one) => one.textContent);
  await waitFor(() => expect(figures()).toEqual(['$0', '$0']));
});

test('the bottom bar keeps the page’s filter', () => {
  open('/query?state=closed');
  const bar = within(screen.getByRole('navigation', { name: 'Quick' }));
  expect(bar.getByRole('link', { name: 'Trades' }).getAttribute('href')).toBe('/query?state=closed&trade');
});

test('the bottom bar opens the trade dialog on the current page', () => {
  open('/portfolio');
  const quick = screen.getByRole('navigation', { name: 'Quick' });
  const links = within(quick).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Home', '/dashboard'],
    ['Assets', '/fund'],
    ['Trades', '/portfolio?trade'],
    ['Portfolio', '/portfolio'],
    ['Profile', '/profile'],
  ]);
});

test('balances are refetched on each route change', async () => {
  open('/dashboard');
  const asked = () => calls.filter(({ name }) => name === 'GET /auth/wallet-balance').length;
  await screen.findByText('$4,218.6350');
  const before = asked();
  fireEvent.click(screen.getByRole('link', { name: 'elsewhere' }));
  await waitFor(() => expect(asked()).toBe(before + 1));
});

describe('on a mobile screen', () => {
  beforeEach(() => onMobile());

  test('two wallet cards are shown above the page', async () => {
    open('/dashboard');
    const cards = screen.getByRole('region', { name: 'Wallets' });
    expect(await within(cards).findByText('Placed $1,500.00')).toBeDefined();
    expect(cards.textContent).toContain('Primary Wallet$4,218.6350');
    expect(cards.textContent).toContain('Profit Wallet$612.0874');
  });

  test('/fund has no wallet cards', () => {
    open('/fund');
    expect(screen.queryByRole('region', { name: 'Wallets' })).toBeNull();
  });

  test.each(['/dashboard', '/query', '/query/7'])(
    'on %s the chat button links to queries and shows the number of unread replies',
    async (path) => {
      open(path);
      expect((await screen.findByRole('link', { name: 'Query, 2 unread' })).getAttribute('href')).toBe('/query');
    },
  );
});

/** Values that something else wrote to storage. */
const store = (key: string, text: string) => {
  localStorage.setItem(key, text);
  window.dispatchEvent(new StorageEvent('storage', { key }));
};

test.each(['{}', '{"id":"7"}', '{"id":7,"name":null,"referral_code":{}}', 'null', '"Anika"', '[]', 'not json'])(
  'with a stored member of %s the page is shown, and the name once the server sends it',
  async (text) => {
    vi.mocked(console.error).mockImplementation(() => undefined);
    store('userDetail', text);
    vi.mocked(console.error).mockClear();
    serve({ 'GET /auth/me': success({ user: aUser({ name: 'Anika Rao' }) }) });
    open('/dashboard');
    expect(screen.getByText('elsewhere')).toBeDefined();
    expect(await screen.findByRole('link', { name: /^Profile.*Anika Rao/ })).toBeDefined();
    expect(JSON.parse(localStorage.getItem('userDetail') ?? '')).toMatchObject({ name: 'Anika Rao' });
  },
);

test('a frozen account is said over every page, with what is still possible', async () => {
  serve({ 'GET /auth/me': success({ user: aUser(), frozen: true }) });
  open('/fund/deposits');
  const banner = await screen.findByRole('region', { name: 'Your account is frozen' });
  expect(banner.textContent).toContain('You cannot place trades, deposit or withdraw.');
  expect(within(banner).getByRole('link', { name: 'support' }).getAttribute('href')).toBe('/query/new');
});

test('a name that was changed on another device is shown in the header', async () => {
  serve({ 'GET /auth/me': success({ user: { ...aUser(), name: 'Anika Menon' }, frozen: false }) });
  store('userDetail', JSON.stringify({ ...aUser(), name: 'Anika Rao' }));
  open('/dashboard');
  expect(await screen.findByRole('link', { name: /^Profile.*Anika Menon/ })).toBeDefined();
});

test('the stored member is shown while the server does not answer', async () => {
  store('userDetail', '{"name":"Anika Rao"}');
  open('/dashboard');
  expect(screen.getByRole('link', { name: /^Profile.*Anika Rao/ })).toBeDefined();
});

test('the menu opens as a dialog and closes again', async () => {
  open('/dashboard');
  fireEvent.click(screen.getByRole('button', { name: 'Open menu' }));
  const drawer = await screen.findByRole('dialog', { name: 'Menu' });
  expect(within(drawer).getByRole('link', { name: 'Transaction History' })).toBeDefined();
  fireEvent.click(within(drawer).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a new notification is counted at the bell without reloading', async () => {
  open('/dashboard');
  await screen.findByRole('button', { name: 'Notifications, 3 unread' });
  await waitFor(() => expect(sockets).toHaveLength(1));
  sockets[0]?.begin();
  sockets[0]?.receive({ type: 'notification', position: '2', data: { added: [], unread: 4 } });
  expect(await screen.findByRole('button', { name: 'Notifications, 4 unread' })).toBeDefined();
});
