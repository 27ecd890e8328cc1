import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Adjustment, Proposal } from '#contract/operator/proposals.ts';
import { anAdjustment, confirmWith, samuel, showConsolePage, signInAs } from '../../../../test/console.ts';
import { type Answers, refused, success } from '../../../../test/server.ts';
import { AdjustmentsPage } from '../adjustments/adjustments-page.tsx';
import { choiceOf } from './approvals.ts';

const byOneself = { proposed_by: { id: samuel.id, name: samuel.name } };
const decided = { decided_by: { id: samuel.id, name: samuel.name }, decided_at: '2026-03-04T13:00:00.000Z' };

type Rules = Parameters<typeof choiceOf>[0];
const money = { second: 'operator', approves: 'Approving posts it at once.' } as const;
const plan = { second: 'admin', approves: 'The next session takes it.' } as const;
const scheduled = { state: 'approved', due_at: '2026-03-05T12:00:00.000Z' } as const;
const whenDue = 'Takes effect 5 Mar 2026, 12:00 UTC, unless it is withdrawn before.';
const gone = 'No longer valid: the proposer was disabled or changed role. Propose it again.';

describe('the decisions offered', () => {
  test.each<[string, Rules, Partial<Proposal>, 'support' | 'finance' | 'admin', string[], string]>([
    ['a colleague’s', money, {}, 'finance', ['reject', 'approve'], money.approves],
    ['a colleague’s, for admins to decide', plan, {}, 'admin', ['reject', 'approve'], plan.approves],
    ['one’s own', money, byOneself, 'finance', ['withdraw'], 'You proposed it. A second operator has to approve it.'],
    [
      'one’s own, for admins to decide',
      plan,
      byOneself,
      'admin',
      ['withdraw'],
      'You proposed it. A second admin has to approve it.',
    ],
    ['by a proposer disabled since', money, { proposer_counts: false }, 'finance', ['reject'], gone],
    ['one’s own that no longer counts', money, { ...byOneself, proposer_counts: false }, 'finance', ['withdraw'], gone],
    ['to support', money, {}, 'support', [], 'Only finance and admins decide.'],
    ['to finance, where only admins decide', plan, {}, 'finance', [], 'Only admins decide.'],
    ['after the decision', money, { state: 'posted' }, 'finance', [], ''],
    ['while scheduled', money, scheduled, 'finance', ['withdraw'], whenDue],
    ['while scheduled, to support', money, scheduled, 'support', [], 'Only finance and admins decide.'],
    [
      'one’s own that others decide',
      { ...plan, proposers: ['support', 'admin'] },
      byOneself,
      'support',
      ['withdraw'],
      'You proposed it. Only admins decide.',
    ],
  ])('%s', (_, kind, given, role, actions, note) => {
    expect(choiceOf(kind, anAdjustment(given), { ...samuel, role })).toEqual({ actions, note });
  });
});

describe('the page', () => {
  beforeEach(() => signInAs());
  const open = (given: Partial<Adjustment> = {}, answers: Answers = {}, search = '') =>
    showConsolePage(AdjustmentsPage, `/operator/adjustments/6${search}`, {
      'GET /operator/adjustments': success({ items: [anAdjustment(given)], next_cursor: null }),
      ...answers,
    });
  const panel = () => screen.findByRole('complementary', { name: 'Adjustment AD-7M2QX4' });
  const press = async (name: string) => fireEvent.click(within(await panel()).getByRole('button', { name }));

  const posted = anAdjustment({ version: 2, state: 'posted', transfer_id: '91', ...decided });
  /** After the decision it is no longer in the list to approve, and found only by its id. */
  const listUntil = (isDecided: () => boolean): Answers => ({
    'GET /operator/adjustments': ({ url }) => {
      const items = !isDecided() ? [anAdjustment()] : url.includes('id=6') ? [posted] : [];
      return success({ items, next_cursor: null });
    },
  });

  test('approves the version that was shown, with a code, and shows the outcome', async () => {
    let isDecided = false;
    const { bodiesOf } = open(
      {},
      {
        ...listUntil(() => isDecided),
        'POST /operator/adjustments/6/approve': () => {
          isDecided = true;
          return success(posted);
        },
      },
    );
    await press('Approve');
    await confirmWith('Approve', { otp: '123456' });
    // It has left the list and stays open.
    expect(await within(await panel()).findByText('Posted', { selector: 'span' })).toBeDefined();
    expect(await screen.findByText('No adjustments to approve')).toBeDefined();
    expect(screen.getByText(/^Proposals appear here until a second operator/)).toBeDefined();
    expect(bodiesOf('POST /operator/adjustments/6/approve')).toEqual([{ version: 1, otp: '123456' }]);
  });

  test('says that a colleague has decided in the meantime, and shows the outcome', async () => {
    let isDecided = false;
    const message = 'This has already been decided.';
    open(
      {},
      {
        ...listUntil(() => isDecided),
        'POST /operator/adjustments/6/reject': () => {
          isDecided = true;
          return refused(409, 'proposal_decided', message);
        },
      },
    );
    await press('Reject');
    await confirmWith('Reject', { reason: 'No.' });
    expect(await within(await panel()).findByText('Posted', { selector: 'span' })).toBeDefined();
    expect(within(await panel()).getByText(message)).toBeDefined();
    expect(await screen.findByText('No adjustments to approve')).toBeDefined();
  });

  test('shows one that was decided before its link was opened, and reports an unknown id', async () => {
    open(
      {},
      listUntil(() => true),
    );
    expect(await within(await panel()).findByText('Posted', { selector: 'span' })).toBeDefined();
    cleanup();
    open({}, { 'GET /operator/adjustments': success({ items: [], next_cursor: null }) });
    expect(await screen.findByText('No adjustment at this address.')).toBeDefined();
  });

  test.each<[string, Partial<Adjustment>, { reason?: string }]>([
    ['Reject', {}, { reason: 'No.' }],
    ['Withdraw', byOneself, {}],
  ])('%s takes its own fields', async (button, given, typed) => {
    const name = `POST /operator/adjustments/6/${button.toLowerCase()}`;
    const { bodiesOf } = open(given, { [name]: success(anAdjustment({ version: 2, state: 'rejected' })) });
    await press(button);
    await confirmWith(button, typed);
    await waitFor(() => expect(bodiesOf(name)).toEqual([{ version: 1, ...typed }]));
  });

  test('shows who proposed and decided, and links to the resulting transfer', async () => {
    const { calls } = open({ state: 'posted', transfer_id: '91', ...decided }, {}, '?state=posted');
    const shown = within(await panel());
    expect(shown.getByText('Ines Duarte, 4 Mar 2026, 12:00 UTC')).toBeDefined();
    expect(shown.getByText(`${samuel.name}, 4 Mar 2026, 13:00 UTC`)).toBeDefined();
    expect(shown.getByRole('link', { name: 'No. 91' }).getAttribute('href')).toBe('/operator/ledger/91');
    expect(calls.some(({ url }) => url.includes('state=posted'))).toBe(true);
  });

  test('offers support no proposal and no decision', async () => {
    signInAs({ role: 'support' });
    open();
    expect(within(await panel()).getByText('Only finance and admins decide.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Propose adjustment' })).toBeNull();
  });
});
