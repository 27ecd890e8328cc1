import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { OperatorDeposit } from '#contract/funds/review.ts';
import { anOperatorDeposit, confirmWith, showConsolePage, signInAs } from '../../../../test/console.ts';
import { savedFiles } from '../../../../test/saved-files.ts';
import { type Answers, success } from '../../../../test/server.ts';
import { flagsOf } from './deposit-detail.tsx';
import { DepositsPage } from './deposits-page.tsx';

const LIST = 'GET /operator/deposits';
const ONE = 'GET /operator/deposits/5';

function open(given: Partial<OperatorDeposit> = {}, answers: Answers = {}, at = '/operator/deposits/5') {
  const server = { items: [anOperatorDeposit(given)], deposit: anOperatorDeposit(given) };
  const shown = showConsolePage(DepositsPage, at, {
    [LIST]: () => success({ items: server.items, next_cursor: null }),
    [ONE]: () => success(server.deposit),
    ...answers,
  });
  return { ...shown, server };
}
const panel = () => screen.findByRole('complementary', { name: 'Deposit DP-7M2QX4' });

beforeEach(() => signInAs());

test('those in review come first, with the amount held and their flags', async () => {
  const { sentTo } = open({}, {}, '/operator/deposits');
  const row = (await screen.findByText('Lena Hoffmann')).closest('tr');
  expect(row?.textContent).toContain('$500.00USDT$500.0000paid late');
  expect(sentTo(LIST)[0]?.url).toContain('state=review');
});

test('one that has been in review for a day or more says the day since when', async () => {
  open({ updated_at: '2025-12-30T09:15:00.000Z' }, {}, '/operator/deposits');
  const row = (await screen.findByText('Lena Hoffmann')).closest('tr');
  expect(row?.cells[0]?.textContent).toMatch(/^\d+ d \d+ h30 Dec 2025$/);
});

test('the file names the unit of its amounts', async () => {
  const saved = savedFiles();
  open({}, {}, '/operator/deposits');
  fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(await saved[0]?.file.text()).toContain(
    'Requested (USD),Currency,Credited (USD),Held (USD),Paid (USD),Refunded (USD),Gateway',
  );
});

const closed = { ...anOperatorDeposit().member, closed: true };
const frozen = { ...anOperatorDeposit().member, frozen: true };

test.each<[Partial<OperatorDeposit>, ...string[]]>([
  [{ held: 0, paid: 0 }, 'nothing held'],
  [{ held: 0, paid: 0, credited: 500, member: frozen }, 'reversed'],
  [{ held: 0, paid: null }, 'nothing held'],
  [{ held: 0, paid: 500 }, 'not confirmed'],
  [{ held: 0, paid: 500, credited: 500 }, 'nothing held'],
  [{ held: 499.99 }, 'underpaid'],
  [{ held: 30, credited: 500, paid: 530 }, 'paid again'],
  [{ held: 500, refunded: 500, paid: 1000 }, 'paid again'],
  [{ held: 500.01, paid: 500.01 }, 'overpaid'],
  // Not exact as floats.
  [{ held: 30.2, credited: 500.1, paid: 530.3 }, 'paid again'],
  [{ held: 500, paid: 0 }, 'reversed'],
  [{ updated_at: '2026-03-04T12:59:00.000Z' }],
  [{ updated_at: '2026-03-04T12:59:00.000Z', member: closed }, 'account closed'],
  // A freeze is no cause, and hides none.
  [{ member: frozen }, 'paid late', 'account frozen'],
  [{ held: 499.99, member: frozen }, 'underpaid', 'account frozen'],
  [{ held: 499.99, member: closed }, 'underpaid', 'account closed'],
  [{ state: 'credited' }],
])('%j is flagged as %s', (given, ...flags) => {
  expect(flagsOf(anOperatorDeposit(given))).toEqual(flags);
});

test('what was paid so far is shown while the deposit can be paid', async () => {
  open({ state: 'underpaid', held: 0, paid: 150 }, {}, '/operator/deposits?state=underpaid');
  const row = (await screen.findByText('Lena Hoffmann')).closest('tr');
  expect(row?.textContent).toContain('$500.00USDT$150.0000');
  expect(screen.getByRole('columnheader', { name: 'Paid' })).toBeDefined();
  // Day and time have room.
  expect(screen.getByRole('columnheader', { name: /^Created, UTC/ }).style.width).toBe('132px');
});

test('each list names its order, in review oldest first, and only that one is of deposits in review', async () => {
  open({}, {}, '/operator/deposits');
  expect(await screen.findByText(/Oldest first\.$/)).toBeDefined();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Deposits in review');
  expect(
    screen.getByText(/^Underpaid, paid late, again or in another coin, reversed, or of a closed account\./),
  ).toBeTruthy();
  cleanup();
  open({}, {}, '/operator/deposits?state=credited');
  expect(await screen.findByText('Newest first.')).toBeDefined();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Deposits');
});

test('an empty list other than that in review announces no reviews', async () => {
  const says = /cannot settle by itself/;
  const none = { [LIST]: success({ items: [], next_cursor: null }) };
  open({}, none, '/operator/deposits');
  expect(await screen.findByText(says)).toBeDefined();
  cleanup();
  open({}, none, '/operator/deposits?state=failed');
  expect(await screen.findByText('No deposits failed')).toBeDefined();
  expect(screen.queryByText(says)).toBeNull();
});

test('a deposit opens by its address, whichever list it is in, and an unknown one is reported missing', async () => {
  const [empty, gone] = [success({ items: [], next_cursor: null }), { status: 404, body: { status: 'error' } }];
  open({ state: 'credited' }, { [LIST]: empty });
  expect(await panel()).toBeDefined();
  cleanup();
  open({}, { [LIST]: empty, [ONE]: gone });
  expect(await screen.findByText('No deposit at this address.')).toBeDefined();
});

test.each<[string, string, Partial<OperatorDeposit>, Record<string, string>]>([
  ['Credit deposit', 'credit', {}, { reason: 'Came an hour late.', otp: '123456' }],
  ['Mark as refunded', 'refund', {}, { reason: 'Not a member.', transaction: 'f4184fc596', otp: '123456' }],
  ['Reject deposit', 'reject', { held: 0 }, { reason: 'Nothing came.' }],
])('%s takes its own fields and sends them with the version that was shown', async (button, path, given, body) => {
  const name = `POST /operator/deposits/5/${path}`;
  const { bodiesOf } = open(given, {
    [name]: () => success(anOperatorDeposit({ ...given, version: 3, state: 'credited' })),
  });
  const shown = await panel();
  // Only a deposit that holds money can be credited, and only one that holds none can be closed.
  expect(within(shown).queryByRole('button', { name: 'Credit deposit' }) === null).toBe(given.held === 0);
  fireEvent.click(within(shown).getByRole('button', { name: button }));
  await confirmWith(button, body);
  await waitFor(() => expect(bodiesOf(name)).toEqual([{ version: 2, ...body }]));
});

test('a credited deposit leaves the list but stays open, in its new state', async () => {
  const { server } = open(
    {},
    {
      'POST /operator/deposits/5/credit': () => {
        server.items = [];
        server.deposit = anOperatorDeposit({ version: 3, state: 'credited', credited: 500, held: 0 });
        return success(server.deposit);
      },
    },
  );
  fireEvent.click(within(await panel()).getByRole('button', { name: 'Credit deposit' }));
  const asked = await confirmWith('Credit deposit', { reason: 'Came an hour late.', otp: '123456' });
  expect(asked.textContent).toContain('$500.00 is credited to the Primary Wallet of Lena Hoffmann.');
  expect(await within(await panel()).findByText('Credited', { selector: 'span' })).toBeDefined();
  expect(await screen.findByText('No deposits in review')).toBeDefined();
});

test('a decision about held money takes a code or a passkey, which is all that some have', async () => {
  open();
  expect(within(await panel()).getByText('Both take a code or a passkey.')).toBeDefined();
});

test('nothing is credited to a closed account: held money is sent back', async () => {
  open({ member: { ...anOperatorDeposit().member, closed: true } });
  const shown = await panel();
  expect(
    within(shown).getByText('The account is closed: send the money back. Takes a code or a passkey.'),
  ).toBeDefined();
  expect(within(shown).getByRole('button', { name: 'Mark as refunded' })).toBeDefined();
  expect(within(shown).queryByRole('button', { name: 'Credit deposit' })).toBeNull();
  fireEvent.click(within(shown).getByRole('button', { name: 'Mark as refunded' }));
  const asked = await screen.findByRole('dialog');
  expect(asked.textContent).toContain('The account is closed: the member does not see it.');
  expect(asked.textContent).not.toContain('Visible to the member');
});

test('a payment that the gateway no longer has is not credited', async () => {
  open({ paid: 499 });
  const shown = await panel();
  expect(
    within(shown).getByText('The gateway no longer has the whole payment. Takes a code or a passkey.'),
  ).toBeDefined();
  expect(within(shown).getByRole('button', { name: 'Mark as refunded' })).toBeDefined();
  expect(within(shown).queryByRole('button', { name: 'Credit deposit' })).toBeNull();
});

test('support decides nothing', async () => {
  signInAs({ role: 'support' });
  open();
  expect(within(await panel()).queryByRole('button', { name: 'Credit deposit' })).toBeNull();
  expect(screen.getByText('Only finance and admins decide.')).toBeDefined();
});
