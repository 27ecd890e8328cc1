import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { aUser } from '../../../test/account.ts';
import { addressNow, renderAt, showPage } from '../../../test/render.tsx';
import { type Answers, success } from '../../../test/server.ts';
import { getAccessToken } from '../../api/sign-in-state.ts';
import { readStored, writeStored } from '../../api/storage.ts';
import { LoginPage } from './login-page.tsx';

const user = aUser();

const quiet = { 'GET /market': 'never', 'GET /trading/session': 'never' } as const;
const open = (answers: Answers = {}) => showPage('/', <LoginPage />, { ...quiet, ...answers }).calls;
const id = () => screen.getByLabelText<HTMLInputElement>('Registered Id');
const password = () => screen.getByLabelText<HTMLInputElement>('Password');
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'SIGN IN' }));
const fill = () => {
  fireEvent.change(id(), { target: { value: ' tw7k3qmx9d ' } });
  fireEvent.change(password(), { target: { value: 'correct-horse' } });
};

test('it welcomes, shows the mode and links to sign-up and the forgotten password', () => {
  open();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome back');
  expect(screen.getByText('Paper mode')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/register');
  expect(screen.getByRole('link', { name: 'Forgot Password' }).getAttribute('href')).toBe('/forgot-password');
});

test('empty fields are reported in our words, and nothing is sent', () => {
  const calls = open();
  expect(document.querySelector('form')?.noValidate).toBe(true);
  submit();
  expect(screen.getByText('Registered id is required')).toBeDefined();
  expect(screen.getByText('Password is required')).toBeDefined();
  expect(id().getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(id());
  expect(calls.map(({ name }) => name)).not.toContain('POST /auth/login');
});

test('the id is prefilled from the stored referral code', () => {
  writeStored('referral_code', 'TW7K3QMX9D');
  open();
  expect(id().value).toBe('TW7K3QMX9D');
});

test('signing in stores token and user', async () => {
  const calls = open({ 'POST /auth/login': success({ access_token: 'secret', user }) });
  fill();
  fireEvent.click(screen.getByLabelText('Remember Me'));
  submit();
  await waitFor(() => expect(readStored('accessToken')).toBe('secret'));
  expect(readStored('userDetail')).toEqual(user);
  expect(calls.find(({ name }) => name === 'POST /auth/login')?.body).toEqual({
    loginId: 'tw7k3qmx9d',
    password: 'correct-horse',
    remember: true,
  });
});

test('an account with two-factor authentication goes on to the code', async () => {
  open({ 'POST /auth/login': success({ otp_required: true, challenge: 'c1' }) });
  fill();
  submit();
  await waitFor(() => expect(addressNow()).toBe('/verify-otp'));
  expect(getAccessToken()).toBeUndefined();
});

test('a refusal stays above the button after its toast is gone, and nobody is signed in', async () => {
  const message = 'Registered Id or password is wrong.';
  open({ 'POST /auth/login': { status: 422, body: { status: 'error', message } } });
  fill();
  submit();
  const form = document.querySelector('form') as HTMLElement;
  await within(form).findByText(message);
  expect(getAccessToken()).toBeUndefined();
  fireEvent.input(password(), { target: { value: 'fair' } });
  expect(within(form).queryByText(message)).toBeNull();
});

test('the password can be shown and hidden', () => {
  open();
  expect(password().type).toBe('password');
  fireEvent.click(screen.getByRole('button', { name: 'Show or hide password' }));
  expect(password().type).toBe('text');
});

describe('a token in the address', () => {
  test('leaves the address at once, is checked, and is stored with what confirms whose account it is', async () => {
    let answer: (value: Response) => void = () => undefined;
    const asked: string[] = [];
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
      if (!url.endsWith('/auth/adopt')) return new Promise(() => undefined);
      asked.push(new Headers(init?.headers).get('authorization') ?? '');
      return new Promise<Response>((resolve) => {
        answer = resolve;
      });
    });
    renderAt('/?accessToken=given&x=1', <LoginPage />);
    await waitFor(() => expect(asked).toEqual(['Bearer given']));
    expect(addressNow()).toBe('/?x=1');
    expect(readStored('accessToken')).toBeUndefined();

    const opened_by = { name: 'Ida Moen', until: '2026-03-04T14:35:00.000Z' };
    const body = { status: 'success', data: { user, opened_by, confirmation: 'told-once' } };
    await act(async () => answer(new Response(JSON.stringify(body))));
    expect(readStored('accessToken')).toBe('given');
    expect(readStored('openedBy')).toEqual(opened_by);
    expect(readStored('confirmation')).toBe('told-once');
  });

  test('that the server does not know is not stored', async () => {
    const refused = { status: 401, body: { status: 'error', message: 'Please sign in.' } };
    showPage('/?accessToken=forged', <LoginPage />, { ...quiet, 'POST /auth/adopt': refused });
    expect((await screen.findByRole('alert')).textContent).toBe('Please sign in.');
    expect(readStored('accessToken')).toBeUndefined();
    expect(addressNow()).toBe('/');
  });
});
