import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { addressNow, renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { ResetPasswordPage } from './reset-password-page.tsx';

const open = (at: { hash?: string; state?: unknown }) => {
  const calls = stubServer({
    'POST /auth/reset-password': success({ referral_code: 'TW7K3QMX9D', device_token: 'd' }),
  });
  renderAt({ pathname: '/reset-password', ...at }, <ResetPasswordPage />);
  return calls;
};

test.each([
  ['the link of an email', { hash: '#token-1' }, 0],
  ['the page where a code was entered', { state: { resetToken: 'token-1' } }, 1],
])('the token of %s sets a new password', async (_from, at, codesEntered) => {
  const calls = open(at);
  await waitFor(() => expect(addressNow()).toBe('/reset-password'));
  expect(screen.queryAllByText('Code entered')).toHaveLength(codesEntered);
  fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'gale force nine' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save password' }));
  await waitFor(() => expect(addressNow()).toBe('/'));
  expect(calls.map(({ body }) => body)).toEqual([{ reset_token: 'token-1', password: 'gale force nine' }]);
});

test('without a token the page leads to a code', () => {
  open({});
  expect(screen.getByRole('link', { name: 'Request code' }).getAttribute('href')).toBe('/forgot-password');
});
