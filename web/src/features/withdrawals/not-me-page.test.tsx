import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import { refused, stubServer, success } from '../../../test/server.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { NotMePage } from './not-me-page.tsx';

const REPORT = 'POST /auth/not-me';
const TOKEN = 'kq3-_Zt';

function open(at: string, answers: Parameters<typeof stubServer>[0] = { [REPORT]: success({}) }) {
  const calls = stubServer(answers);
  const router = createMemoryRouter([{ path: '*', element: <NotMePage /> }], { initialEntries: [at] });
  render(
    <StrictMode>
      <MantineProvider env="test">
        <QueryClientProvider client={new QueryClient()}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
  return { calls, router };
}

const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
const press = () => fireEvent.click(screen.getByRole('button', { name: 'This was not me' }));

test('opening the page removes the token from the address and does nothing else', async () => {
  const { calls, router } = open(`/not-me#${TOKEN}`);
  await waitFor(() => expect(router.state.location.hash).toBe(''));
  expect(router.state.historyAction).toBe('REPLACE');
  expect(heading()).toBe('Was this not you?');
  expect(screen.getByText(/^The email told you about a change, a sign-in or a withdrawal\./)).toBeDefined();
  expect(calls).toEqual([]);
});

test('the button sends the token, and the page says what happened and what to do', async () => {
  const { calls } = open(`/not-me#${TOKEN}`);
  press();
  await waitFor(() => expect(heading()).toBe('Withdrawals are stopped'));
  expect(calls.map(({ name, body }) => [name, body])).toEqual([[REPORT, { token: TOKEN }]]);
  expect(screen.getByRole('link', { name: 'Change password' }).getAttribute('href')).toBe('/forgot-password');
});

test('the call carries no session, whoever is signed in; the link to the password is theirs', async () => {
  signIn('secret', { id: '7', name: 'Anika Rao' } as User);
  const { calls } = open(`/not-me#${TOKEN}`);
  press();
  await waitFor(() => expect(heading()).toBe('Withdrawals are stopped'));
  expect(calls[0]?.headers.get('authorization')).toBeNull();
  expect(screen.getByRole('link', { name: 'Change password' }).getAttribute('href')).toBe('/profile');
});

test('a link that is no longer valid is reported, and nothing is claimed to be stopped', async () => {
  const message = 'This link is no longer valid. Write to support.';
  open(`/not-me#${TOKEN}`, { [REPORT]: refused(422, 'wrong_alarm', message) });
  press();
  await screen.findByText(message);
  expect(heading()).toBe('Was this not you?');
});

test('another link opened in the same tab works as well', async () => {
  const { calls, router } = open(`/not-me#${TOKEN}`);
  await waitFor(() => expect(router.state.location.hash).toBe(''));
  await router.navigate('/not-me#another');
  await waitFor(() => expect(router.state.location.hash).toBe(''));
  press();
  await waitFor(() => expect(calls.map(({ body }) => body)).toEqual([{ token: 'another' }]));
});

test('without a token there is no button, and instructions are shown', () => {
  open('/not-me');
  expect(heading()).toBe('Open the link in the email');
  expect(screen.queryByRole('button', { name: 'This was not me' })).toBeNull();
});
