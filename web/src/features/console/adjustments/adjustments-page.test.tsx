import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { FoundMember } from '#contract/operator/members.ts';
import type { Adjustment } from '#contract/operator/proposals.ts';
import { anAdjustment, openForm, showConsolePage, signInAs } from '../../../../test/console.ts';
import { type Answers, success } from '../../../../test/server.ts';
import { readSignedAmount } from '../kit/dialog-form.tsx';
import { AdjustmentsPage } from './adjustments-page.tsx';

function open(given: Partial<Adjustment> = {}, answers: Answers = {}, at = '/operator/adjustments/6') {
  return showConsolePage(AdjustmentsPage, at, {
    'GET /operator/adjustments': success({ items: [anAdjustment(given)], next_cursor: null }),
    ...answers,
  });
}

beforeEach(() => signInAs());

/** The search for members finds these. */
const openToPropose = (...found: Partial<FoundMember>[]) =>
  open(
    {},
    {
      'GET /operator/members': success({ items: found, next_cursor: null, more: false }),
      'POST /operator/adjustments': success(anAdjustment()),
    },
    '/operator/adjustments',
  );

const namesake = { id: '42', name: 'Lena Hofmann', found_by: 'name' } as const;

test.each([
  [
    -12.5,
    '$12.50 is debited from the Primary Wallet of Lena Hoffmann immediately. The member is notified, with the reason.',
  ],
  [3, '$3.00 is credited to the Primary Wallet of Lena Hoffmann immediately. The member is notified, with the reason.'],
])('approving %s says what moves', async (amount, text) => {
  open({ amount });
  const shown = within(await screen.findByRole('complementary', { name: 'Adjustment AD-7M2QX4' }));
  expect(shown.getByText('Q-4F71K2')).toBeDefined();
  fireEvent.click(shown.getByRole('button', { name: 'Approve' }));
  expect((await screen.findByRole('dialog')).textContent).toContain(text);
});

test('a proposal takes member, wallet, amount, reason and facts, and names what is missing', async () => {
  const { sends } = openToPropose(namesake, { id: '41', name: 'Lena Hoffmann', found_by: 'referral_code' });
  const { asked, type, send } = await openForm('Propose adjustment');
  send();
  expect(asked.getByText('Enter the Registered Id.')).toBeDefined();
  expect(asked.getByText('Enter the evidence.')).toBeDefined();
  type('Registered Id', 'twb8q7yd4e');
  expect(await asked.findByText('Lena Hoffmann')).toBeDefined();
  fireEvent.click(asked.getByRole('radio', { name: 'Profit Wallet' }));
  type('Amount', '−12.50');
  type('Reason', 'Credited twice.');
  type('Evidence', 'Q-4F71K2');
  send();
  await sends('POST /operator/adjustments', {
    member_id: '41',
    wallet_type: 'profit',
    amount: -12.5,
    reason: 'Credited twice.',
    evidence: 'Q-4F71K2',
  });
});

test('an unknown member is named at once, and nothing is proposed', async () => {
  const { bodiesOf } = openToPropose(namesake);
  const { asked, type, send } = await openForm('Propose adjustment');
  for (const [label, value] of [
    ['Registered Id', 'TWZZZZZZZZ'],
    ['Amount', '5'],
    ['Reason', 'Credited twice.'],
    ['Evidence', 'Q-4F71K2'],
  ] as const) {
    type(label, value);
  }
  send();
  await waitFor(() => expect(asked.getAllByText('No member has this Registered Id.')).toHaveLength(2));
  expect(bodiesOf('POST /operator/adjustments')).toEqual([]);
});

test('a posted one is reversed with a reason and evidence, and says what moves back', async () => {
  const { sends } = open({ state: 'posted' }, { 'POST /operator/adjustments/6/reverse': success(anAdjustment()) });
  const { asked, type, send } = await openForm('Propose reversal');
  expect(asked.getByText('Once approved, $12.50 is credited to the Primary Wallet of Lena Hoffmann.')).toBeDefined();
  send();
  expect(asked.getByText('Enter the evidence.')).toBeDefined();
  type('Reason', 'It was right.');
  type('Evidence', 'Q-4F71K2');
  send();
  await sends('POST /operator/adjustments/6/reverse', { reason: 'It was right.', evidence: 'Q-4F71K2' });
});

test.each([
  ['Reverses', { reverses: { id: '4', reference: 'AD-3K8PQ2' } }],
  ['Reversed by', { state: 'posted', reversed_by: { id: '4', reference: 'AD-3K8PQ2', state: 'posted' } }],
  ['Reversal to approve', { state: 'posted', reversed_by: { id: '4', reference: 'AD-3K8PQ2', state: 'proposed' } }],
] as const)('%s leads to the other one, and offers no reversal', async (title, given) => {
  open(given);
  expect(await screen.findByRole('heading', { name: title })).toBeDefined();
  expect(screen.getByRole('link', { name: 'AD-3K8PQ2' }).getAttribute('href')).toBe('/operator/adjustments/4');
  expect(screen.queryByRole('button', { name: 'Propose reversal' })).toBeNull();
});

test('support cannot propose a reversal', async () => {
  signInAs({ role: 'support' });
  open({ state: 'posted' });
  expect(await screen.findByText('Q-4F71K2')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Propose reversal' })).toBeNull();
});

test.each([
  ['12,5', undefined],
  ['1,2500', undefined],
  ['1,000,000.25', 1_000_000.25],
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
