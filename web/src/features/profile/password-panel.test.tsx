import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Security } from '#contract/accounts/profile.ts';
import { refused, theSecurity } from '../../../test/account.ts';
import { renderAt } from '../../../test/render.tsx';
import { type Answers, stubServer, success } from '../../../test/server.ts';
import { PasswordPanel } from './password-panel.tsx';

const CHANGE = 'PUT /auth/password';

function open(given: Partial<Security> = {}, answers: Answers = {}) {
  const calls = stubServer({ 'GET /auth/security': success(theSecurity(given)), [CHANGE]: success(null), ...answers });
  renderAt('/profile', <PasswordPanel referralCode="TW7M2QX4AB" />);
  fireEvent.change(screen.getByLabelText('Current password'), { target: { value: 'fair wind 7' } });
  fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'gale force 9' } });
  return () => calls.filter((call) => call.name === CHANGE).map((call) => call.body);
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const type = (text: string) =>
  fireEvent.change(screen.getByLabelText(/^(Authenticator|Recovery) code$/), { target: { value: text } });
const passwords = { current_password: 'fair wind 7', password: 'gale force 9' };

test('asks nothing more of an account without two-factor authentication', async () => {
  const sent = open();
  press('Change password');
  await waitFor(() => expect(sent()).toEqual([passwords]));
  expect(screen.queryByLabelText('Authenticator code')).toBeNull();
});

test('with it, takes the authenticator code before anything is sent', async () => {
  const sent = open({ second_factor: true });
  await screen.findByLabelText('Authenticator code');
  press('Change password');
  expect(screen.getByRole('alert').textContent).toBe('The code has 6 digits.');
  expect(sent()).toEqual([]);
  type('407129');
  press('Change password');
  await waitFor(() => expect(sent()).toEqual([{ ...passwords, second_factor: '407129' }]));
});

test('takes a recovery code instead', async () => {
  const sent = open({ second_factor: true });
  await screen.findByLabelText('Authenticator code');
  press('Use recovery code');
  type('407129');
  press('Change password');
  expect(screen.getByRole('alert').textContent).toBe('Enter a valid recovery code.');
  type('7M2Q-X4AB-9KDT-3WZH');
  press('Change password');
  await waitFor(() => expect(sent()).toEqual([{ ...passwords, second_factor: '7M2Q-X4AB-9KDT-3WZH' }]));
});

test('a page that did not know asks once the server does, and a wrong code is said at the field', async () => {
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
