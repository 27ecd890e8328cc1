import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import type { Adjustment } from '#contract/operator/proposals.ts';
import { aroundThePage, samuel, signInAs } from '../../../../test/console.ts';
import { renderAt } from '../../../../test/render.tsx';
import { stubServer, success } from '../../../../test/server.ts';
import { readSignedAmount } from '../kit/read-signed-amount.ts';
import { AdjustmentsPage } from './adjustments-page.tsx';

const anAdjustment = (given: Partial<Adjustment> = {}): Adjustment => ({
  id: '6',
  version: 1,
  reference: 'AD-7M2QX4',
  member: { id: '41', referral_code: 'TWB8Q7YD4E', name: 'Lena Hoffmann' },
  wallet_type: 'primary',
  amount: -12.5,
  reason: 'Credited twice.',
  evidence: 'Q-4F71K2',
  state: 'proposed',
  proposed_by: { id: '2', name: 'Ines Duarte' },
  proposed_at: '2026-03-04T12:00:00.000Z',
  proposer_counts: true,
  decided_by: null,
  decided_at: null,
  note: null,
  transfer_id: null,
  ...given,
});

function open(
  given: Partial<Adjustment> = {},
  answers: Parameters<typeof stubServer>[0] = {},
  at = '/operator/adjustments/6',
) {
  const calls = stubServer({
    ...aroundThePage(),
    'GET /operator/adjustments': success({ items: [anAdjustment(given)], next_cursor: null }),
    ...answers,
  });
  renderAt(
    at,
    <Routes>
      <Route path="/operator/adjustments/*" element={<AdjustmentsPage />} />
    </Routes>,
  );
  return { sentTo: (name: string) => calls.filter((call) => call.name === name).map(({ body }) => body) };
}
const panel = () => screen.findByRole('complementary', { name: 'Adjustment AD-7M2QX4' });

beforeEach(() => signInAs());

test('a colleague’s is approved with a code, about the version that was seen', async () => {
  const { sentTo } = open(
    {},
    {
      'POST /operator/adjustments/6/approve': success(
        anAdjustment({
          version: 2,
          state: 'posted',
          decided_by: { id: samuel.id, name: samuel.name },
          decided_at: '2026-03-04T13:00:00.000Z',
          transfer_id: '91',
        }),
      ),
    },
  );
  fireEvent.click(within(await panel()).getByRole('button', { name: 'Approve' }));
  const asked = await screen.findByRole('dialog');
  expect(asked.textContent).toContain('$12.50 is taken out of the Primary Wallet of Lena Hoffmann, at once.');
  for (const [index, cell] of within(asked)
    .getAllByRole('textbox', { name: /^Digit/ })
    .entries()) {
    fireEvent.change(cell, { target: { value: String(index + 1) } });
  }
  fireEvent.click(within(asked).getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(sentTo('POST /operator/adjustments/6/approve')).toEqual([{ version: 1, otp: '123456' }]));
});

test('one’s own can only be taken back, and support decides nothing', async () => {
  open({ proposed_by: { id: samuel.id, name: samuel.name } });
  const shown = within(await panel());
  expect(shown.queryByRole('button', { name: 'Approve' })).toBeNull();
  expect(shown.getByRole('button', { name: 'Withdraw' })).toBeDefined();
  expect(shown.getByText('You proposed it. A second operator has to approve it.')).toBeDefined();
});

test('one whose proposer was disabled since cannot be approved, and says so', async () => {
  open({ proposer_counts: false });
  const shown = within(await panel());
  expect(shown.queryByRole('button', { name: 'Approve' })).toBeNull();
  expect(shown.getByRole('button', { name: 'Reject' })).toBeDefined();
  expect(shown.getByText(/It does not count any more: whoever proposed it was disabled/)).toBeDefined();
});

test('support sees who decides and proposes nothing', async () => {
  signInAs({ role: 'support' });
  open();
  expect(within(await panel()).getByText('Finance and admins decide.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Propose' })).toBeNull();
});

test('one that was posted has the way to its transfer', async () => {
  open(
    {
      state: 'posted',
      decided_by: { id: samuel.id, name: samuel.name },
      decided_at: '2026-03-04T13:00:00.000Z',
      transfer_id: '91',
    },
    {},
    '/operator/adjustments/6?state=posted',
  );
  const link = within(await panel()).getByRole('link', { name: 'no. 91' });
  expect(link.getAttribute('href')).toBe('/operator/ledger/91');
});

test('a proposal takes member, wallet, amount, reason and facts, and names what is missing', async () => {
  const { sentTo } = open({}, { 'POST /operator/adjustments': success(anAdjustment()) }, '/operator/adjustments');
  fireEvent.click(await screen.findByRole('button', { name: 'Propose' }));
  const asked = within(await screen.findByRole('dialog'));
  fireEvent.click(asked.getByRole('button', { name: 'Propose' }));
  expect(asked.getByText('Enter the id of the member, a number.')).toBeDefined();
  expect(asked.getByText('Say where the facts are.')).toBeDefined();
  fireEvent.change(asked.getByLabelText('Member, by id'), { target: { value: '41' } });
  fireEvent.click(asked.getByRole('radio', { name: 'Profit Wallet' }));
  fireEvent.change(asked.getByLabelText('Amount'), { target: { value: '−12.50' } });
  fireEvent.change(asked.getByLabelText('Reason'), { target: { value: 'Credited twice.' } });
  fireEvent.change(asked.getByLabelText('Where the facts are'), { target: { value: 'Q-4F71K2' } });
  fireEvent.click(asked.getByRole('button', { name: 'Propose' }));
  await waitFor(() =>
    expect(sentTo('POST /operator/adjustments')).toEqual([
      { member_id: '41', wallet_type: 'profit', amount: -12.5, reason: 'Credited twice.', evidence: 'Q-4F71K2' },
    ]),
  );
});

test.each([
  ['5', 5],
  [' −1,250.5 ', -1250.5],
  ['-0.000001', -0.000001],
  ['+3', 3],
  ['0', undefined],
  ['1.1234567', undefined],
  ['1e3', undefined],
  ['', undefined],
])('%j is read as %s', (text, amount) => {
  expect(readSignedAmount(text)).toBe(amount);
});
