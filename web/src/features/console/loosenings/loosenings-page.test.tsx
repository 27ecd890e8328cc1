import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Loosening } from '#contract/operator/loosenings.ts';
import { aLoosening, approveShown, confirmWith, showConsolePage, signInAs } from '../../../../test/console.ts';
import { success } from '../../../../test/server.ts';
import { LooseningsPage } from './loosenings-page.tsx';

function open(given: Partial<Loosening> = {}, search = '') {
  return showConsolePage(LooseningsPage, `/operator/loosenings/6${search}`, {
    'GET /operator/loosenings': success({ items: [aLoosening(given)], next_cursor: null }),
    'POST /operator/loosenings/6/approve': success(aLoosening({ ...given, state: 'posted', version: 2 })),
    'POST /operator/loosenings/6/withdraw': success(aLoosening({ ...given, state: 'withdrawn', version: 2 })),
  });
}
const panel = async () => within(await screen.findByRole('complementary', { name: 'Proposal LO-7M2QX4' }));

beforeEach(() => signInAs());

test.each([
  [
    'unfreeze',
    'Unfreeze account',
    'This unfreezes the account of Lena Hoffmann immediately. Other restrictions stay in force.',
  ],
  [
    'lift_withdrawal_stop',
    'Resume withdrawals',
    'This lifts the stop of withdrawals of Lena Hoffmann immediately. Other restrictions stay in force.',
  ],
  ['verify', 'Verify member', 'You confirm that the identity of Lena Hoffmann was checked.'],
  [
    'turn_off_two_factor',
    'Turn off two-factor',
    'Two-factor authentication is turned off 7 days after the approval, unless the member signs in with it or reports it before.',
  ],
] as const)('%s is approved by a second operator with a code, who reads its effect', async (what, label, text) => {
  const page = open({ what });
  const shown = await panel();
  expect(shown.getByText(label)).toBeDefined();
  expect(shown.getByText('Called back on the known number.')).toBeDefined();
  // Proposed on the member's page, not here.
  expect(screen.queryByRole('button', { name: /^Propose/ })).toBeNull();
  expect(await approveShown('Proposal LO-7M2QX4', 'POST /operator/loosenings/6/approve', page)).toContain(text);
});

test('a scheduled one can be withdrawn by any operator allowed to', async () => {
  const { bodiesOf, calls } = open({ state: 'approved', due_at: '2026-03-05T12:00:00.000Z' }, '?state=approved');
  const shown = await panel();
  expect(shown.getByText('Takes effect 5 Mar 2026, 12:00 UTC, unless it is withdrawn before.')).toBeDefined();
  expect(calls.some(({ url }) => url.includes('state=approved'))).toBe(true);
  fireEvent.click(shown.getByRole('button', { name: 'Withdraw' }));
  await confirmWith('Withdraw', {});
  await waitFor(() => expect(bodiesOf('POST /operator/loosenings/6/withdraw')).toEqual([{ version: 1 }]));
});
