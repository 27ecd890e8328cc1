import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Plan } from '#contract/trading/plan.ts';
import { aPlan } from '../../../test/plans.ts';
import { addressNow, renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { PlansPage } from './plans-page.tsx';

function open(address: string, ...plans: Plan[]) {
  const calls = stubServer({
    'GET /trading/plans': success({ items: plans, next_cursor: null }),
    'GET /trading/portfolio': success({ totals: { negative_members: 0.6134 } }),
  });
  renderAt(address, <PlansPage />);
  /** The plans asked for last. */
  return () => calls.findLast(({ name }) => name === 'GET /trading/plans')?.url;
}

const row = async (name: string) => {
  const link = await screen.findByRole('link', { name });
  const found = link.closest('tr');
  if (found === null) throw new Error('the plan is a row of the table');
  return found;
};

test('each plan shows value, result, strategy, use of gains, stops, state and the last decision in words', async () => {
  open('/fund/investments', aPlan());
  const text = (await row('btc/usdt')).textContent ?? '';
  expect(text).toContain('Momentum, 20 candles');
  expect(text).toContain('Gains reinvested');
  expect(text).toContain('Stops: stop 2%');
  expect(text).toContain('$254.5000of $250.00');
  expect(text).toContain('+$4.5000+1.80%');
  expect(text).toContain('No entry: only 15 minutes are left before the session closes.');
  expect(text).toContain('Active');
  expect(screen.getByRole('link', { name: 'btc/usdt' }).getAttribute('href')).toBe('/fund/investments/3');
});

test.each([
  ['member', 'by you'],
  ['minimum', 'below the minimum'],
  ['own_limit', 'self-imposed limit'],
  ['asset_off', 'asset not tradable'],
] as const)('a plan paused because of %s says so in words', async (state_reason, words) => {
  open('/fund/investments', aPlan({ state: 'paused', state_reason }));
  expect((await row('btc/usdt')).textContent).toContain(`Paused${words}`);
});

test('a redeemed plan shows what it returned, and a loss has its sign', async () => {
  open('/fund/investments', aPlan({ state: 'redeemed', redeemed: 240, value: 0, principal: 0, result_total: -10 }));
  const text = (await row('btc/usdt')).textContent ?? '';
  expect(text).toContain('$240.0000of $250.00');
  expect(text).toContain('−$10.0000−4.00%');
});

test('the one primary button creates a plan, and without plans the list says what will appear here', async () => {
  open('/fund/investments');
  expect(await screen.findByText('No plans yet')).toBeTruthy();
  const links = screen.getAllByRole('link', { name: 'New plan' });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/fund/investments/new', '/fund/investments/new']);
  expect(
    screen.getByText(
      'Trading can lose money. Nothing here promises a return. 61.34% of members have lost money trading.',
    ),
  ).toBeTruthy();
});

test('the filter requests one state, is kept in the address and can be cleared', async () => {
  const asked = open('/fund/investments?state=paused');
  expect(await screen.findByText('No plans in this state')).toBeTruthy();
  expect(asked()).toContain('state=paused');
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
  expect(await screen.findByText('No plans yet')).toBeTruthy();
  expect(addressNow()).toBe('/fund/investments');
});

test('a state chosen in the menu is requested', async () => {
  const asked = open('/fund/investments', aPlan());
  await row('btc/usdt');
  fireEvent.click(screen.getByRole('button', { name: 'State: All states' }));
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Redeemed' }));
  await waitFor(() => expect(asked()).toContain('state=redeemed'));
  expect(addressNow()).toBe('/fund/investments?state=redeemed');
});

test('the investing pages link to each other', async () => {
  open('/fund/investments');
  const nav = within(await screen.findByRole('navigation', { name: 'Investment' }));
  expect(nav.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Plans', '/fund/investments'],
    ['Compounding history', '/fund/compounding-withdrawal-history'],
    ['Backtest', '/backtest'],
  ]);
  expect(nav.getByRole('link', { current: 'page' }).textContent).toBe('Plans');
});
