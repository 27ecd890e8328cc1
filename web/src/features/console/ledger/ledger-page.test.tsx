import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { LedgerInclusion, LedgerTransferDetail } from '#contract/operator/ledger.ts';
import { showConsolePage, signInAs } from '../../../../test/console.ts';
import { addressNow } from '../../../../test/render.tsx';
import { refused, success } from '../../../../test/server.ts';
import { filterOf, LedgerPage } from './ledger-page.tsx';
import { inclusionChecks } from './transfer-detail.tsx';

const seal = {
  no: '3',
  sealed_at: '2026-03-04T12:01:00.000Z',
  transfers: 12,
  root: 'aa'.repeat(32),
  previous_hash: 'bb'.repeat(32),
  hash: 'cc'.repeat(32),
};
const transfer: LedgerTransferDetail = {
  id: '17',
  from: { account: 'gateway', member: null, balance_after: null },
  to: {
    account: 'primary',
    member: { id: '41', referral_code: 'TWB8Q7YD4E', name: 'Lena Hoffmann' },
    balance_after: 700,
  },
  amount: 500,
  reason: 'deposit',
  reference: 'DP-7M2QX4',
  key: 'deposit/5',
  note: null,
  reverses: null,
  market_at: '2026-03-04T12:00:00.000Z',
  created_at: '2026-03-04T12:00:30.000Z',
  hash: 'dd'.repeat(32),
  reversed_by: null,
  seal,
};
const inclusion: LedgerInclusion = {
  leaf: 'dd'.repeat(32),
  hash_fits: true,
  index: 4,
  leaves: 20,
  path: [{ side: 'left', hash: 'ee'.repeat(32) }],
  root: seal.root,
  included: true,
  seal,
};

function open(at: string) {
  return showConsolePage(LedgerPage, at, {
    'GET /operator/ledger/transfers': success({ items: [transfer], next_cursor: null }),
    'GET /operator/ledger/transfers/17': success(transfer),
    'GET /operator/ledger/transfers/17/inclusion': success(inclusion),
    'GET /operator/ledger/accounts': success({
      items: [
        { account: 'gateway', group: 'asset', amount: 1_702_884.12 },
        { account: 'primary', group: 'member', amount: 900_000 },
      ],
    }),
    'GET /operator/ledger/seals': success({ items: [seal], next_cursor: null }),
  });
}

beforeEach(() => signInAs({ role: 'support' }));

test('transfers show what moved from where to whom, as the address filters them', async () => {
  const { sentTo } = open('/operator/ledger?reason=deposit&account=gateway');
  const row = (await screen.findByText('Lena Hoffmann')).closest('tr');
  expect(row?.textContent).toBe('4 Mar, 12:00No. 17DepositDP-7M2QX4GatewayCompanyPrimary WalletLena Hoffmann$500.0000');
  expect(sentTo('GET /operator/ledger/transfers')[0]?.url).toContain('account=gateway&reason=deposit');
  if (row) fireEvent.click(row);
  await waitFor(() => expect(addressNow()).toBe('/operator/ledger/17?reason=deposit&account=gateway'));
});

test('the filter goes into the address', async () => {
  open('/operator/ledger');
  fireEvent.change(await screen.findByLabelText('Reference'), { target: { value: ' DP-7M2QX4 ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Search' }));
  await waitFor(() => expect(addressNow()).toBe('/operator/ledger?reference=DP-7M2QX4'));
});

test('Enter chooses the reason that what was typed highlights, and then searches', async () => {
  open('/operator/ledger');
  const reason = await screen.findByRole('combobox', { name: 'Reason' });
  act(() => reason.focus());
  fireEvent.change(reason, { target: { value: 'withdrawal fee' } });
  await screen.findByRole('option', { name: 'Withdrawal fee' });
  expect(fireEvent.keyDown(reason, { key: 'Enter', code: 'Enter' })).toBe(false);
  await waitFor(() => expect(reason).toHaveProperty('value', 'Withdrawal fee'));
  expect(fireEvent.keyDown(reason, { key: 'Enter', code: 'Enter' })).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Search' }));
  await waitFor(() => expect(addressNow()).toBe('/operator/ledger?reason=withdrawal_fee'));
});

test('an unknown Registered Id is refused, instead of listing all transfers as the member’s', async () => {
  const { sentTo } = showConsolePage(LedgerPage, '/operator/ledger?registered_id=TWNOBODY42', {
    'GET /operator/ledger/transfers': refused(422, 'validation', 'No member has this Registered Id.', 'registered_id'),
  });
  const said = (await screen.findByText('Change the filter')).closest('[role="alert"]');
  expect(said?.textContent).toBe('Change the filterNo member has this Registered Id.Clear filter');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(sentTo('GET /operator/ledger/transfers')[0]?.url).toContain('registered_id=TWNOBODY42');
});

test('the filter is kept while the seals are looked at', async () => {
  const { sentTo } = open('/operator/ledger?reference=DP-7M2QX4');
  await screen.findByText('No. 17');
  fireEvent.click(screen.getByRole('tab', { name: 'Seals' }));
  fireEvent.click(await screen.findByRole('tab', { name: 'Transfers' }));
  expect(addressNow()).toBe('/operator/ledger?reference=DP-7M2QX4');
  expect(sentTo('GET /operator/ledger/transfers').every(({ url }) => url.includes('reference=DP-7M2QX4'))).toBe(true);
});

test('a transfer shows both sides, its key and its seal, and is verified on request', async () => {
  const { sentTo } = open('/operator/ledger/17');
  const shown = await screen.findByRole('complementary', { name: 'Transfer No. 17' });
  expect(await within(shown).findByText('Balance after $700.0000')).toBeDefined();
  expect(within(shown).getByText('deposit/5')).toBeDefined();
  expect(sentTo('GET /operator/ledger/transfers/17/inclusion')).toEqual([]);
  fireEvent.click(within(shown).getByRole('button', { name: 'Verify against seal' }));
  expect(await within(shown).findByText('Leaf 5 of 20, 1 step: matches the root of seal 3')).toBeDefined();
});

test('accounts link to their transfers, and seals are listed', async () => {
  open('/operator/ledger?tab=accounts');
  const row = (await screen.findByText('Gateway')).closest('tr');
  expect(row?.textContent).toBe('GatewayAsset$1,702,884.1200');
  if (row) fireEvent.click(row);
  await waitFor(() => expect(addressNow()).toBe('/operator/ledger?account=gateway'));
  fireEvent.click(screen.getByRole('tab', { name: 'Seals' }));
  expect(await screen.findByText(seal.hash)).toBeDefined();
});

test('balances of accounts are read again every 15 seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { sentTo } = open('/operator/ledger?tab=accounts');
  await screen.findByText('Gateway');
  expect(sentTo('GET /operator/ledger/accounts')).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(15_000));
  expect(sentTo('GET /operator/ledger/accounts')).toHaveLength(2);
  vi.useRealTimers();
});

describe('the verification against a seal', () => {
  test('says which of the two checks failed', () => {
    const states = (given: Partial<LedgerInclusion>) =>
      inclusionChecks({ ...inclusion, ...given }).map(({ state }) => state);
    expect(states({})).toEqual(['done', 'done']);
    expect(states({ hash_fits: false })).toEqual(['warning', 'done']);
    expect(states({ included: false })).toEqual(['done', 'warning']);
  });
});

test.each([
  ['', {}],
  ['account=gateway&reason=deposit&key=trade/17/', { account: 'gateway', reason: 'deposit', key: 'trade/17/' }],
  ['account=toString&reason=gift', {}],
  ['registered_id=TWB8Q7YD4E&from=2026-03-04', { registered_id: 'TWB8Q7YD4E', from: '2026-03-04T00:00:00.000Z' }],
])('%s requests %j', (search, filter) => {
  expect(filterOf(new URLSearchParams(search))).toEqual(filter);
});
