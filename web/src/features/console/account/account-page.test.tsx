import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { aSession } from '../../../../test/account.ts';
import { aroundThePage, samuel, signInAs, typeCode } from '../../../../test/console.ts';
import { showPage } from '../../../../test/render.tsx';
import { type Answers, refused, settled, success } from '../../../../test/server.ts';
import { AccountPage } from './account-page.tsx';

const PASSWORD = 'PUT /operator/password';

function open(answers: Answers = {}) {
  let sessions = [aSession(), aSession({ id: '9', device: 'Safari on iPhone', current: false })];
  const { calls } = showPage('/operator/account', <AccountPage />, {
    ...aroundThePage(),
    'GET /operator/me/sessions': () => success(sessions),
    'DELETE /operator/me/sessions/9': () => {
      sessions = sessions.slice(0, 1);
      return success(null);
    },
    ...answers,
  });
  return { sentTo: (name: string) => calls.filter((call) => call.name === name).map(({ body }) => body) };
}
async function fill(given: { current?: string; chosen?: string; code?: boolean }) {
  const region = await screen.findByRole('region', { name: 'Password' });
  const panel = within(region);
  fireEvent.change(panel.getByLabelText('Current password'), { target: { value: given.current ?? '' } });
  fireEvent.change(panel.getByLabelText('New password'), { target: { value: given.chosen ?? '' } });
  if (given.code) typeCode(region);
  fireEvent.click(panel.getByRole('button', { name: 'Change password' }));
  return panel;
}

beforeEach(() => signInAs());

test('shows whose account it is, and lists and ends its sessions', async () => {
  open();
  expect(screen.getByText(`${samuel.name}, ${samuel.email}, ${samuel.role}`)).toBeDefined();
  fireEvent.click(await screen.findByRole('button', { name: 'Sign out: Safari on iPhone' }));
  const ask = within(await screen.findByRole('dialog', { name: 'Sign out this device?' }));
  fireEvent.click(ask.getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
});

test('a new password takes the current one and a code, and all three fields are cleared afterwards', async () => {
  const { sentTo } = open({ [PASSWORD]: success(null) });
  const panel = await fill({ current: 'gale force nine', chosen: 'quiet harbour 42', code: true });
  await waitFor(() =>
    expect(sentTo(PASSWORD)).toEqual([
      { current_password: 'gale force nine', password: 'quiet harbour 42', otp: '123456' },
    ]),
  );
  expect(await screen.findByText('All other devices were signed out.')).toBeDefined();
  expect((panel.getByLabelText('Current password') as HTMLInputElement).value).toBe('');
});

test('a missing value is reported at its field, and nothing is sent', async () => {
  const { sentTo } = open();
  const panel = await fill({ chosen: 'short' });
  expect(panel.getByText('At least 8 characters.')).toBeDefined();
  expect(panel.getByText('The code has 6 digits.')).toBeDefined();
  expect(document.activeElement).toBe(panel.getByLabelText('Current password'));
  await settled();
  expect(sentTo(PASSWORD)).toEqual([]);
});

test('a server refusal is shown at its field, and the code must be entered again', async () => {
  open({ [PASSWORD]: refused(422, 'wrong_password', 'This is not your password.', 'current_password') });
  const panel = await fill({ current: 'guessed', chosen: 'quiet harbour 42', code: true });
  expect(await panel.findByText('This is not your password.')).toBeDefined();
  for (const cell of panel.getAllByRole('textbox', { name: /^Digit/ })) {
    expect((cell as HTMLInputElement).value).toBe('');
  }
});

const REMOVAL = 'POST /operator/passkeys/7/remove';
const passkey = { id: '7', name: 'Laptop', synced: false, created_at: '2026-03-01T09:00:00Z', last_used_at: null };

test('a passkey is removed with the password as it was typed, spaces at its ends included', async () => {
  const { sentTo } = open({ 'GET /operator/passkeys': success([passkey]), [REMOVAL]: success(null) });
  fireEvent.click(await screen.findByRole('button', { name: 'Remove: Laptop' }));
  const dialog = await screen.findByRole('dialog', { name: 'Remove passkey' });
  fireEvent.change(within(dialog).getByLabelText('Current password'), { target: { value: ' gale force nine ' } });
  typeCode(dialog);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Remove passkey' }));
  await waitFor(() => expect(sentTo(REMOVAL)).toEqual([{ password: ' gale force nine ', otp: '123456' }]));
});

test.each([
  ['support', 'you are emailed'],
  ['finance', 'all operators are emailed'],
] as const)('the removal of a passkey of %s says whom it is emailed to', async (role, told) => {
  signInAs({ role });
  open({ 'GET /operator/passkeys': success([passkey]) });
  fireEvent.click(await screen.findByRole('button', { name: 'Remove: Laptop' }));
  const dialog = await screen.findByRole('dialog', { name: 'Remove passkey' });
  expect(dialog.textContent).toContain(`All your other devices are signed out, and ${told}.`);
});
