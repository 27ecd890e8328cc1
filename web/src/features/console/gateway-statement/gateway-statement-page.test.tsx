import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { GatewayFinding, GatewayStatement } from '#contract/operator/gateway-statement.ts';
import { showConsolePage, signInAs } from '../../../../test/console.ts';
import { type Answers, listed, refused, settled, success } from '../../../../test/server.ts';
import { GatewayStatementPage } from './gateway-statement-page.tsx';

const payout: GatewayFinding = {
  id: '7',
  gateway: 'btcpay',
  kind: 'unmatched',
  state: 'open',
  about: 'transaction',
  about_id: 'ab'.repeat(32),
  at: '2026-03-04T14:00:21.000Z',
  asset: 'BTC',
  listed: '-0.25',
  booked: null,
  reference: null,
  found_at: '2026-03-05T00:00:00.000Z',
  closed_at: null,
  explanation: null,
  operator: null,
};
const open: readonly GatewayFinding[] = [
  payout,
  {
    ...payout,
    id: '8',
    gateway: 'nowpayments',
    kind: 'differs',
    about: 'payment',
    about_id: '5800000001',
    asset: 'USDT',
    listed: '50',
    booked: '51',
    reference: 'DP-7M2QX4',
  },
];
const statement: GatewayStatement = {
  gateways: [
    {
      gateway: 'btcpay',
      covered_from: '2026-03-01T00:00:00.000Z',
      covered_to: '2026-03-05T00:00:00.000Z',
      entries: 1412,
      asked: false,
      fault: null,
      fault_at: null,
    },
    {
      gateway: 'nowpayments',
      covered_from: null,
      covered_to: null,
      entries: 0,
      asked: false,
      fault: 'The gateway did not respond.',
      fault_at: '2026-03-05T00:00:00.000Z',
    },
  ],
  open: 2,
};

const show = (answers: Answers = {}, at = '/operator/gateway-statement') =>
  showConsolePage(GatewayStatementPage, at, {
    'GET /operator/gateways/statement': success(statement),
    'GET /operator/gateways/statement/findings': listed(open),
    ...answers,
  });

beforeEach(() => signInAs());

test('shows for each gateway what was imported, what failed, and what is open', async () => {
  show();
  expect(await screen.findByText('1,412 entries')).toBeDefined();
  expect(screen.getByText('1 Mar, 00:00 to 5 Mar 2026, 00:00 UTC')).toBeDefined();
  expect(screen.getByText('NOWPayments: the import of 5 Mar 2026, 00:00 UTC failed')).toBeDefined();
  const list = within(await screen.findByRole('grid', { name: 'Open entries, oldest first' }));
  const texts = list.getAllByRole('row').map((row) => row.textContent);
  expect(texts[1]).toContain('PayoutUnmatched');
  expect(texts[1]).toContain('−0.25 BTC');
  expect(texts[2]).toContain('PaymentDiffers');
  expect(texts[2]).toContain('DP-7M2QX4');
});

test('an entry opens by its number, in whatever state and however old it is', async () => {
  const explained = { ...payout, state: 'explained', explanation: 'Sent to the exchange.' } as const;
  show({ 'GET /operator/gateways/statement/findings': listed([explained], []) }, '/operator/gateway-statement/7');
  const shown = within(await screen.findByRole('complementary', { name: 'Entry No. 7' }));
  expect(shown.getByText('Sent to the exchange.')).toBeDefined();
});

test('finance explains an entry with a reason; a refusal leaves the dialog open', async () => {
  let sent: unknown;
  const answers = [refused(409, 'statement_settled', 'Reload the page.'), success(null)];
  show({
    'POST /operator/gateways/statement/findings/7/explain': ({ body }) => {
      sent = body;
      return answers.shift() ?? success(null);
    },
  });
  fireEvent.click((await screen.findAllByText('Unmatched'))[0] as HTMLElement);
  expect(await screen.findByText('The gateway lists it, but no booking matches it.')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Explain entry' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Explain entry' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Explain' }));
  await settled();
  expect(sent).toBeUndefined();
  fireEvent.change(dialog.getByLabelText(/Reason/), { target: { value: 'Moved to the cold wallet.' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Explain' }));
  await waitFor(() => expect(answers).toHaveLength(1));
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Explain' })).toBeDefined());
  fireEvent.click(dialog.getByRole('button', { name: 'Explain' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Explain entry' })).toBeNull());
  expect(sent).toEqual({ reason: 'Moved to the cold wallet.', listed: '-0.25', booked: null });
});

test('support can neither import nor explain', async () => {
  signInAs({ role: 'support' });
  show({}, '/operator/gateway-statement/7');
  expect(await screen.findByText('Only finance and admins explain entries.')).toBeDefined();
  expect(await screen.findByText('1,412 entries')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Explain entry' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Import now' })).toBeNull();
});

test('the sandbox has nothing to compare with', async () => {
  show({
    'GET /operator/gateways/statement': success({ gateways: [], open: 0 }),
    'GET /operator/gateways/statement/findings': listed([]),
  });
  expect(await screen.findByText('The sandbox moves no money: there is nothing to compare with.')).toBeDefined();
  expect(await screen.findByText('No open entries')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Import now' })).toBeNull();
});

test('an import is requested once', async () => {
  let isRequested = false;
  show({
    'GET /operator/gateways/statement': () =>
      success({ ...statement, gateways: statement.gateways.map((one) => ({ ...one, asked: isRequested })) }),
    'POST /operator/gateways/statement/import': () => {
      isRequested = true;
      return success(null);
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Import now' }));
  expect(await screen.findByRole('button', { name: 'Import requested' })).toHaveProperty('disabled', true);
});
