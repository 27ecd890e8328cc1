import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { UnsoldAsset, VenueFillProposal } from '#contract/operator/venue-fills.ts';
import { anOverview, approveShown, openForm, proposed, showConsolePage, signInAs } from '../../../../test/console.ts';
import { type Answers, refused, settled, success } from '../../../../test/server.ts';
import { ExchangeFillsPage } from './exchange-fills-page.tsx';

const unsold: UnsoldAsset = {
  order: null,
  day: '2026-03-04',
  symbol: 'btc',
  quantity: '0.5',
  held: '0.50004',
  mark: '50000',
  mark_at: '2026-03-04T17:30:00.000Z',
  carried: true,
};

const sale: VenueFillProposal = {
  ...proposed,
  reference: 'VF-7M2QX4',
  reason: 'Delisted.',
  batch_id: null,
  client_order_id: null,
  side: 'sell',
  day: '2026-03-04',
  symbol: 'btc',
  quantity: '0.5',
  cost: 20_000,
  fee: 20,
  price: '39960.000000000000',
  mark: '50000',
  where: 'Desk Ltd',
  transaction: 'desk-2026',
};

const open = (answers: Answers = {}, at = '/operator/exchange-fills') =>
  showConsolePage(ExchangeFillsPage, at, {
    'GET /operator/venue/unsold': success({ items: [unsold] }),
    'GET /operator/venue/fills': success({ items: [sale], next_cursor: null }),
    ...answers,
  });

beforeEach(() => signInAs());

test('shows what is left to sell, what is held and the last mark', async () => {
  open();
  expect(await screen.findByText('session of 4 Mar 2026, carried over')).toBeDefined();
  expect(screen.getByText('0.50004 held, mark $50,000.0000')).toBeDefined();
  expect(screen.getByText('4 Mar 2026, 17:30 UTC')).toBeDefined();
});

test('with nothing left to sell, no sale can be recorded', async () => {
  open({
    'GET /operator/venue/unsold': success({ items: [] }),
    'GET /operator/overview': success({ ...anOverview(), venue: { ...anOverview().venue, kind: 'ccxt' } }),
  });
  expect(await screen.findByText(/^Every position was sold at the exchange\./)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Record fill' })).toBeNull();
});

test('while the overview is unknown it does not say that everything was sold', async () => {
  open({ 'GET /operator/venue/unsold': success({ items: [] }), 'GET /operator/overview': 'no answer' });
  expect(await screen.findByText(/^Nothing is left to record\./)).toBeDefined();
});

test('in paper mode it says what would appear with an exchange', async () => {
  open({
    'GET /operator/venue/unsold': success({ items: [] }),
    'GET /operator/overview': success({ ...anOverview(), venue: { ...anOverview().venue, kind: 'paper' } }),
  });
  expect(await screen.findByText(/^Trades are filled on paper here\./)).toBeDefined();
});

test('approving shows the price members are paid at, and how far it is from the mark', async () => {
  const name = 'POST /operator/venue/fills/6/approve';
  const page = open({ [name]: success({ ...sale, version: 2, state: 'posted' }) }, '/operator/exchange-fills/6');
  expect(await approveShown('Exchange fill VF-7M2QX4', name, page)).toContain(
    '0.5 BTC at Desk Ltd for $20,000.00, fee $20.00. 20.08% below the mark.',
  );
});

async function openSale(answers: Answers) {
  const page = open(answers);
  const { asked, type, send } = await openForm('Record fill');
  const fill = () => {
    type('Coins sold', '0.5');
    type('Dollars received', '20,000');
    type('Fee in it', '20');
    type('Where', 'Desk Ltd');
    type('Reference', 'desk-2026');
    type('Reason', 'Delisted.');
  };
  return { asked, fill, send, sent: () => page.bodiesOf('POST /operator/venue/fills') };
}

test('recording a sale names what is missing, and a price far from the mark takes a confirmation', async () => {
  const { asked, fill, send, sent } = await openSale({ 'POST /operator/venue/fills': success(sale) });
  send();
  expect(asked.getByText('Enter coins in numbers.')).toBeDefined();
  expect(asked.getByText('Say where.')).toBeDefined();
  fill();
  send();
  expect(asked.getByText('Check the price.')).toBeDefined();
  await settled();
  expect(sent()).toEqual([]);
  fireEvent.click(asked.getByLabelText('The price is right'));
  send();
  await waitFor(() =>
    expect(sent()).toEqual([
      {
        day: '2026-03-04',
        symbol: 'btc',
        quantity: '0.5',
        cost: 20_000,
        fee: 20,
        far_from_mark: true,
        where: 'Desk Ltd',
        transaction: 'desk-2026',
        reason: 'Delisted.',
      },
    ]),
  );
});

test('coins sold in the meantime are reported as sold, and not sent again', async () => {
  const other = { ...unsold, symbol: 'eth' };
  let items = [unsold, other];
  const { asked, fill, send, sent } = await openSale({
    'GET /operator/venue/unsold': () => success({ items }),
    'POST /operator/venue/fills': () => {
      items = [other];
      return refused(409, 'nothing_unsold', 'Nothing of this is left to record.');
    },
  });
  fill();
  send();
  fireEvent.click(asked.getByLabelText('The price is right'));
  send();
  await waitFor(() => expect(screen.getAllByText('session of 4 Mar 2026, carried over')).toHaveLength(1));
  await waitFor(() => expect(asked.getByRole('button', { name: 'Record fill' })).toHaveProperty('disabled', false));
  send();
  expect(await asked.findByText('This was settled meanwhile.')).toBeDefined();
  expect(sent()).toHaveLength(1);
});

const ORDER = '3f2504e04f8911d39a0c0305e82c3301';
const unknown: UnsoldAsset = {
  ...unsold,
  carried: false,
  order: { batch_id: '41', client_order_id: ORDER, side: 'buy' },
};

test('of an order that the exchange does not answer about, it is recorded that nothing was filled', async () => {
  const page = open({
    'GET /operator/venue/unsold': success({ items: [unknown] }),
    'POST /operator/venue/fills': success(sale),
  });
  expect(await screen.findByText('order to buy of 4 Mar 2026, not answered')).toBeDefined();
  const { asked, type, send } = await openForm('Record fill');
  expect(asked.getByText(/^0\.5 were ordered\./)).toBeDefined();
  type('Coins received', '0');
  type('Where', 'Account statement');
  type('Reference', 'ticket-123');
  type('Reason', 'Delisted.');
  send();
  const said = { quantity: '0', cost: 0, fee: 0, where: 'Account statement', transaction: 'ticket-123' };
  await waitFor(() =>
    expect(page.bodiesOf('POST /operator/venue/fills')).toEqual([
      { batch_id: '41', day: '2026-03-04', symbol: 'btc', ...said, far_from_mark: false, reason: 'Delisted.' },
    ]),
  );
});

test.each([
  ['0', 0, 'The order filled nothing. Its trades wait again. Confirm that you have seen it yourself: Statement.'],
  ['0.5', 25_000, 'The order bought 0.5 BTC for $25,000.00, fee $20.00. 0.08% above the mark.'],
])('approving what an order filled (%s) says what follows', async (quantity, cost, text) => {
  const filled = { ...sale, client_order_id: ORDER, side: 'buy' as const, where: 'Statement', quantity, cost };
  const name = 'POST /operator/venue/fills/6/approve';
  const items = [{ ...filled, price: cost === 0 ? '0' : '50040' }];
  const answers = {
    'GET /operator/venue/fills': success({ items, next_cursor: null }),
    [name]: success({ ...filled, version: 2, state: 'posted' }),
  };
  const page = open(answers, '/operator/exchange-fills/6');
  expect(await approveShown('Exchange fill VF-7M2QX4', name, page)).toContain(text);
});
