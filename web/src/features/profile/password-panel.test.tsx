import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Security } from '#contract/accounts/profile.ts';
import { theSecurity } from '../../../test/account.ts';
import { showPage } from '../../../test/render.tsx';
import { type Answers, refused, settled, success } from '../../../test/server.ts';
import { PasswordPanel } from './profile-page.tsx';

const CHANGE = 'PUT /auth/password';

function open(given: Partial<Security> = {}, answers: Answers = {}) {
  const { calls } = showPage('/profile', <PasswordPanel referralCode="TW7M2QX4AB" />, {
    'GET /auth/security': success(theSecurity(given)),
    [CHANGE]: success(null),
    ...answers,
  });
  fireEvent.change(screen.getByLabelText('Current password'), { target: { value: 'fair wind 7' } });
  fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'gale force 9' } });
  return () => calls.filter((call) => call.name === CHANGE).map((call) => call.body);
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const type = (text: string) =>
  fireEvent.change(screen.getByLabelText(/^(Authenticator|Recovery) code$/), { target: { value: text } });
const passwords = { current_password: 'fair wind 7', password: 'gale force 9' };

test.each([
  ['authenticator code', '', '407129', 'The code has 6 digits.'],
  ['recovery code', '407129', '7M2Q-X4AB-9KDT-3WZH', 'Enter a valid recovery code.'],
])('with it, requires the %s before anything is sent', async (kind, wrong, right, complaint) => {
  const sent = open({ second_factor: true });
  await screen.findByLabelText('Authenticator code');
  if (kind === 'recovery code') press('Use recovery code');
  if (wrong !== '') type(wrong);
  press('Change password');
  expect(screen.getByRole('alert').textContent).toBe(complaint);
  await settled();
  expect(sent()).toEqual([]);
  type(right);
  press('Change password');
  await waitFor(() => expect(sent()).toEqual([{ ...passwords, second_factor: right }]));
});

test('a page unaware of it asks once the server does, and a wrong code is reported at the field', async () => {
  const words = 'This code is wrong, expired or already used. Enter a new code.';
  let asked = 0;
  const sent = open(
    {},
    {
      [CHANGE]: () => {
        asked += 1;
        return asked === 1
          ? refused(422, 'second_factor_required', 'Confirm this with two-factor authentication.', 'second_factor')
          : refused(422, 'wrong_second_factor', words, 'second_factor');
      },
    },
  );
  press('Change password');
  await screen.findByLabelText('Authenticator code');
  type('407129');
  press('Change password');
  expect((await screen.findByText(words, { selector: '[role=alert]' })).textContent).toBe(words);
  expect(screen.getByLabelText<HTMLInputElement>('Authenticator code').value).toBe('');
  expect(sent()).toEqual([passwords, { ...passwords, second_factor: '407129' }]);
});

test('after a lost reply it says that the new password may already be valid, also once the current one is refused', async () => {
  const words = 'No reply. Try again: if your current password is then wrong, the new one is already valid.';
  let tries = 0;
  open(
    {},
    {
      [CHANGE]: () => {
        tries += 1;
        if (tries === 1) throw new TypeError('Failed to fetch');
        return tries === 2
          ? refused(422, 'wrong_password', 'Your current password is wrong.', 'current_password')
          : success(null);
      },
    },
  );
  press('Change password');
  await screen.findByText(words);
  press('Change password');
  await waitFor(() => expect(screen.getByLabelText('Current password').getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getByText(words)).toBeDefined();
  press('Change password');
  await waitFor(() => expect(screen.queryByText(words)).toBeNull());
});
