import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aLevelBonus, anIncomeLine, earnings, fees } from '../../../test/incomes.ts';
import { partsOf, rowsOf, textsOf } from '../../../test/reading.ts';
import { queryOf, showPage } from '../../../test/render.tsx';
import { savedFiles } from '../../../test/saved-files.ts';
import { type Answers, refused, success } from '../../../test/server.ts';
import { ReferralBonusPage, TeamLevelBonusPage, TeamProfitPage } from './bonus-page.tsx';

const always = { 'GET /auth/user-earner': earnings, 'GET /fees': fees };
const page = (items: unknown[], total = 0.12) => success({ items, next_cursor: null, total });

const openReferral = (items: unknown[]) =>
  showPage('/income/referral-bonus', <ReferralBonusPage />, { ...always, 'GET /bounus/referral': page(items, 24.116) });

const openLevel = (source: Answers[string] = success(aLevelBonus())) =>
  showPage('/income/team-level-bonus', <TeamLevelBonusPage />, {
    ...always,
    'GET /bounus/level': page([aLevelBonus().line]),
    'GET /bounus/level/2026030403': source,
  });

const openLine = async (name: string) => {
  const button = await screen.findByRole('button', { name });
  fireEvent.click(button);
  return button;
};

test('each line has the volume, fees, share, amount paid and coverage', async () => {
  openReferral([anIncomeLine(), anIncomeLine({ id: '2026030301', session: '2026-03-03', fees: 0.4, amount: 0.08 })]);
  await screen.findByText('4 Mar 2026');
  expect(rowsOf(screen.getByRole('table', { name: 'Referral Bonus' }))).toEqual([
    ['', '4 Mar 2026', '$250.00', '$1.0000', '20%', '$0.2000Coverage 100%'],
    ['', '3 Mar 2026', '$250.00', '$0.4000', '20%', '$0.0800Coverage 100%'],
  ]);
  // A lifetime total is not a number of lines.
  expect(screen.getByText('1 to 2')).toBeTruthy();
  expect((await screen.findByText('Lifetime')).parentElement?.textContent).toContain('$24.1160');
  expect(screen.getByText('Today').parentElement?.textContent).toContain('$0.2000');
  expect((await screen.findByText('Your share now')).parentElement?.textContent).toBe(
    'Your share now20%Of the trade fees, level 1',
  );
});

test('sums that could not be loaded are said to be so, and loaded again', async () => {
  let asked = 0;
  showPage('/income/referral-bonus', <ReferralBonusPage />, {
    ...always,
    'GET /auth/user-earner': () => {
      asked += 1;
      return asked === 1 ? refused(500, 'internal_error', 'Something went wrong.') : earnings;
    },
    'GET /bounus/referral': page([anIncomeLine()]),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect((await screen.findByText('Today')).parentElement?.textContent).toContain('$0.2000');
});

test('the pages are tabs of one section; the current one names heading and document', async () => {
  openReferral([]);
  const tabs = within(screen.getByRole('navigation', { name: 'Income' }));
  expect(textsOf(tabs.getAllByRole('link'))).toEqual([
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
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Referral Bonus');
  expect(document.title).toMatch(/^Referral Bonus · /);
});

test('a line expands to its calculation, all levels and the transfer that paid it, and collapses again', async () => {
  openLevel();
  const button = await openLine('Calculation of 4 Mar 2026, level 3');
  expect(button.getAttribute('aria-expanded')).toBe('true');
  const steps = (await screen.findByText('Trade fees of all members')).closest('ol') as HTMLElement;
  expect(partsOf(steps)).toEqual([
    'Trade fees of all members$120.0000Session of 4 Mar 2026',
    'Paid by level 3 of your team$2.00002 members traded $500.00',
    'Your share6%Fee plan 1, in force when the session opened',
    'You qualifiedYesYou traded in the 30 days to the session’s close and had 4 active directs, 3 needed.',
    'Paid into your Profit Wallet$0.1200Market time 4 Mar 2026, 17:30 UTC, coverage 100%',
  ]);
  expect(document.getElementById(button.getAttribute('aria-controls') ?? '')?.textContent).toContain(
    'From 2 contributing members',
  );
  // Levels that paid nothing say why.
  expect(rowsOf(screen.getByRole('table', { name: 'All levels of the session' }))).toEqual([
    ['3', '$500.00', '$2.0000', '6%', '$0.1200'],
    ['7', '$1,000.00', '$4.0000', '2%', '4 of 7 active directs'],
  ]);
  const list = within(screen.getByRole('list', { name: 'Ledger transfers' }));
  expect(list.getByRole('listitem').textContent).toBe(
    'Trade fees → Profit Wallet4 Mar 2026, 17:30 UTC, transfer 812$0.1200',
  );
  expect(list.getByRole('link').getAttribute('href')).toBe('/fund/transaction-history?kind=level_bonus');
  expect(screen.getByText('One transfer a session pays levels 2 to 10 together, rounded down once.')).toBeTruthy();
  fireEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByText('From 2 contributing members')).toBeNull();
});

test('the trades it comes from are loaded page by page', async () => {
  const first = aLevelBonus();
  const next = { id: '10', referral_code: 'TWBBBBBBBB', name: 'Cem Ay', volume: 100, fees: 0.4 };
  const pages = [
    aLevelBonus({ contributors: { items: first.contributors.items, next_cursor: 'after9', total: 2 } }),
    aLevelBonus({ contributors: { items: [next], next_cursor: null, total: 2 } }),
  ];
  const { sentTo } = openLevel(() => success(pages.shift()));
  await openLine('Calculation of 4 Mar 2026, level 3');
  const table = await screen.findByRole('table', { name: 'Contributing members' });
  expect(rowsOf(table)).toEqual([['Bela Kun TWAAAAAAAA', '$400.00', '$1.6000']]);
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await within(table).findByText('Cem Ay', { exact: false })).toBeTruthy();
  expect(rowsOf(table)).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  expect(sentTo('GET /bounus/level/2026030403').map(queryOf)).toEqual([
    { limit: '10' },
    { limit: '10', cursor: 'after9' },
  ]);
});

test('a source that cannot be loaded says so in its place and can be retried', async () => {
  openLevel('no answer');
  await openLine('Calculation of 4 Mar 2026, level 3');
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.getByRole('table', { name: 'Team Level Bonus' })).toBeTruthy();
});

test('team profit is a share of performance fees', async () => {
  const { calls, sentTo } = showPage('/income/team-profit', <TeamProfitPage />, {
    ...always,
    'GET /auth/team-profit': page([anIncomeLine({ level: 2 })], 0.2),
  });
  const heads = await screen.findAllByRole('columnheader');
  expect(heads.map((head) => head.textContent)).toContain('Performance fees');
  expect((await screen.findByText('15% to 5%')).parentElement?.textContent).toContain(
    'Of the performance fees, levels 1 to 3',
  );
  expect(screen.getByText(/performance fees that levels 1 to 3 of your team paid/)).toBeTruthy();
  const asked = () => sentTo('GET /auth/team-profit').length;
  const before = asked();
  savedFiles();
  fireEvent.click(screen.getByRole('button', { name: /CSV/ }));
  await waitFor(() => expect(asked()).toBe(before + 1));
  expect(calls.some(({ name }) => name.startsWith('GET /bounus/'))).toBe(false);
});

test('before the first bonus the page says what it is a share of, and promises nothing', async () => {
  openReferral([]);
  expect(await screen.findByText('No Referral Bonus yet')).toBeTruthy();
  expect(screen.getByText(/A session without fees pays nothing\./)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'View your invitation' }).getAttribute('href')).toBe('/team/referral-team');
});
