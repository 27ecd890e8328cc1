import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { TreasuryMove } from '#contract/operator/proposals.ts';
import { approveShown, openForm, proposed, showConsolePage, signInAs, theTreasury } from '../../../../test/console.ts';
import { type Answers, success } from '../../../../test/server.ts';
import { TreasuryPage } from './treasury-page.tsx';

const aMove = (given: Partial<TreasuryMove> = {}): TreasuryMove => ({
  ...proposed,
  reference: 'TM-7M2QX4',
  kind: 'revenue_out',
  source: 'fee_revenue',
  amount: 5_000,
  reason: 'Salaries.',
  transaction: 'f4184fc596',
  transfer_id: null,
  sale: null,
  ...given,
});

function open(answers: Answers = {}, at = '/operator/treasury') {
  return showConsolePage(TreasuryPage, at, {
    'GET /operator/treasury': success(theTreasury),
    'GET /operator/treasury/moves': success({ items: [aMove()], next_cursor: null }),
    ...answers,
  });
}

beforeEach(() => signInAs());

test('shows booked next to reported amounts, and unknown as unknown', async () => {
  open();
  expect(await screen.findByText('$1,702,000.00 reported at 14:00 UTC')).toBeDefined();
  expect(screen.getByText('no report yet')).toBeDefined();
  expect(screen.getByText('−$12.50')).toBeDefined();
  expect(screen.getByText('$200.00, $500.00 claimed')).toBeDefined();
  expect(screen.getByText('0.1628, $11,000.00')).toBeDefined();
});

test('shows since when a holder has not reported, and that it once did', async () => {
  const gateway = { booked: 100, reported: null, reported_at: '2026-03-03T14:00:00.000Z' };
  open({ 'GET /operator/treasury': success({ ...theTreasury, gateway }) });
  expect(await screen.findByText('last report 3 Mar 2026, 14:00 UTC, too old to count')).toBeDefined();
});

test('approving a move shows what is booked, and sends the version that was shown', async () => {
  const name = 'POST /operator/treasury/moves/6/approve';
  const page = open({ [name]: success(aMove({ version: 2, state: 'posted' })) }, '/operator/treasury/6');
  expect(await approveShown('Treasury move TM-7M2QX4', name, page)).toContain(
    'Revenue withdrawal, fee revenue: $5,000.00. Confirm that you have seen the external payment.',
  );
});

test('recording a move takes amount, reason and hash, and names what is missing', async () => {
  const { sends } = open({ 'POST /operator/treasury/moves': success(aMove()) });
  const { asked, type, send } = await openForm('Record move');
  type('Amount', '-5');
  send();
  expect(asked.getByText('Enter an amount above 0.')).toBeDefined();
  expect(asked.getByText('Enter the transaction hash.')).toBeDefined();
  type('Amount', '5,000');
  type('Reason', 'More trades.');
  type('Transaction hash', 'f4184fc596');
  send();
  await sends('POST /operator/treasury/moves', {
    kind: 'venue_fund',
    amount: 5_000,
    reason: 'More trades.',
    transaction: 'f4184fc596',
  });
});

const coins = { asset: 'BTC', units: '0.5', value: 24_000, valued_at: '2026-03-04T14:00:00.000Z', valued: true };
const aSale = { units: '0.2', limit_price: 49_000, state: null, sold: null, proceeds: null, reason: null };

test('Bitcoin at the gateway is shown with its value and the difference of reports, and can be sold', async () => {
  const withCoins = { ...theTreasury, gateway_deviation: -884.12, gateway_coins: [coins] };
  const { sends } = open({
    'GET /operator/treasury': success(withCoins),
    'POST /operator/treasury/moves': success(aMove()),
  });
  expect(await screen.findByText('$24,000.00')).toBeDefined();
  expect(screen.getByText('0.5')).toBeDefined();
  expect(screen.getByText('−$884.12')).toBeDefined();
  const { asked, type, send } = await openForm('Record move');
  fireEvent.click(asked.getByRole('combobox', { name: 'Move' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Bitcoin sale' }));
  type('Reason', 'Into dollars.');
  type('Transaction hash', 'f4184fc596');
  send();
  expect(asked.getAllByText('Enter an amount above 0.')).toHaveLength(2);
  type('Bitcoin', '0.2');
  type('Lowest price', '49,000');
  send();
  await sends('POST /operator/treasury/moves', {
    kind: 'coin_sale',
    units: '0.2',
    limit_price: 49_000,
    reason: 'Into dollars.',
    transaction: 'f4184fc596',
  });
});

const listing = (move: Partial<TreasuryMove>) => ({
  'GET /operator/treasury/moves': success({
    items: [aMove({ kind: 'coin_sale', source: null, amount: 9_800, ...move })],
    next_cursor: null,
  }),
});

test('a sale shows its price before it is approved', async () => {
  open(listing({ sale: aSale }), '/operator/treasury/6');
  const shown = await screen.findByRole('complementary', { name: 'Treasury move TM-7M2QX4' });
  fireEvent.click(within(shown).getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText(/^Sell 0.2 BTC at \$49,000.00 or more/)).toBeDefined();
});

test('the page then shows how much of it was sold', async () => {
  const sale = { ...aSale, state: 'sold', sold: '0.08', proceeds: 3_996 } as const;
  open(listing({ state: 'posted', sale }), '/operator/treasury/6');
  expect(await screen.findByText('0.08 of 0.2 BTC')).toBeDefined();
  expect(screen.getByText('$3,996.00')).toBeDefined();
});
