import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Withdrawal } from '#contract/funds/withdrawals.ts';
import { partsOf, rowsOf } from '../../../test/reading.ts';
import { addressNow, onMobile, showPage } from '../../../test/render.tsx';
import { savedFiles } from '../../../test/saved-files.ts';
import { type Answers, refused, settled, success } from '../../../test/server.ts';
import { ADDRESS, aDetail, aWithdrawal, theTerms } from '../../../test/withdrawals.ts';
import { WithdrawalHistoryPage } from './withdrawal-history.tsx';

const LIST = 'GET /safe/withdrwal-hist';
const CANCEL = 'POST /safe/withdrawal/7/cancel';

function open(items: Withdrawal[], answers: Answers = {}, at = '/fund/withdrawal-history') {
  return showPage(at, <WithdrawalHistoryPage />, {
    'GET /safe/withdrawal-terms': success(theTerms()),
    [LIST]: success({ items, next_cursor: null }),
    ...answers,
  });
}

describe('the list', () => {
  test('shows time, destination, amount, fee, net amount and state', async () => {
    open([aWithdrawal(), aWithdrawal({ id: '3', reference: 'WD-3K9TWE', state: 'completed', network: 'BTC' })]);
    await screen.findByText('Requested');
    expect(rowsOf(screen.getByRole('table')).map((cells) => cells.slice(0, 6))).toEqual([
      ['4 Mar 2026, 13:05WD-7M2QX4', 'TKq8…QeAu · TRC20', '$500.0000', '$5.0000', '$495.0000', 'Requested'],
      ['4 Mar 2026, 13:05WD-3K9TWE', 'TKq8…QeAu · Bitcoin', '$500.0000', '$5.0000', '$495.0000', 'Completed'],
    ]);
  });

  test('on a phone has two lines a row, each linked to its withdrawal', async () => {
    onMobile();
    open([aWithdrawal()]);
    const row = await screen.findByRole('link', { name: /Requested/ });
    expect(row.textContent).toBe('$500.0000Requested4 Mar 2026, 13:05 UTCTKq8…QeAu · TRC20');
    expect(row.getAttribute('href')).toBe('/fund/withdrawal-history?withdrawal=7');
  });

  test('is filtered by the address, names the filter when nothing matches, and clears it', async () => {
    const { sentTo } = open([], {}, '/fund/withdrawal-history?state=failed');
    expect(await screen.findByText('No withdrawals with state “Failed”')).toBeDefined();
    expect(sentTo(LIST)[0]?.url).toContain('state=failed');
    fireEvent.click(screen.getByRole('button', { name: /^Clear/ }));
    await waitFor(() => expect(addressNow()).toBe('/fund/withdrawal-history'));
    expect(await screen.findByText('No withdrawals yet')).toBeDefined();
  });

  test('is saved as the server’s file, with the filter', async () => {
    const saved = savedFiles();
    const { sentTo } = open([aWithdrawal({ state: 'sent' })], {}, '/fund/withdrawal-history?state=sent');
    await screen.findByText('WD-7M2QX4');
    fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(saved).toMatchObject([{ name: 'withdrawals-sent.csv' }]));
    const asked = sentTo(LIST).filter(({ url }) => url.includes('format=csv'));
    expect(asked.map(({ url, headers }) => [url.split('?')[1], headers.get('accept')])).toEqual([
      ['state=sent&format=csv', 'text/csv'],
    ]);
  });
});

describe('one withdrawal', () => {
  const HISTORY = '/fund/withdrawal-history?state=completed&withdrawal=7';

  test('opens beside the list, keeps the filter, and closes again', async () => {
    open([aWithdrawal()], { 'GET /safe/withdrawal/7': success(aDetail()) }, '/fund/withdrawal-history?state=requested');
    fireEvent.click(await screen.findByRole('link', { name: 'Withdrawal WD-7M2QX4' }));
    expect(addressNow()).toBe('/fund/withdrawal-history?state=requested&withdrawal=7');
    expect(await screen.findByText('Waiting for approval')).toBeDefined();
    fireEvent.click(screen.getByRole('link', { name: 'Close withdrawal' }));
    expect(addressNow()).toBe('/fund/withdrawal-history?state=requested');
    expect(screen.queryByText('Waiting for approval')).toBeNull();
  });

  test('shows its status events with times and notes, transaction, full address, fee and net amount', async () => {
    const detail = aDetail({
      state: 'completed',
      transaction: '8f3a61c97d20',
      steps: [
        { state: 'requested', note: null, at: '2026-03-04T13:05:00Z' },
        { state: 'approved', note: null, at: '2026-03-04T13:40:00Z' },
        { state: 'sent', note: 'By hand', at: '2026-03-04T13:50:00Z' },
        { state: 'completed', note: null, at: '2026-03-04T14:02:00Z' },
      ],
    });
    open([], { 'GET /safe/withdrawal/7': success(detail) }, HISTORY);
    const steps = await screen.findByRole('list', { name: 'Steps of this withdrawal' });
    expect(partsOf(steps)).toEqual([
      'Requested, done4 Mar 2026, 13:05 UTC',
      'Approved, done4 Mar 2026, 13:40 UTC',
      'Sent, done4 Mar 2026, 13:50 UTCBy hand',
      'Paid, done4 Mar 2026, 14:02 UTC',
    ]);
    const panel = screen.getByRole('region', { name: 'WD-7M2QX4' });
    expect(panel.textContent).toContain('8f3a61c97d20');
    expect(panel.textContent).toContain(ADDRESS);
    expect(within(panel).getByText('Fee').nextElementSibling?.textContent).toBe('$5.0000');
    expect(within(panel).getByRole('status').textContent).toContain('$495.0000 was paid to your address.');
    expect(within(panel).queryByRole('button', { name: 'Cancel withdrawal' })).toBeNull();
  });

  test('that was rejected says why, once, and where the money is', async () => {
    const note = 'The address is on a list of stolen wallets.';
    const steps = [{ state: 'rejected' as const, note, at: '2026-03-04T13:40:00Z' }];
    open([], { 'GET /safe/withdrawal/7': success(aDetail({ state: 'rejected', note, steps })) }, HISTORY);
    expect(await screen.findByText(note)).toBeDefined();
    expect(screen.getByText('Nothing was paid. $500.00 is back in your Profit Wallet.')).toBeDefined();
  });

  test.each(['approved', 'sent', 'uncertain', 'completed'] as const)(
    'cannot be cancelled when it is %s',
    async (state) => {
      open([], { 'GET /safe/withdrawal/7': success(aDetail({ state })) }, HISTORY);
      await screen.findByRole('list', { name: 'Steps of this withdrawal' });
      expect(screen.queryByRole('button', { name: 'Cancel withdrawal' })).toBeNull();
    },
  );

  test('is cancelled only after a confirmation that names it and the amount returned', async () => {
    let state: Withdrawal['state'] = 'requested';
    const { sentTo } = open(
      [],
      {
        'GET /safe/withdrawal/7': () => success(aDetail({ state })),
        [CANCEL]: () => {
          state = 'cancelled';
          return success(aWithdrawal({ state }));
        },
      },
      HISTORY,
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel withdrawal' }));
    const question = await screen.findByRole('dialog', { name: 'Cancel WD-7M2QX4?' });
    expect(question.textContent).toContain('$500.00 returns to your Profit Wallet immediately.');
    fireEvent.click(within(question).getByRole('button', { name: 'Keep withdrawal' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await settled();
    expect(sentTo(CANCEL)).toEqual([]);

    fireEvent.click(screen.getByRole('button', { name: 'Cancel withdrawal' }));
    const again = await screen.findByRole('dialog', { name: 'Cancel WD-7M2QX4?' });
    fireEvent.click(within(again).getByRole('button', { name: 'Cancel withdrawal' }));
    expect(await screen.findByText('Withdrawal cancelled')).toBeDefined();
    expect(await screen.findByText('Nothing was paid. $500.00 is back in your Profit Wallet.')).toBeDefined();
    expect(sentTo(CANCEL)).toHaveLength(1);
    expect(sentTo(CANCEL)[0]?.headers.get('idempotency-key')).toMatch(/^[\w-]{43}$/);
  });

  test('that has been approved in the meantime says so and shows its state', async () => {
    let state: Withdrawal['state'] = 'requested';
    const message = 'This withdrawal is no longer waiting for approval.';
    open(
      [],
      {
        'GET /safe/withdrawal/7': () => success(aDetail({ state })),
        [CANCEL]: () => {
          state = 'approved';
          return refused(409, 'withdrawal_not_requested', message);
        },
      },
      HISTORY,
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel withdrawal' }));
    const question = await screen.findByRole('dialog');
    fireEvent.click(within(question).getByRole('button', { name: 'Cancel withdrawal' }));
    expect(await screen.findByText(message)).toBeDefined();
    expect(await screen.findByText('It is paid next and can no longer be cancelled.')).toBeDefined();
  });

  test('of another member does not exist', async () => {
    const message = 'This withdrawal does not exist.';
    const missing = refused(404, 'withdrawal_not_found', message);
    open([], { 'GET /safe/withdrawal/7': missing }, HISTORY);
    expect(await screen.findByText('The address may be mistyped. Your money is not affected.')).toBeDefined();
  });
});
