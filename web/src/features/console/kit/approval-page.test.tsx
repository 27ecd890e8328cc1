import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Adjustment, Proposal } from '#contract/operator/proposals.ts';
import { aroundThePage, samuel, signInAs, typeCode } from '../../../../test/console.ts';
import { showPage } from '../../../../test/render.tsx';
import { success } from '../../../../test/server.ts';
import { AdjustmentsPage } from '../adjustments/adjustments-page.tsx';
import { choiceOf } from './approvals.ts';

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
const byOneself = { proposed_by: { id: samuel.id, name: samuel.name } };
const decided = { decided_by: { id: samuel.id, name: samuel.name }, decided_at: '2026-03-04T13:00:00.000Z' };

const money = { second: 'operator', approves: 'Approving posts it at once.' } as const;
const plan = { second: 'admin', approves: 'The next session takes it.' } as const;
const gone = 'It does not count any more: whoever proposed it was disabled or given another role. Propose it anew.';

describe('what can be decided', () => {
  test.each<[string, typeof money | typeof plan, Partial<Proposal>, 'support' | 'finance' | 'admin', string[], string]>(
    [
      ['a colleague’s', money, {}, 'finance', ['reject', 'approve'], money.approves],
      ['a colleague’s, of admins', plan, {}, 'admin', ['reject', 'approve'], plan.approves],
      ['one’s own', money, byOneself, 'finance', ['withdraw'], 'You proposed it. A second operator has to approve it.'],
      [
        'one’s own, of admins',
        plan,
        byOneself,
        'admin',
        ['withdraw'],
        'You proposed it. A second admin has to approve it.',
      ],
      ['of who was disabled since', money, { proposer_counts: false }, 'finance', ['reject'], gone],
      ['one’s own that does not count', money, { ...byOneself, proposer_counts: false }, 'finance', ['withdraw'], gone],
      ['by support', money, {}, 'support', [], 'Finance and admins decide.'],
      ['by finance, of admins', plan, {}, 'finance', [], 'Admins decide.'],
      ['once it was decided', money, { state: 'posted' }, 'finance', [], ''],
    ],
  )('%s', (_, kind, given, role, decisions, note) => {
    expect(choiceOf(kind, anAdjustment(given), { ...samuel, role })).toEqual({ decisions, note });
  });

  test('what something stands in the way of can only be rejected', () => {
    const operator = { ...samuel, role: 'admin' } as const;
    expect(choiceOf(plan, anAdjustment(), operator, 'Another was written.')).toEqual({
      decisions: ['reject'],
      note: 'Another was written.',
    });
  });
});

describe('the page', () => {
  beforeEach(() => signInAs());
  const open = (given: Partial<Adjustment> = {}, answers: Parameters<typeof showPage>[2] = {}, search = '') =>
    showPage(
      `/operator/adjustments/6${search}`,
      <Routes>
        <Route path="/operator/adjustments/*" element={<AdjustmentsPage />} />
      </Routes>,
      {
        ...aroundThePage(),
        'GET /operator/adjustments': success({ items: [anAdjustment(given)], next_cursor: null }),
        ...answers,
      },
    );
  const panel = () => screen.findByRole('complementary', { name: 'Adjustment AD-7M2QX4' });
  const press = async (name: string) => fireEvent.click(within(await panel()).getByRole('button', { name }));

  test('approves with a code, about the version that was seen, and shows how it stands', async () => {
    let isDecided = false;
    const posted = anAdjustment({ version: 2, state: 'posted', transfer_id: '91', ...decided });
    const { sentTo } = open(
      {},
      {
        'GET /operator/adjustments': () => success({ items: isDecided ? [] : [anAdjustment()], next_cursor: null }),
        'POST /operator/adjustments/6/approve': () => {
          isDecided = true;
          return success(posted);
        },
      },
    );
    await press('Approve');
    const asked = await screen.findByRole('dialog');
    typeCode(asked);
    fireEvent.click(within(asked).getByRole('button', { name: 'Approve' }));
    // It has left the list and stays open.
    expect(await within(await panel()).findByText('Posted', { selector: 'span' })).toBeDefined();
    expect(await screen.findByText('Nothing waits for a second operator')).toBeDefined();
    expect(sentTo('POST /operator/adjustments/6/approve').map(({ body }) => body)).toEqual([
      { version: 1, otp: '123456' },
    ]);
  });

  test('rejects with a reason, and takes back without one', async () => {
    const name = 'POST /operator/adjustments/6/reject';
    const { sentTo } = open({}, { [name]: success(anAdjustment({ version: 2, state: 'rejected', note: 'No.' })) });
    await press('Reject');
    const asked = await screen.findByRole('dialog');
    fireEvent.change(within(asked).getByLabelText('Reason'), { target: { value: 'No.' } });
    fireEvent.click(within(asked).getByRole('button', { name: 'Reject' }));
    await waitFor(() => expect(sentTo(name).map(({ body }) => body)).toEqual([{ version: 1, reason: 'No.' }]));
  });

  test('takes back one’s own', async () => {
    const name = 'POST /operator/adjustments/6/withdraw';
    const { sentTo } = open(byOneself, { [name]: success(anAdjustment({ version: 2, state: 'withdrawn' })) });
    await press('Withdraw');
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Withdraw it' }));
    await waitFor(() => expect(sentTo(name).map(({ body }) => body)).toEqual([{ version: 1 }]));
  });

  test('says who proposed and decided, and leads to what came of it', async () => {
    const { calls } = open({ state: 'posted', transfer_id: '91', ...decided }, {}, '?state=posted');
    const shown = within(await panel());
    expect(shown.getByText('Ines Duarte, 4 Mar 2026, 12:00 UTC')).toBeDefined();
    expect(shown.getByText(`${samuel.name}, 4 Mar 2026, 13:00 UTC`)).toBeDefined();
    expect(shown.getByRole('link', { name: 'no. 91' }).getAttribute('href')).toBe('/operator/ledger/91');
    expect(calls.some(({ url }) => url.includes('state=posted'))).toBe(true);
  });

  test('offers support nothing to propose or decide', async () => {
    signInAs({ role: 'support' });
    open();
    expect(within(await panel()).getByText('Finance and admins decide.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Propose' })).toBeNull();
  });
});
