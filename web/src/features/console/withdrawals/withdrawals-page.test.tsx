import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { OperatorWithdrawal } from '#contract/funds/review.ts';
import { anOperatorWithdrawal, confirmWith, samuel, showConsolePage, signInAs } from '../../../../test/console.ts';
import { addressNow } from '../../../../test/render.tsx';
import { savedFiles } from '../../../../test/saved-files.ts';
import { type Answers, refused, success } from '../../../../test/server.ts';
import { flagsOf } from './withdrawal-detail.tsx';
import { WithdrawalsPage } from './withdrawals-page.tsx';

const LIST = 'GET /operator/withdrawals';
const ONE = 'GET /operator/withdrawals/7';

/** The page with a server that has one withdrawal; `shown` may be changed while the page is open. */
function open(given: Partial<OperatorWithdrawal> = {}, answers: Answers = {}, at = '/operator/withdrawals/7') {
  const server = { withdrawal: anOperatorWithdrawal(given) };
  const shown = showConsolePage(WithdrawalsPage, at, {
    [LIST]: () => success({ items: [server.withdrawal], next_cursor: null }),
    [ONE]: () => success(server.withdrawal),
    ...answers,
  });
  return { ...shown, server };
}
const panel = () => screen.findByRole('complementary', { name: 'Withdrawal WD-93KX7A' });
const press = async (name: string) => fireEvent.click(within(await panel()).getByRole('button', { name }));
const dialog = () => screen.findByRole('dialog');
const buttonsOf = async () => {
  const found = within(await panel())
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.textContent);
  return found.filter((name) => name !== 'Close' && !name?.startsWith('Copy'));
};

beforeEach(() => signInAs());

describe('the queue', () => {
  test('shows the day’s figures: waiting, oldest, those that need two, and whether the gateway covers it', async () => {
    open({}, {}, '/operator/withdrawals');
    expect(await screen.findByText('$21,190.50')).toBeDefined();
    expect(screen.getByText('9 requests, net of fees')).toBeDefined();
    expect(screen.getByText('1 with first approval')).toBeDefined();
    expect(screen.getByText('$1,702,884.12')).toBeDefined();
    expect(screen.getByText('covers the queue')).toBeDefined();
    const tabs = screen.getAllByRole('tab').map((tab) => tab.textContent);
    expect(tabs.slice(0, 4)).toEqual(['Requested9', 'Approved4', 'Sent3', 'Uncertain']);
  });

  test('shows for each who requested it, the amount and its approvals; and opens it at an address', async () => {
    open(
      { approvals: [{ operator_id: '2', operator: 'Ines Duarte', at: '2026-03-04T12:20:00.000Z', counts: true }] },
      {},
      '/operator/withdrawals',
    );
    const row = (await screen.findByText('Lena Hoffmann')).closest('tr');
    expect(row?.textContent).toContain('TWB8Q7YD4E$6,200.00Profit$6,138.0000fee $62.00TRC201 of 2');
    if (row) fireEvent.click(row);
    expect(await panel()).toBeDefined();
    expect(addressNow()).toBe('/operator/withdrawals/7');
  });

  test('says the day since when one has waited for a day or more, before that the time', async () => {
    const waits = async () => (await screen.findByText('Lena Hoffmann')).closest('tr')?.cells[0]?.textContent;
    open({ created_at: '2025-12-30T09:15:00.000Z' }, {}, '/operator/withdrawals');
    expect(await waits()).toMatch(/^\d+ d \d+ h30 Dec 2025$/);
    cleanup();
    open({ created_at: new Date().toISOString() }, {}, '/operator/withdrawals');
    expect(await waits()).toMatch(/^< 1 min\d\d:\d\d UTC$/);
  });

  test('names the unit of the amounts in its file', async () => {
    const saved = savedFiles();
    open({}, {}, '/operator/withdrawals');
    fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(await saved[0]?.file.text()).toContain('Amount (USD),Fee (USD),Net (USD),Wallet');
  });

  test.each([
    ['approved', 'Oldest first.'],
    ['completed', 'Newest first.'],
  ])('states the order of those %s', async (state, order) => {
    open({}, {}, `/operator/withdrawals?state=${state}`);
    expect(await screen.findByText(order, { exact: false })).toBeDefined();
  });

  test('requests the state of the tab, and flags a frozen member', async () => {
    const frozen = { ...anOperatorWithdrawal().member, frozen: true };
    const { sentTo } = open({ state: 'approved', member: frozen }, {}, '/operator/withdrawals?state=approved');
    expect(await screen.findByText('frozen')).toBeDefined();
    expect(sentTo(LIST)[0]?.url).toContain('state=approved');
  });

  test('flags a new device and a first payout, while it waits', async () => {
    open({ new_device: true, first_payout: true });
    expect(await screen.findByText('new device')).toBeDefined();
    expect(screen.getByText('first payout')).toBeDefined();
    const checks = within(await panel());
    expect(checks.getByText('New device in the 24 hours before')).toBeDefined();
    expect(checks.getByText('First payout of this member')).toBeDefined();
  });

  test('shows the network fee that the house would pay, before the approval', async () => {
    const fee = 'GET /operator/network-fee';
    const { sentTo } = open({ network_fee_estimated: true }, { [fee]: success({ estimate: 2.75 }) });
    expect(await within(await panel()).findByText('about $2.75')).toBeDefined();
    expect(sentTo(fee)[0]?.url).toContain('network=TRC20');
  });

  test('says that an estimate is not available when nobody can give one', async () => {
    const away = refused(503, 'gateway_unavailable', 'Away.');
    open({ network_fee_estimated: true }, { 'GET /operator/network-fee': away });
    expect(await within(await panel()).findByText('Estimate not available')).toBeDefined();
  });

  test.each<[string, Partial<OperatorWithdrawal>, string[]]>([
    ['known devices and an earlier payout', { new_device: false, first_payout: false }, []],
    ['no known sign-in', { new_device: null }, []],
    ['a final one', { state: 'completed', new_device: true, first_payout: true }, []],
  ])('has no flag for %s', (_, given, flags) => {
    expect(flagsOf(anOperatorWithdrawal(given))).toEqual(flags);
  });
});

const REFUNDED = '$6,200.00 goes back to the Profit Wallet of Lena Hoffmann.';
const stale = { operator_id: '2', operator: 'Ines Duarte', at: '2026-03-04T12:20:00.000Z', counts: false };
const own = { operator_id: samuel.id, operator: samuel.name, at: '2026-03-04T12:21:00.000Z', counts: true };

describe('one withdrawal', () => {
  test.each([
    ['approved', 'To pay out'],
    ['sent', 'Sent, not confirmed'],
    ['uncertain', 'Perhaps sent'],
    ['completed', 'Paid out'],
    ['rejected', 'Not paid out'],
    ['failed', 'Not paid out'],
  ] as const)('%s says of its amount: %s', async (state, words) => {
    open({ state });
    expect(within(await panel()).getByText(words)).toBeDefined();
  });

  test('shows that an approval no longer counts', async () => {
    open({ approvals: [stale], approvals_missing: 2 });
    const shown = within(await panel());
    expect(shown.getByText('Approvals, 0 of 2')).toBeDefined();
    const line = shown.getByText('Ines Duarte, 4 Mar, 12:20 UTC: no longer valid, operator disabled or role changed');
    expect(line.closest('li')?.getAttribute('data-state')).toBe('warning');
    expect(shown.getByText('Two operators: you may approve')).toBeDefined();
  });

  test('once approved says that it is held while an approval is missing', async () => {
    open({ state: 'approved', approvals: [stale], approvals_missing: 1 });
    const shown = within(await panel());
    expect(
      shown.getByText('An approval is no longer valid. Another operator has to approve it before it is paid.'),
    ).toBeDefined();
    expect(shown.getByText('A second operator: you may approve')).toBeDefined();
  });

  test('shows the net amount, the address in groups of four, checks and approvals', async () => {
    open({ approvals: [{ operator_id: '2', operator: 'Ines Duarte', at: '2026-03-04T12:20:00.000Z', counts: true }] });
    const shown = await panel();
    expect(within(shown).getByText('$6,200.00 less fee, $62.00, from the Profit Wallet')).toBeDefined();
    expect(within(shown).getByText('TKq8').parentElement?.textContent).toBe('TKq8mZ4vRw2Xc7Nd9LhPb5Ys3FgJt6QeAu');
    expect(within(shown).getByText('$6,200.00 of the daily limit of $10,000.00')).toBeDefined();
    expect(within(shown).getByText('Approvals, 1 of 2')).toBeDefined();
    expect(within(shown).getByText('Ines Duarte, 4 Mar, 12:20 UTC')).toBeDefined();
    expect(within(shown).getByText('A second operator: you may approve')).toBeDefined();
  });

  test.each<[string, Partial<OperatorWithdrawal>, string[]]>([
    ['requested', {}, ['Reject', 'Approve']],
    [
      'requested and approved by oneself',
      { approvals: [{ operator_id: samuel.id, operator: samuel.name, at: '2026-03-04T12:20:00.000Z', counts: true }] },
      ['Reject'],
    ],
    ['approved', { state: 'approved' }, ['Reject', 'Claim for manual payment']],
    [
      'approved by an operator disabled since',
      { state: 'approved', approvals: [stale], approvals_missing: 1 },
      ['Reject', 'Approve'],
    ],
    [
      'approved, with a missing approval that is not one’s own',
      { state: 'approved', approvals: [stale, own], approvals_missing: 1 },
      ['Reject'],
    ],
    ['requested and approved by an operator disabled since', { approvals: [stale] }, ['Reject', 'Approve']],
    ['being paid by the gateway', { state: 'approved', payout: payoutOf({ way: 'gateway' }) }, []],
    [
      'claimed by oneself',
      { state: 'approved', payout: payoutOf({ operator_id: samuel.id }) },
      ['Release claim', 'Mark as sent'],
    ],
    ['claimed by a colleague', { state: 'approved', payout: payoutOf({ operator_id: '2' }) }, []],
    [
      'claimed by a colleague who may no longer pay',
      { state: 'approved', payout: payoutOf({ operator_id: '2', abandoned: true }) },
      ['Release claim', 'Mark as sent'],
    ],
    ['sent manually', { state: 'sent', payout: payoutOf({ operator_id: '2' }) }, ['Mark as returned', 'Complete']],
    ['sent by the gateway', { state: 'sent', payout: payoutOf({ way: 'gateway', payout_id: 'P-1' }) }, []],
    [
      'sent by the gateway, as found out by an operator',
      { state: 'sent', payout: payoutOf({ way: 'gateway', payout_id: null }) },
      ['Mark as returned', 'Complete'],
    ],
    [
      'uncertain',
      { state: 'uncertain', payout: payoutOf({ way: 'gateway' }) },
      ['Mark as not sent', 'Mark as sent', 'Complete'],
    ],
    ['completed', { state: 'completed' }, []],
    ['cancelled', { state: 'cancelled' }, []],
  ])('that is %s offers the possible decisions', async (_state, given, buttons) => {
    open(given);
    expect(await buttonsOf()).toEqual(buttons);
  });

  test('that is uncertain says what is known of it: nothing, or a payout to compare with the order', async () => {
    open({ state: 'uncertain', payout: payoutOf({ way: 'gateway' }) });
    expect(await screen.findByText(/The outcome is unknown/)).toBeDefined();
    cleanup();
    open({ state: 'uncertain', payout: payoutOf({ way: 'gateway', payout_id: 'P-1', units: '0.0198' }) });
    expect(await screen.findByText(/Compare its address, coin and amount with the order/)).toBeDefined();
    expect(screen.getByText('0.0198 BTC')).toBeDefined();
  });

  test('offers support nothing, and says who decides', async () => {
    signInAs({ role: 'support' });
    open();
    expect(await buttonsOf()).toEqual([]);
    expect(screen.getByText('Only finance and admins decide.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Stop payouts' })).toBeNull();
  });
});

test.each<[string, string, Partial<OperatorWithdrawal>, Record<string, string>, string, string]>([
  ['Approve', 'approve', {}, { otp: '123456' }, 'This is the first of two approvals.', 'First approval given'],
  ['Reject', 'reject', {}, { reason: 'Please verify first.' }, REFUNDED, 'Withdrawal rejected'],
  [
    'Mark as sent',
    'sent',
    { state: 'approved', payout: payoutOf({ operator_id: samuel.id }) },
    { transaction: 'f4184fc596' },
    'The member sees the transaction hash.',
    'Marked as sent',
  ],
  [
    'Mark as not sent',
    'resolve',
    { state: 'uncertain' },
    { outcome: 'failed', reason: 'Not at the gateway.', otp: '123456' },
    REFUNDED,
    'Marked as failed',
  ],
  [
    'Complete',
    'resolve',
    { state: 'uncertain' },
    { outcome: 'completed', transaction: 'f4184fc596', otp: '123456' },
    'The hold is released and the fee is charged.',
    'Withdrawal completed',
  ],
])(
  '%s takes its own fields and sends them with the version that was shown',
  async (button, path, given, body, says, told) => {
    const name = `POST /operator/withdrawals/7/${path}`;
    const { bodiesOf } = open(given, { [name]: () => success(anOperatorWithdrawal({ version: 5, state: 'sent' })) });
    await press(button);
    expect((await dialog()).textContent).toContain(says);
    await confirmWith(button, body);
    await waitFor(() => expect(bodiesOf(name)).toEqual([{ version: 4, ...body }]));
    expect(await within(screen.getByRole('region', { name: 'Messages' })).findByText(told)).toBeDefined();
  },
);

test('one that a colleague has decided in the meantime shows its new state', async () => {
  const message = 'This withdrawal has changed. Reload it and try again.';
  const { server } = open(
    {},
    {
      'POST /operator/withdrawals/7/approve': () => {
        server.withdrawal = anOperatorWithdrawal({ version: 5, state: 'rejected' });
        return refused(409, 'withdrawal_changed', message);
      },
    },
  );
  await press('Approve');
  await confirmWith('Approve', { otp: '123456' });
  expect(await within(await panel()).findByText(message)).toBeDefined();
  expect(await within(await panel()).findByText('Rejected', { selector: 'span' })).toBeDefined();
  expect(await buttonsOf()).toEqual([]);
});

describe('the payout switch', () => {
  const name = 'PUT /operator/payout-switch';
  const stopped = {
    stopped: true,
    at: '2026-03-04T13:00:00.000Z',
    operator: 'Ines Duarte',
    why: 'Odd payouts.',
    needs: null,
  };

  test.each([
    ['is known', {}],
    ['cannot be read', { 'GET /operator/payout-switch': refused(503, 'not_ready', 'The server is starting.') }],
  ])('stops all payouts with a reason and without a code, when its state %s', async (_, answers) => {
    const { bodiesOf } = open({}, { [name]: success({ stopped: true }), ...answers }, '/operator/withdrawals');
    fireEvent.click(await screen.findByRole('button', { name: 'Stop payouts' }));
    await confirmWith('Stop payouts', { reason: 'Odd payouts.' });
    await waitFor(() => expect(bodiesOf(name)).toEqual([{ stopped: true, why: 'Odd payouts.' }]));
  });

  test('on live shows what is missing before the first payout', async () => {
    const needs = { legal_contact: false, confirmed_admins: 1, needed_admins: 2 };
    const active = { stopped: false, at: null, operator: null, why: null, needs };
    open({}, { 'GET /operator/payout-switch': success(active) }, '/operator/withdrawals');
    expect(await screen.findByText('Payouts are not active yet')).toBeDefined();
    expect(screen.getByText(/^No legal contact, or/)).toBeDefined();
    expect(screen.getByText(/^1 of 2 admins with a confirmed passkey/)).toBeDefined();
  });

  test('when off shows who, when and why, and takes a code to resume', async () => {
    const { bodiesOf } = open(
      {},
      { 'GET /operator/payout-switch': success(stopped), [name]: success({ stopped: false }) },
      '/operator/withdrawals',
    );
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Ines Duarte, 4 Mar 2026, 13:00 UTC: Odd payouts.');
    fireEvent.click(screen.getByRole('button', { name: 'Resume payouts' }));
    await confirmWith('Resume payouts', { reason: 'Looked into.', otp: '123456' });
    await waitFor(() => expect(bodiesOf(name)).toEqual([{ stopped: false, why: 'Looked into.', otp: '123456' }]));
  });
});

function payoutOf(
  given: Partial<NonNullable<OperatorWithdrawal['payout']>>,
): NonNullable<OperatorWithdrawal['payout']> {
  return {
    way: 'hand',
    operator_id: null,
    abandoned: false,
    gateway: null,
    payout_id: null,
    units: null,
    started_at: null,
    ...given,
  };
}
