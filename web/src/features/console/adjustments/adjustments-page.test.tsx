import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import type { Adjustment } from '#contract/operator/proposals.ts';
import { aroundThePage, signInAs } from '../../../../test/console.ts';
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

beforeEach(() => signInAs());

test.each([
  [-12.5, '$12.50 is taken out of the Primary Wallet of Lena Hoffmann, at once. The member is told, with the reason.'],
  [3, '$3.00 goes into the Primary Wallet of Lena Hoffmann, at once. The member is told, with the reason.'],
])('approving %s says what moves', async (amount, text) => {
  open({ amount });
  const shown = within(await screen.findByRole('complementary', { name: 'Adjustment AD-7M2QX4' }));
  expect(shown.getByText('Q-4F71K2')).toBeDefined();
  fireEvent.click(shown.getByRole('button', { name: 'Approve' }));
  expect((await screen.findByRole('dialog')).textContent).toContain(text);
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
