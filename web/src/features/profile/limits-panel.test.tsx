import { useQuery } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { OwnLimit, OwnLimits } from '#contract/accounts/sign-in.ts';
import { showPage } from '../../../test/render.tsx';
import { type Answers, refused, settled, success } from '../../../test/server.ts';
import { meQuery } from '../../api/me-query.ts';
import { LimitsPanel } from './limits-panel.tsx';

const none: OwnLimit = { amount: null, next: null };
const free: OwnLimits = { deposit_week: none, loss_day: none, paused_until: null };
const hundred: OwnLimits = { ...free, deposit_week: { amount: 100, next: null } };
const raised: OwnLimits = {
  ...free,
  deposit_week: { amount: 100, next: { amount: 500, at: '2026-03-05T14:00:00.000Z' } },
};

function Shown() {
  return <LimitsPanel limits={useQuery(meQuery).data?.limits} />;
}

/** The panel of a member with these limits, with a server that answers every change with `reply`. */
function showLimits(limits: OwnLimits, reply?: Answers[string]) {
  const { sentTo } = showPage('/profile', <Shown />, {
    'GET /auth/me': success({ limits }),
    ...(reply ? { 'PUT /auth/limits': reply } : {}),
  });
  return { sent: () => sentTo('PUT /auth/limits').map(({ body }) => body) };
}

const press = (name: string) => {
  const button = screen.getByRole('button', { name });
  button.focus();
  fireEvent.click(button);
};
/** Opens the dialog of a button that is enabled once the limits have loaded. */
const open = async (name: string) => {
  fireEvent.click(await screen.findByRole('button', { name, hidden: false }));
  return within(await screen.findByRole('dialog'));
};
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const amountLabel = 'Limit in whole dollars';

test('limits that are not loaded are shown as unknown, and cannot be changed', () => {
  showPage('/profile', <Shown />, { 'GET /auth/me': 'never' });
  expect(screen.getAllByText('–')).toHaveLength(3);
  for (const button of screen.getAllByRole('button')) expect((button as HTMLButtonElement).disabled).toBe(true);
});

test('shows the current limits and scheduled changes', async () => {
  showLimits({
    ...raised,
    loss_day: { amount: 50, next: { amount: null, at: '2026-03-05T15:30:00.000Z' } },
    paused_until: '2026-03-11T12:00:00.000Z',
  });
  expect(await screen.findByText('$100.00')).toBeTruthy();
  expect(screen.getByText('From 5 Mar 2026, 14:00 UTC: $500.00')).toBeTruthy();
  expect(screen.getByText('$50.00')).toBeTruthy();
  expect(screen.getByText('From 5 Mar 2026, 15:30 UTC: No limit')).toBeTruthy();
  expect(screen.getByText('Until 11 Mar 2026, 12:00 UTC')).toBeTruthy();
});

test('a first limit is set and shown', async () => {
  const { sent } = showLimits(free, success(hundred));
  await screen.findAllByText('No limit');
  const dialog = await open('Set: Weekly deposit limit');
  type(amountLabel, '100');
  expect(dialog.getByText('Applies immediately.')).toBeTruthy();
  press('Set limit');
  expect(await screen.findByText('$100.00')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent()).toEqual([{ deposit_week: 100 }]);
});

test('a higher limit says beforehand that it takes effect later', async () => {
  const { sent } = showLimits(hundred, success(raised));
  await screen.findByText('$100.00');
  const dialog = await open('Change: Weekly deposit limit');
  type(amountLabel, '500');
  expect(dialog.getByText('Applies after 24 hours. Until then the limit is $100.00.')).toBeTruthy();
  press('Set limit');
  expect(await screen.findByText('From 5 Mar 2026, 14:00 UTC: $500.00')).toBeTruthy();
  expect(sent()).toEqual([{ deposit_week: 500 }]);
});

test('a limit is removed by null, and only offered where one is in force and not already ending', async () => {
  const ending: OwnLimits = {
    ...free,
    loss_day: { amount: 50, next: { amount: null, at: '2026-03-05T14:00:00.000Z' } },
  };
  const { sent } = showLimits({ ...free, loss_day: { amount: 50, next: null } }, success(ending));
  await screen.findByText('$50.00');
  expect((await open('Set: Weekly deposit limit')).queryByRole('button', { name: 'Remove limit' })).toBeNull();
  press('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await open('Change: Daily loss limit');
  press('Remove limit');
  expect(await screen.findByText('From 5 Mar 2026, 14:00 UTC: No limit')).toBeTruthy();
  expect(sent()).toEqual([{ loss_day: null }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect((await open('Change: Daily loss limit')).queryByRole('button', { name: 'Remove limit' })).toBeNull();
});

test('a scheduled change is cancelled by setting the current limit', async () => {
  const { sent } = showLimits(raised, success(hundred));
  await screen.findByText('From 5 Mar 2026, 14:00 UTC: $500.00');
  press('Keep $100.00: Weekly deposit limit');
  await waitFor(() => expect(screen.queryByText('From 5 Mar 2026, 14:00 UTC: $500.00')).toBeNull());
  expect(sent()).toEqual([{ deposit_week: 100 }]);
});

test.each([
  ['', 'Enter a limit in numbers.'],
  ['0', 'A limit is at least 1$.'],
  ['99.50', 'A limit is in whole dollars.'],
])('a limit of %j is not sent', async (text, message) => {
  const { sent } = showLimits(hundred);
  await screen.findByText('$100.00');
  const dialog = await open('Change: Weekly deposit limit');
  if (text !== '') type(amountLabel, text);
  press('Set limit');
  expect((await dialog.findByRole('alert')).textContent).toBe(message);
  await settled();
  expect(sent()).toEqual([]);
});

test('a pause shows its end before it is confirmed', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-04T12:00:00Z') });
  const { sent } = showLimits(free, success({ ...free, paused_until: '2026-03-11T12:00:00.000Z' }));
  await screen.findByText('Not paused');
  const dialog = await open('Pause');
  type('Length in days', '7');
  expect(dialog.getByText('11 Mar 2026, 12:00 UTC')).toBeTruthy();
  press('Pause for 7 days');
  expect(await screen.findByText('Until 11 Mar 2026, 12:00 UTC')).toBeTruthy();
  expect(sent()).toEqual([{ pause_days: 7 }]);
});

test('a pause shorter than the current one is not sent', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-04T12:00:00Z') });
  const { sent } = showLimits({ ...free, paused_until: '2026-03-11T12:00:00.000Z' });
  await screen.findByText('Until 11 Mar 2026, 12:00 UTC');
  const dialog = await open('Extend pause');
  type('Length in days', '3');
  press('Pause');
  expect((await dialog.findByRole('alert')).textContent).toBe('A pause cannot be shortened. Choose a later end.');
  expect(document.activeElement).toBe(screen.getByLabelText('Length in days'));
  await settled();
  expect(sent()).toEqual([]);
});

test.each([
  ['Set: Daily loss limit', amountLabel, 'Set limit', 'loss_day', 'A limit is at least 1$.'],
  ['Pause', 'Length in days', 'Pause for 5 days', 'pause_days', 'A pause cannot be shortened. Choose a later end.'],
])('%s: a server error is shown at the field, and the value is kept', async (button, label, submit, field, message) => {
  showLimits(free, refused(422, 'validation', message, field));
  await screen.findByText('Not paused');
  const dialog = await open(button);
  type(label, '5');
  press(submit);
  expect((await dialog.findByRole('alert')).textContent).toBe(message);
  expect((screen.getByLabelText(label) as HTMLInputElement).value).toBe('5');
  expect(document.activeElement).toBe(screen.getByLabelText(label));
});
