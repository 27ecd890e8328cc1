import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aroundThePage, samuel } from '../../../../test/console.ts';
import { addressNow, onRoute, renderAt } from '../../../../test/render.tsx';
import { type Answers, refused, stubServer, success } from '../../../../test/server.ts';
import { getOperatorToken } from '../../../api/operator-state.ts';
import { OperatorConsole } from '../shell/console.tsx';

const over = refused(422, 'invitation_over', 'This invitation is over.');
const { second_factor: _, ...account } = samuel;

function open(at: { pathname: string; hash?: string }, answers: Answers = {}) {
  const calls = stubServer({ ...aroundThePage(), ...answers });
  renderAt(at, onRoute('/operator/*', <OperatorConsole />));
  return { sentTo: (name: string) => calls.filter((call) => call.name === name).map(({ body }) => body) };
}

test('an invitation names its operator, takes a password, and leads to the second factor', async () => {
  const { sentTo } = open(
    { pathname: '/operator/invitation', hash: '#token-1' },
    {
      'POST /operator/invitation': success({
        name: 'Samuel Okafor',
        email: 'samuel@mail.test',
        role: 'finance',
        expires_at: '2026-03-06T12:00:00.000Z',
      }),
      'POST /operator/invitation/accept': success({ access_token: 'fresh', operator: account, second_factor: false }),
    },
  );
  expect(await screen.findByRole('heading', { name: 'Welcome, Samuel Okafor' })).toBeDefined();
  expect(addressNow()).toBe('/operator/invitation');
  fireEvent.click(screen.getByRole('button', { name: 'Accept invitation' }));
  expect(screen.getByText('Password is required')).toBeDefined();
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'gale force nine' } });
  fireEvent.click(screen.getByRole('button', { name: 'Accept invitation' }));
  expect(await screen.findByRole('heading', { name: 'Set up two-factor authentication' })).toBeDefined();
  expect(getOperatorToken()).toBe('fresh');
  expect(sentTo('POST /operator/invitation/accept')).toEqual([{ token: 'token-1', password: 'gale force nine' }]);
});

test('an expired one says so and links to the sign-in page', async () => {
  open({ pathname: '/operator/invitation', hash: '#token-1' }, { 'POST /operator/invitation': over });
  expect(await screen.findByRole('heading', { name: 'This invitation is not valid' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Go to sign in' }).getAttribute('href')).toBe('/operator/sign-in');
});

test('an address without a token sends nothing', async () => {
  const { sentTo } = open({ pathname: '/operator/invitation' });
  expect(await screen.findByRole('heading', { name: 'This invitation is not valid' })).toBeDefined();
  await waitFor(() => expect(sentTo('POST /operator/invitation')).toEqual([]));
});
