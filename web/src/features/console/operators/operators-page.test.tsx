import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { ListedOperator, OperatorProposal } from '#contract/accounts/operators.ts';
import { confirmWith, openForm, showConsolePage, signInAs } from '../../../../test/console.ts';
import { type Answers, refused, settled, success } from '../../../../test/server.ts';
import { actionsOf, OperatorsPage } from './operators-page.tsx';

const ines: ListedOperator = {
  id: '2',
  name: 'Ines Duarte',
  email: 'ines@mail.test',
  role: 'finance',
  state: 'active',
  created_at: '2026-01-02T10:00:00.000Z',
  disabled_at: null,
  invitation_expires_at: null,
  sign_ins: 1,
  last_used_at: '2026-03-04T12:00:00.000Z',
  self: false,
};
const proposal: OperatorProposal = {
  id: '8',
  kind: 'invite',
  state: 'waiting',
  operator_id: null,
  name: 'Olga Petrova',
  email: 'olga@mail.test',
  role: 'admin',
  why: 'Nights.',
  proposed_by: { id: '2', name: 'Ines Duarte' },
  proposed_at: '2026-03-04T12:00:00.000Z',
  needs_approval: true,
  approved_by: null,
  approved_at: null,
  due_at: null,
  withdrawn_by: null,
  ended_at: null,
  may_approve: true,
};

function open(answers: Answers = {}) {
  return showConsolePage(OperatorsPage, '/operator/operators', {
    'GET /operator/operators': success([ines]),
    'GET /operator/proposals': success({ items: [], next_cursor: null }),
    ...answers,
  });
}

beforeEach(() => signInAs({ role: 'admin' }));

test('an operator is disabled with a reason and a code', async () => {
  const { sends } = open({ 'POST /operator/operators/2/disable': success({ ...ines, state: 'disabled' }) });
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Ines Duarte' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Disable operator' }));
  await confirmWith('Disable operator', { reason: 'Left.', otp: '123456' });
  await sends('POST /operator/operators/2/disable', { why: 'Left.', otp: '123456' });
});

test('a higher role is requested, because with a single admin ever it takes effect at once', async () => {
  open({ 'PUT /operator/operators/2/role': success({ operator: ines, proposal }) });
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Ines Duarte' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Change role to admin' }));
  await confirmWith('Change role', { reason: 'Nights.', otp: '123456' });
  expect(await screen.findByText('Role change requested')).toBeDefined();
});

test('proposals that could not be loaded are not shown as none, and can be retried', async () => {
  let isBroken = true;
  const proposals = success({ items: [proposal], next_cursor: null });
  open({ 'GET /operator/proposals': () => (isBroken ? refused(500, 'internal', 'Broken.') : proposals) });
  expect(await screen.findByText('The list could not be loaded')).toBeDefined();
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Approve' })).toBeDefined();
});

test('an invitation takes name, email, role, reason and code, and names what is missing', async () => {
  const { bodiesOf, sends } = open({ 'POST /operator/operators': success(proposal) });
  const { asked, type, send } = await openForm('Invite operator');
  send();
  expect(asked.getByText('Name is required')).toBeDefined();
  expect(asked.getByText('Email id is required')).toBeDefined();
  expect(asked.getByText('Enter a reason.')).toBeDefined();
  await settled();
  expect(bodiesOf('POST /operator/operators')).toEqual([]);
  type('Name', 'Olga Petrova');
  type('Email id', 'olga@mail.test');
  fireEvent.click(asked.getByRole('radio', { name: 'admin' }));
  await confirmWith('Invite operator', { reason: 'Nights.', otp: '123456' });
  await sends('POST /operator/operators', {
    name: 'Olga Petrova',
    email: 'olga@mail.test',
    role: 'admin',
    why: 'Nights.',
    otp: '123456',
  });
});

test('an action that needs a second admin shows who proposed it and why, and is approved with a code', async () => {
  const { bodiesOf } = open({
    'GET /operator/proposals': success({ items: [proposal], next_cursor: null }),
    'POST /operator/proposals/8/approve': success({ ...proposal, state: 'approved' }),
  });
  const waiting = within(await screen.findByRole('region', { name: 'Proposals' }));
  expect(waiting.getByText('New account: Olga Petrova, admin')).toBeDefined();
  expect(
    waiting.getByText('Proposed by Ines Duarte, 4 Mar 2026, 12:00 UTC. A second admin has to approve it.'),
  ).toBeDefined();
  fireEvent.click(waiting.getByRole('button', { name: 'Approve' }));
  await confirmWith('Approve', { otp: '123456' });
  await waitFor(() => expect(bodiesOf('POST /operator/proposals/8/approve')).toEqual([{ otp: '123456' }]));
});

test('a reset says that it needs a second admin but no 24 hours, and includes passkeys', async () => {
  open();
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Ines Duarte' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Reset password, app and passkeys' }));
  const text = (await screen.findByRole('dialog')).textContent;
  expect(text).toContain('it takes effect then');
  expect(text).not.toContain('24 hours');
});

test.each([
  [{ self: true }, []],
  [{ state: 'disabled' }, []],
  [{}, ['role', 'role', 'reset', 'disable']],
  [{ state: 'invited' }, ['resend', 'role', 'role', 'disable']],
] as const)('on %j the actions are %j', (given, kinds) => {
  expect(actionsOf({ ...ines, ...given }).map(({ kind }) => kind)).toEqual(kinds);
});
