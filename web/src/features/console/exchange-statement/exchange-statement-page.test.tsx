import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type {
  ExchangeStatement,
  StatementBooking,
  StatementFinding,
  StatementLine,
  StatementSettlement,
} from '#contract/operator/statement.ts';
import { approveShown, openForm, proposed, showConsolePage, signInAs } from '../../../../test/console.ts';
import { type Answers, listed, success } from '../../../../test/server.ts';
import { ExchangeStatementPage } from './exchange-statement-page.tsx';

const line: StatementLine = {
  kind: 'fill',
  id: 'TABCDE-1',
  at: '2026-03-04T14:00:21.000Z',
  pair: 'BTC/USD',
  symbol: 'btc',
  coin: 'BTC',
  order_id: 'OABCDE-7',
  client_order_id: null,
  side: 'buy',
  quantity: '0.05000000',
  cost: '2501.25000000',
  fee: '2.50125',
  fee_coin: 'USD',
  amount: null,
  transaction: null,
  word: 'trade',
};
const booking: StatementBooking = {
  kind: 'fill',
  at: '2026-03-04T14:00:21.000Z',
  batch_id: '12',
  trade_id: 'TABCDE-9',
  order_id: 'OABCDE-2',
  symbol: 'btc',
  side: 'sell',
  quantity: '0.5',
  cost: '25000',
  fee: '25',
  fee_coin: 'USD',
  reference: null,
  transfer_id: null,
  amount: null,
  transaction: null,
};
const byHand: StatementFinding = {
  id: '7',
  exchange: 'kraken',
  kind: 'unmatched',
  state: 'open',
  found_at: '2026-03-04T18:00:00.000Z',
  closed_at: null,
  line,
  booking: null,
  bookable: true,
  settlement: null,
};
const rebate: StatementLine = {
  ...line,
  kind: 'other',
  pair: null,
  symbol: null,
  coin: 'USD',
  side: null,
  quantity: null,
  cost: null,
  order_id: null,
  fee: '0',
  fee_coin: null,
  amount: '-1.23',
  word: 'rollover',
  id: 'LABCDE-3',
};
const open: readonly StatementFinding[] = [
  byHand,
  { ...byHand, id: '8', kind: 'missing', line: null, booking, bookable: false, settlement: 'SL-7M2QX4' },
  { ...byHand, id: '9', kind: 'differs', booking, bookable: false },
  { ...byHand, id: '10', line: rebate },
];
const statement: ExchangeStatement = {
  exchange: 'kraken',
  open: 4,
  asked: false,
  fault: null,
  fault_at: null,
  imports: [
    {
      ...{
        id: '3',
        exchange: 'kraken',
        covered_from: '2026-03-01T18:00:00.000Z',
        lines: 412,
        new_lines: 1,
        matched: 9,
      },
      covered_to: '2026-03-04T18:00:00.000Z',
      imported_at: '2026-03-04T18:00:02.000Z',
    },
  ],
};
const settlement: StatementSettlement = {
  ...proposed,
  reference: 'SL-7M2QX4',
  reason: 'Bought while the page was down.',
  transfer_id: null,
  how: 'booked',
  finding: byHand,
};

const show = (answers: Answers = {}, at = '/operator/exchange-statement') =>
  showConsolePage(ExchangeStatementPage, at, {
    'GET /operator/venue/statement': success(statement),
    'GET /operator/venue/statement/findings': listed(open),
    'GET /operator/venue/statement/settlements': success({ items: [settlement], next_cursor: null }),
    ...answers,
  });

beforeEach(() => signInAs());

test('shows what was imported, and what is open and why', async () => {
  show();
  expect(await screen.findByText('412 lines, 1 new')).toBeDefined();
  expect(screen.getByText('1 Mar, 18:00 to 4 Mar 2026, 18:00 UTC')).toBeDefined();
  const list = within(await screen.findByRole('grid', { name: 'Open entries, oldest first' }));
  const texts = list.getAllByRole('row').map((row) => row.textContent);
  expect(texts[1]).toContain('Bought 0.05 BTCUnmatched');
  expect(texts[1]).toContain('$2,501.25');
  expect(texts[2]).toContain('Sold 0.5 BTCMissing in the statement');
  expect(texts[2]).toContain('SL-7M2QX4');
  expect(texts[3]).toContain('Differs');
  expect(texts[4]).toContain('RolloverUnmatched');
  expect(texts[4]).toContain('−1.23 USD');
});

test('an entry opens by its number, in whatever state and however old it is', async () => {
  const matched = { ...byHand, state: 'matched', closed_at: '2026-03-05T18:00:00.000Z' } as const;
  show({ 'GET /operator/venue/statement/findings': listed([matched], []) }, '/operator/exchange-statement/7');
  const shown = within(await screen.findByRole('complementary', { name: 'Entry No. 7' }));
  expect(shown.getByText('5 Mar 2026, 18:00 UTC')).toBeDefined();
});

test('an entry shows both sides', async () => {
  show({}, '/operator/exchange-statement/9');
  const shown = within(await screen.findByRole('complementary', { name: 'Entry No. 9' }));
  expect(shown.getByText('Statement and ledger have other figures under the same id.')).toBeDefined();
  expect(shown.getByText('In the statement')).toBeDefined();
  expect(shown.getByText('0.05 BTC')).toBeDefined();
  expect(shown.getByText('In the ledger')).toBeDefined();
  expect(shown.getByText('No. 12')).toBeDefined();
});

test('an entry is settled with a reason; one that cannot be booked is explained', async () => {
  const name = 'POST /operator/venue/statement/settlements';
  const { bodiesOf } = show({ [name]: success(settlement) }, '/operator/exchange-statement/7');
  const { asked, type, send } = await openForm('Settle entry', 'Propose');
  send();
  expect(asked.getByText('Enter a reason.')).toBeDefined();
  fireEvent.click(asked.getByText('Explain'));
  expect(asked.getByText('Nothing is booked.')).toBeDefined();
  fireEvent.click(asked.getByText('Book'));
  type('Reason', 'Bought by hand.');
  send();
  await waitFor(() => expect(bodiesOf(name)).toEqual([{ finding_id: '7', how: 'booked', reason: 'Bought by hand.' }]));
});

test('an entry with a proposal waits, and support can only read', async () => {
  show({}, '/operator/exchange-statement/8');
  expect(await screen.findByText('SL-7M2QX4 waits for a second operator.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Settle entry' })).toBeNull();
});

test('support can neither import nor settle', async () => {
  signInAs({ role: 'support' });
  show({}, '/operator/exchange-statement/7');
  expect(await screen.findByText('Only finance and admins settle entries.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Import now' })).toBeNull();
});

test('approving says what is booked', async () => {
  const name = 'POST /operator/venue/statement/settlements/6/approve';
  const page = show(
    { [name]: success({ ...settlement, version: 2, state: 'posted' }) },
    '/operator/exchange-statement/6?view=proposed',
  );
  const said = await approveShown('Settlement SL-7M2QX4', name, page);
  expect(said).toContain('Bought 0.05 BTC, $2,501.25.');
  expect(said).toContain('Coins and dollars are booked to the holding');
});

test('an import can be requested, and a failed one says why', async () => {
  const name = 'POST /operator/venue/statement/import';
  const fault = { fault: 'the statement cannot be right: fill T1 of NaN for 5', fault_at: '2026-03-04T18:00:00.000Z' };
  const { bodiesOf } = show({
    [name]: success(null),
    'GET /operator/venue/statement': success({ ...statement, ...fault }),
  });
  expect(await screen.findByText('The import of 4 Mar 2026, 18:00 UTC failed')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Import now' }));
  await waitFor(() => expect(bodiesOf(name)).toHaveLength(1));
});

test('that everything matches is said after an import', async () => {
  show({
    'GET /operator/venue/statement': success({ ...statement, open: 0 }),
    'GET /operator/venue/statement/findings': success({ items: [], next_cursor: null }),
  });
  expect(await screen.findByText('Everything matches')).toBeDefined();
});

test('in paper mode there is nothing to import', async () => {
  show({
    'GET /operator/venue/statement': success({ ...statement, exchange: null, imports: [], open: 0 }),
    'GET /operator/venue/statement/findings': success({ items: [], next_cursor: null }),
  });
  expect(await screen.findByText('No open entries')).toBeDefined();
  expect(screen.getByText('Trades are filled on paper: there is no exchange to compare with.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Import now' })).toBeNull();
});
