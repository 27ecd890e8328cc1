import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSession, aUser, theSecurity } from '../../../test/account.ts';
import { showPage } from '../../../test/render.tsx';
import { type Answers, refused, settled, success } from '../../../test/server.ts';
import { getAccessToken, signIn } from '../../api/sign-in-state.ts';
import { ProfilePage } from './profile-page.tsx';

const user = aUser();

const noLimit = { amount: null, next: null };
const limits = { deposit_week: noLimit, loss_day: noLimit, paused_until: null };

/** The profile of a signed-in member, with a server that answers the given calls besides `auth/me`. */
function showProfile(answers: Answers = {}, me = { sponsor: 'Rohan Mehta' as string | null, frozen: false }) {
  signIn('token', user);
  return showPage('/profile', <ProfilePage />, {
    'GET /auth/me': success({ user, second_factor: false, limits, ...me }),
    'GET /auth/security': success(theSecurity()),
    'GET /auth/passkeys': success([]),
    'GET /auth/sessions': success([aSession()]),
    'GET /profile/openings': success([]),
    ...answers,
  });
}

const fill = (current: string, next: string) => {
  fireEvent.change(screen.getByLabelText('Current password'), { target: { value: current } });
  fireEvent.change(screen.getByLabelText('New password'), { target: { value: next } });
  fireEvent.click(screen.getByRole('button', { name: 'Change password' }));
};

test('shows who the member is, who invited them, and their link', async () => {
  showProfile();
  expect(await screen.findByText('Rohan Mehta')).toBeTruthy();
  expect(screen.getByText('Member since 5 Dec 2025')).toBeTruthy();
  expect(screen.getByText('TW7K3QMX9D')).toBeTruthy();
  expect(screen.getByText(`${window.location.origin}/register?referralCode=TW7K3QMX9D`)).toBeTruthy();
});

test('a frozen account is shown as frozen, and its name cannot be edited', async () => {
  showProfile({}, { sponsor: null, frozen: true });
  expect(await screen.findByText('Frozen')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Edit name and mobile' })).toBeNull();
});

test.each([
  ['current_password', 'Current password', 'wrong_password', 'Your current password is wrong.'],
  ['password', 'New password', 'weak_password', 'This password is too common. Choose another one.'],
])('a server error for %s is shown at its field', async (field, label, code, message) => {
  showProfile({
    'PUT /auth/password': refused(422, code, message, field),
  });
  await screen.findByText('Rohan Mehta');
  fill('guess', 'password1');
  const fault = await screen.findByText(message);
  const input = screen.getByLabelText(label);
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(input.getAttribute('aria-describedby')).toContain(fault.id);
  // the typed text is still there to be corrected
  expect((input as HTMLInputElement).value).not.toBe('');
});

test('a short new password is not sent', async () => {
  const { sentTo } = showProfile();
  await screen.findByText('Rohan Mehta');
  fill('old one', 'short');
  expect(await screen.findByText('At least 8 characters.')).toBeTruthy();
  await settled();
  expect(sentTo('PUT /auth/password')).toEqual([]);
});

test('a changed password clears both fields', async () => {
  const { sentTo } = showProfile({ 'PUT /auth/password': success(null) });
  await screen.findByText('Rohan Mehta');
  fill('old one', 'a much better one');
  await waitFor(() => expect((screen.getByLabelText('Current password') as HTMLInputElement).value).toBe(''));
  expect((screen.getByLabelText('New password') as HTMLInputElement).value).toBe('');
  expect(sentTo('PUT /auth/password').map(({ body }) => body)).toEqual([
    { current_password: 'old one', password: 'a much better one' },
  ]);
});

test.each([
  ['the server ends the session', success(null)],
  ['the server does not answer', refused(503, 'not_ready', 'Not ready.')],
])('signing out forgets the token when %s', async (_name, reply) => {
  showProfile({ 'POST /auth/logout': reply });
  fireEvent.click(screen.getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(getAccessToken()).toBeUndefined());
});
