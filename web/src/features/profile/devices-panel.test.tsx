import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { AuthSession } from '#contract/accounts/profile.ts';
import { aSession } from '../../../test/account.ts';
import { showPage } from '../../../test/render.tsx';
import { refused, success } from '../../../test/server.ts';
import { OwnDevicesPanel } from './profile-page.tsx';

const here = aSession();
const phone = aSession({ id: '9', device: 'Safari on iPhone', address: '198.51.100.4', current: false });

/** With a server that drops ended sign-ins. */
function open(given: AuthSession[]) {
  let sessions = given;
  const end = (isEnded: (session: AuthSession) => boolean, data: unknown) => () => {
    sessions = sessions.filter((session) => !isEnded(session));
    return success(data);
  };
  return showPage('/profile', <OwnDevicesPanel />, {
    'GET /auth/sessions': () => success(sessions),
    'DELETE /auth/sessions/9': end(({ id }) => id === '9', null),
    'DELETE /auth/sessions': end(({ current }) => !current, { ended: given.length - 1 }),
  }).calls;
}

const rows = async () => (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);

test('each device has its address and last use, this one first and marked', async () => {
  open([phone, here]);
  const [first, second] = await rows();
  expect(first).toContain('Firefox on WindowsThis device');
  expect(first).toContain('203.0.113.7 · last used 4 Mar 2026, 14:05 UTC');
  expect(first).toContain('Signed in 3 Mar 2026, 08:15 UTC');
  expect(second).toContain('Safari on iPhone198.51.100.4');
  expect(screen.queryByRole('button', { name: 'Sign out: Firefox on Windows' })).toBeNull();
});

test('one is signed out after a confirmation that names it', async () => {
  const calls = open([here, phone]);
  fireEvent.click(await screen.findByRole('button', { name: 'Sign out: Safari on iPhone' }));
  const ask = within(await screen.findByRole('dialog', { name: 'Sign out this device?' }));
  expect(ask.getByText('Safari on iPhone')).toBeDefined();
  expect(calls.map(({ name }) => name)).toEqual(['GET /auth/sessions']);
  fireEvent.click(ask.getByRole('button', { name: 'Sign out' }));
  await waitFor(async () => expect(await rows()).toHaveLength(1));
  expect(calls.map(({ name }) => name)).toContain('DELETE /auth/sessions/9');
});

test('all others are signed out at once, and then the button is gone', async () => {
  open([here, phone, aSession({ id: '10', current: false })]);
  fireEvent.click(await screen.findByRole('button', { name: 'Sign out other devices' }));
  const ask = within(await screen.findByRole('dialog', { name: 'Sign out other devices?' }));
  expect(ask.getByText(/^2 devices will have to sign in again/)).toBeDefined();
  fireEvent.click(ask.getByRole('button', { name: 'Sign out other devices' }));
  expect(await screen.findByText('2 devices')).toBeDefined();
  await waitFor(async () => expect(await rows()).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Sign out other devices' })).toBeNull());
});

test('a long list is collapsed', async () => {
  open([here, ...Array.from({ length: 7 }, (_, index) => ({ ...phone, id: String(20 + index) }))]);
  expect(await rows()).toHaveLength(5);
  fireEvent.click(screen.getByRole('button', { name: 'Show all 8' }));
  expect(await rows()).toHaveLength(8);
});

test('a list that could not be loaded is not shown as empty', async () => {
  showPage('/profile', <OwnDevicesPanel />, { 'GET /auth/sessions': refused(500, 'internal', 'Broken.') });
  expect(await screen.findByText('This could not be loaded. Try again.')).toBeDefined();
});
