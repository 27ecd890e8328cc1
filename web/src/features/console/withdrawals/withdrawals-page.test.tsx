import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DeskWithdrawal } from '#contract/funds/review.ts';
import { aDeskWithdrawal, aroundThePage, confirmWith, samuel, signInAs } from '../../../../test/console.ts';
import { renderAt } from '../../../../test/render.tsx';
import { stubServer, success } from '../../../../test/server.ts';
import { flagsOf } from './withdrawal-detail.tsx';
import { WithdrawalsPage } from './withdrawals-page.tsx';

const LIST = 'GET /operator/withdrawals';
const ONE = 'GET /operator/withdrawals/7';
type Answers = Parameters<typeof stubServer>[0];

/** The page in front of a server that has one withdrawal; `shown` may be changed while it is open. */
function open(given: Partial<DeskWithdrawal> = {}, answers: Answers = {}, at = '/operator/withdrawals/7') {
  const server = { withdrawal: aDeskWithdrawal(given) };
  const calls = stubServer({
    ...aroundThePage(),
    [LIST]: () => success({ items: [server.withdrawal], next_cursor: null }),
    [ONE]: () => success(server.withdrawal),
    ...answers,
  });
  renderAt(
    at,
    <Routes>
      <Route path="/operator/withdrawals/*" element={<WithdrawalsPage />} />
    </Routes>,
  );
  return { calls, server, sentTo: (name: string) => calls.filter((call) => call.name === name) };
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
  test('has the figures of the day: what waits, the oldest, what takes two, and whether the gateway covers it', async () => {
    open({}, {}, '/operator/withdrawals');
    expect(await screen.findByText('$21,190.50')).toBeDefined();
    expect(screen.getByText('9 requests')).toBeDefined();
    expect(screen.getByText('one has its first approval')).toBeDefined();
    expect(screen.getByText('$1,702,884.12')).toBeDefined();
    expect(screen.getByText('covers all that waits')).toBeDefined();
    const tabs = screen.getAllByRole('tab').map((tab) => tab.textContent);
    expect(tabs.slice(0, 4)).toEqual(['Requested9', 'Approved4', 'Sent3', 'Uncertain']);
  });

  test('says of each who asked, for what, and how many approved; and opens it at an address', async () => {
    open(
      { approvals: [{ operator_id: '2', operator: 'Ines Duarte', at: '2026-03-04T12:20:00.000Z', counts: true }] },
      {},
      '/operator/withdrawals',
    );
    const row = (await screen.findByText('Lena Hoffmann')).closest('tr');
    expect(row?.textContent).toContain('TWB8Q7YD4E$6,200.00Profit$6,138.0000fee $62.00TRC201 of 2');
    if (row) fireEvent.click(row);
    expect(await panel()).toBeDefined();
    expect(screen.getByLabelText('Address', { selector: 'output' }).textContent).toBe('/operator/withdrawals/7');
  });

  test('asks for the state of the tab, and warns of a frozen member', async () => {
    const frozen = { ...aDeskWithdrawal().member, frozen: true };
    const { sentTo } = open({ state: 'approved', member: frozen }, {}, '/operator/withdrawals?state=approved');
    expect(await screen.findByText('frozen')).toBeDefined();
    expect(sentTo(LIST)[0]?.url).toContain('state=approved');
  });

  test('warns of a new device and of a first payout, while it waits', async () => {
    open({ new_device: true, first_payout: true });
    expect(await screen.findByText('new device')).toBeDefined();
    expect(screen.getByText('first payout')).toBeDefined();
    const checks = within(await panel());
    expect(checks.getByText('A device signed in for the first time in the 24 hours before')).toBeDefined();
    expect(checks.getByText('First payout of this member')).toBeDefined();
  });

  test.each<[string, Partial<DeskWithdrawal>, string[]]>([
    ['known devices, and paid out to before', { new_device: false, first_payout: false }, []],
    ['no sign-in that is known', { new_device: null }, []],
    ['one that is over', { state: 'completed', new_device: true, first_payout: true }, []],
  ])('has no flag for %s', (_, given, flags) => {
    expect(flagsOf(aDeskWithdrawal(given))).toEqual(flags);
  });

  test('that is empty says so', async () => {
    open({}, { [LIST]: success({ items: [], next_cursor: null }) }, '/operator/withdrawals?state=failed');
    expect(await screen.findByText('None was failed yet')).toBeDefined();
  });
});

const stale = { operator_id: '2', operator: 'Ines Duarte', at: '2026-03-04T12:20:00.000Z', counts: false };
const own = { operator_id: samuel.id, operator: samuel.name, at: '2026-03-04T12:21:00.000Z', counts: true };

describe('one withdrawal', () => {
  test('shows an approval that does not count any more as one that does not', async () => {
    open({ approvals: [stale], approvals_missing: 2 });
    const shown = within(await panel());
    expect(shown.getByText('Approvals, 0 of 2')).toBeDefined();
    const line = shown.getByText('Ines Duarte, 12:20 UTC: does not count, disabled or in another role since');
    expect(line.closest('li')?.getAttribute('data-state')).toBe('look');
    expect(shown.getByText('Two operators: you may approve')).toBeDefined();
  });

  test('that is approved says that it is held while an approval is missing', async () => {
    open({ state: 'approved', approvals: [stale], approvals_missing: 1 });
    const shown = within(await panel());
    expect(
      shown.getByText('An approval does not count any more. It is paid once another operator approves it.'),
    ).toBeDefined();
    expect(shown.getByText('A second operator: you may approve')).toBeDefined();
  });

  test('shows the net, the address in fours, checks and approvals', async () => {
    open({ approvals: [{ operator_id: '2', operator: 'Ines Duarte', at: '2026-03-04T12:20:00.000Z', counts: true }] });
    const shown = await panel();
    expect(within(shown).getByText('$6,200.00 less fee, $62.00, from the Profit Wallet')).toBeDefined();
    expect(within(shown).getByText('TKq8').parentElement?.textContent).toBe('TKq8mZ4vRw2Xc7Nd9LhPb5Ys3FgJt6QeAu');
    expect(within(shown).getByText('$6,200.00 of $10,000.00 that day')).toBeDefined();
    expect(within(shown).getByText('Approvals, 1 of 2')).toBeDefined();
    expect(within(shown).getByText('Ines Duarte, 12:20 UTC')).toBeDefined();
    expect(within(shown).getByText('A second operator: you may approve')).toBeDefined();
  });

  test.each<[string, Partial<DeskWithdrawal>, string[]]>([
    ['requested', {}, ['Reject', 'Approve']],
    [
      'requested and approved by oneself',
      { approvals: [{ operator_id: samuel.id, operator: samuel.name, at: '2026-03-04T12:20:00.000Z', counts: true }] },
      ['Reject'],
    ],
    ['approved', { state: 'approved' }, ['Reject', 'Pay by hand']],
    [
      'approved by who was disabled since',
      { state: 'approved', approvals: [stale], approvals_missing: 1 },
      ['Reject', 'Approve'],
    ],
    [
      'approved, with an approval missing that is not the own one',
      { state: 'approved', approvals: [stale, own], approvals_missing: 1 },
      ['Reject'],
    ],
    ['requested and approved by who was disabled since', { approvals: [stale] }, ['Reject', 'Approve']],
    ['being paid by the gateway', { state: 'approved', payout: payoutOf({ way: 'gateway' }) }, []],
    [
      'taken by oneself',
      { state: 'approved', payout: payoutOf({ operator_id: samuel.id }) },
      ['Give back', 'I paid it'],
    ],
    ['taken by a colleague', { state: 'approved', payout: payoutOf({ operator_id: '2' }) }, []],
    ['sent by hand', { state: 'sent', payout: payoutOf({ operator_id: '2' }) }, ['It came back', 'It has arrived']],
    ['sent by the gateway', { state: 'sent', payout: payoutOf({ way: 'gateway' }) }, []],
    [
      'uncertain',
      { state: 'uncertain', payout: payoutOf({ way: 'gateway' }) },
      ['It never left', 'It was sent', 'It has arrived'],
    ],
    ['completed', { state: 'completed' }, []],
    ['cancelled', { state: 'cancelled' }, []],
  ])('that is %s offers what can be decided', async (_state, given, buttons) => {
    open(given);
    expect(await buttonsOf()).toEqual(buttons);
  });

  test('offers support nothing, and says who decides', async () => {
    signInAs({ role: 'support' });
    open();
    expect(await buttonsOf()).toEqual([]);
    expect(screen.getByText('Finance and admins decide.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Stop payouts' })).toBeNull();
  });
});

test.each<[string, string, string, Partial<DeskWithdrawal>, Record<string, string | number>, string]>([
  ['Approve', 'Approve', 'approve', {}, { otp: '123456' }, 'First approval given'],
  ['Reject', 'Reject', 'reject', {}, { reason: 'Please verify first.' }, 'Rejected'],
  [
    'I paid it',
    'It was sent',
    'sent',
    { state: 'approved', payout: payoutOf({ operator_id: samuel.id }) },
    { transaction: 'f4184fc596' },
    'Sent',
  ],
  [
    'It never left',
    'It never left',
    'resolve',
    { state: 'uncertain' },
    { outcome: 'failed', reason: 'Not at the gateway.', otp: '123456' },
    'Failed',
  ],
  [
    'It has arrived',
    'It has arrived',
    'resolve',
    { state: 'uncertain' },
    { outcome: 'completed', transaction: 'f4184fc596', otp: '123456' },
    'Completed',
  ],
])(
  'the decision %s asks for what it takes and sends it, with the version that was seen',
  async (button, confirm, path, given, body, told) => {
    const name = `POST /operator/withdrawals/7/${path}`;
    const { sentTo } = open(given, { [name]: () => success(aDeskWithdrawal({ version: 5, state: 'sent' })) });
    await press(button);
    await confirmWith(confirm, body);
    await waitFor(() => expect(sentTo(name).map((call) => call.body)).toEqual([{ version: 4, ...body }]));
    expect(await within(screen.getByRole('region', { name: 'Messages' })).findByText(told)).toBeDefined();
  },
);

test.each([
  ['Approve', 'Yours is the first of two approvals.'],
  ['Reject', '$6,200.00 goes back to the Profit Wallet of Lena Hoffmann.'],
])('the decision %s says what follows', async (button, words) => {
  open();
  await press(button);
  expect((await dialog()).textContent).toContain(words);
});

test('one that a colleague decided about meanwhile shows how it stands then', async () => {
  const message = 'Somebody changed this withdrawal meanwhile. Look at it again.';
  const { server } = open(
    {},
    {
      'POST /operator/withdrawals/7/approve': () => {
        server.withdrawal = aDeskWithdrawal({ version: 5, state: 'rejected' });
        return { status: 409, body: { status: 'error', code: 'withdrawal_changed', message } };
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
  const stopped = { stopped: true, at: '2026-03-04T13:00:00.000Z', operator: 'Ines Duarte', why: 'Odd payouts.' };

  test('stops everything with a reason and without a code', async () => {
    const { sentTo } = open({}, { [name]: success({ stopped: true }) }, '/operator/withdrawals');
    fireEvent.click(await screen.findByRole('button', { name: 'Stop payouts' }));
    await confirmWith('Stop payouts', { reason: 'Odd payouts.' });
    await waitFor(() => expect(sentTo(name).map(({ body }) => body)).toEqual([{ stopped: true, why: 'Odd payouts.' }]));
  });

  test('that is off says who, when and why, and takes a code to go on', async () => {
    const { sentTo } = open(
      {},
      { 'GET /operator/payout-switch': success(stopped), [name]: success({ stopped: false }) },
      '/operator/withdrawals',
    );
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Ines Duarte, 4 Mar 2026, 13:00 UTC: Odd payouts.');
    fireEvent.click(screen.getByRole('button', { name: 'Let them go on' }));
    await confirmWith('Let them go on', { reason: 'Looked into.', otp: '123456' });
    await waitFor(() =>
      expect(sentTo(name).map(({ body }) => body)).toEqual([{ stopped: false, why: 'Looked into.', otp: '123456' }]),
    );
  });
});

function payoutOf(given: Partial<NonNullable<DeskWithdrawal['payout']>>): NonNullable<DeskWithdrawal['payout']> {
  return { way: 'hand', operator_id: null, gateway: null, payout_id: null, started_at: null, ...given };
}
