import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aLevelBonus, anIncomeLine, earnings, fees } from '../../../test/incomes.ts';
import { renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { ReferralBonusPage, TeamLevelBonusPage, TeamProfitPage } from './bonus-page.tsx';

type Answers = Parameters<typeof stubServer>[0];

const cellsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.querySelectorAll(':scope > td')].map((cell) => cell.textContent));

function openReferral(items: unknown[], other: Answers = {}) {
  const calls = stubServer({
    'GET /auth/user-earner': earnings,
    'GET /fees': fees,
    'GET /bounus/referral': success({ items, next_cursor: null, total: 24.116 }),
    ...other,
  });
  renderAt('/income/referral-bonus', <ReferralBonusPage />);
  return calls;
}

function openLevel(bonus: unknown = aLevelBonus()) {
  const calls = stubServer({
    'GET /auth/user-earner': earnings,
    'GET /fees': fees,
    'GET /bounus/level': success({ items: [aLevelBonus().line], next_cursor: null, total: 0.12 }),
    'GET /bounus/level/2026030403': success(bonus),
  });
  renderAt('/income/team-level-bonus', <TeamLevelBonusPage />);
  return calls;
}

const openLine = async (name: string) => {
  const button = await screen.findByRole('button', { name });
  fireEvent.click(button);
  return button;
};

test('each line says what was traded, the fees, the share, what was paid, and its coverage', async () => {
  openReferral([anIncomeLine(), anIncomeLine({ id: '2026030301', session: '2026-03-03', fees: 0.4, amount: 0.08 })]);
  await screen.findByText('4 Mar 2026');
  expect(cellsOf(screen.getByRole('table', { name: 'Referral Bonus' }))).toEqual([
    ['', '4 Mar 2026', '$250.00', '$1.0000', '20%', '$0.2000coverage 100%'],
    ['', '3 Mar 2026', '$250.00', '$0.4000', '20%', '$0.0800coverage 100%'],
  ]);
  // The sum of a lifetime is no number of lines.
  expect(screen.getByText('1 to 2')).toBeTruthy();
  expect((await screen.findByText('Lifetime')).parentElement?.textContent).toContain('$24.1160');
  expect(screen.getByText('Today').parentElement?.textContent).toContain('$0.2000');
  expect((await screen.findByText('Your share now')).parentElement?.textContent).toBe(
    'Your share now20%of the trade fees, level 1',
  );
});

test('the pages are tabs of one section, the open one is marked and names the document', async () => {
  openReferral([]);
  const tabs = within(screen.getByRole('navigation', { name: 'Income' }));
  expect(tabs.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'Referral Bonus',
    'Team Level Bonus',
    'Trade Income',
    'Weekly Income',
    'Monthly Income',
    'Team Profit',
    'Compounding Income',
    'Rewards',
  ]);
  expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('Referral Bonus');
  expect(document.title).toMatch(/^Referral Bonus · /);
});

test('a line opens into where it came from, step by step, and closes again', async () => {
  openLevel();
  const button = await openLine('Where 4 Mar 2026, level 3 came from');
  expect(button.getAttribute('aria-expanded')).toBe('true');
  const steps = within((await screen.findByText('Trade fees of all members')).closest('ol') as HTMLElement);
  expect(steps.getAllByRole('listitem').map((step) => step.textContent)).toEqual([
    'Trade fees of all members$120.0000session of 4 Mar 2026',
    'Paid by level 3 of your team$2.00002 members traded $500.00',
    'Your share of them6%fee plan 1, in force when the session opened',
    'You qualifiedYesyou traded in the 30 days before and had 4 active directs, 3 needed',
    'Paid into your Profit Wallet$0.1200market time 4 Mar 2026, 17:30 UTC, coverage 100%',
  ]);
  expect(document.getElementById(button.getAttribute('aria-controls') ?? '')?.textContent).toContain(
    'From whom: 2 members',
  );
  fireEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByText('From whom: 2 members')).toBeNull();
});

test('levels that paid nothing stand there with why', async () => {
  openLevel();
  await openLine('Where 4 Mar 2026, level 3 came from');
  expect(cellsOf(await screen.findByRole('table', { name: 'All levels of the session' }))).toEqual([
    ['3', '$500.00', '$2.0000', '6%', '$0.1200'],
    ['7', '$1,000.00', '$4.0000', '2%', '4 of 7 active directs'],
  ]);
});

test('the transfer that paid it is named and leads to the statement', async () => {
  openLevel();
  await openLine('Where 4 Mar 2026, level 3 came from');
  const list = within(await screen.findByRole('list', { name: 'Ledger transfers' }));
  expect(list.getByRole('listitem').textContent).toBe(
    'Trade fees → Profit walletbooked 4 Mar 2026, 17:30 UTC, transfer 812$0.1200',
  );
  expect(list.getByRole('link').getAttribute('href')).toBe('/fund/transaction-history?kind=level_bonus');
  expect(screen.getByText('One transfer a session pays levels 2 to 10 together.')).toBeTruthy();
});

test('whose trades it comes from is read page by page', async () => {
  const first = aLevelBonus();
  const next = { id: '10', referral_code: 'TWBBBBBBBB', name: 'Cem Ay', volume: 100, fees: 0.4 };
  const pages = [
    aLevelBonus({ contributors: { items: first.contributors.items, next_cursor: 'after9', total: 2 } }),
    aLevelBonus({ contributors: { items: [next], next_cursor: null, total: 2 } }),
  ];
  const calls = stubServer({
    'GET /auth/user-earner': earnings,
    'GET /fees': fees,
    'GET /bounus/level': success({ items: [first.line], next_cursor: null, total: 0.12 }),
    'GET /bounus/level/2026030403': () => success(pages.shift()),
  });
  renderAt('/income/team-level-bonus', <TeamLevelBonusPage />);
  await openLine('Where 4 Mar 2026, level 3 came from');
  const table = await screen.findByRole('table', { name: 'From whom' });
  expect(cellsOf(table)).toEqual([['Bela Kun TWAAAAAAAA', '$400.00', '$1.6000']]);
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await within(table).findByText('Cem Ay', { exact: false })).toBeTruthy();
  expect(cellsOf(table)).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  const asked = calls.filter(({ name }) => name === 'GET /bounus/level/2026030403');
  expect(asked.map(({ url }) => url.split('?')[1])).toEqual(['limit=10', 'limit=10&cursor=after9']);
});

test('a source that cannot be read says so where it would stand, and can be asked for again', async () => {
  stubServer({
    'GET /auth/user-earner': earnings,
    'GET /fees': fees,
    'GET /bounus/level': success({ items: [aLevelBonus().line], next_cursor: null, total: 0.12 }),
    'GET /bounus/level/2026030403': 'no answer',
  });
  renderAt('/income/team-level-bonus', <TeamLevelBonusPage />);
  await openLine('Where 4 Mar 2026, level 3 came from');
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.getByRole('table', { name: 'Team Level Bonus' })).toBeTruthy();
});

test('team profit is a share of performance fees', async () => {
  const calls = stubServer({
    'GET /auth/user-earner': earnings,
    'GET /fees': fees,
    'GET /auth/team-profit': success({ items: [anIncomeLine({ level: 2 })], next_cursor: null, total: 0.2 }),
  });
  renderAt('/income/team-profit', <TeamProfitPage />);
  const heads = await screen.findAllByRole('columnheader');
  expect(heads.map((head) => head.textContent)).toContain('Performance fees');
  expect((await screen.findByText('15% to 5%')).parentElement?.textContent).toContain(
    'of the performance fees, levels 1 to 3',
  );
  expect(screen.getByText(/performance fees that levels 1 to 3 of your team paid/)).toBeTruthy();
  const asked = () => calls.filter(({ name }) => name === 'GET /auth/team-profit').length;
  const before = asked();
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  fireEvent.click(screen.getByRole('button', { name: /CSV/ }));
  await waitFor(() => expect(asked()).toBe(before + 1));
  expect(calls.some(({ name }) => name.startsWith('GET /bounus/'))).toBe(false);
});

test('before the first bonus it says what it will be a share of, and promises nothing', async () => {
  openReferral([]);
  expect(await screen.findByText('No Referral Bonus yet')).toBeTruthy();
  expect(screen.getByText(/A session without fees pays nothing\./)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Your invitation' }).getAttribute('href')).toBe('/team/referral-team');
});
