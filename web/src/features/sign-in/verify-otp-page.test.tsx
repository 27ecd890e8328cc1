import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { addressNow, renderAt } from '../../../test/render.tsx';
import { type Call, refused, settled, stubServer, success } from '../../../test/server.ts';
import { readStored } from '../../api/storage.ts';
import { VerifyOtpPage } from './verify-otp-page.tsx';

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const reset = () => ({
  purpose: 'reset_password',
  loginId: 'tw7k3qmx9d',
  requestToken: 'made-by-the-page-before',
  expiresAt: inMs(600_000),
  resendAt: inMs(60_000),
});
const open = (state: unknown) => renderAt({ pathname: '/verify-otp', state }, <VerifyOtpPage />);
const cells = () => screen.getAllByLabelText<HTMLInputElement>(/^Digit \d of 6$/);
const paste = (text: string) =>
  fireEvent.paste(cells()[0] as HTMLInputElement, { clipboardData: { getData: () => text } });
const typeAt = (index: number, digit: string) =>
  fireEvent.change(cells()[index] as HTMLInputElement, { target: { value: digit } });
const bodies = (calls: Call[]) => calls.map(({ body }) => body);

test('six cells take digits; a full code is submitted automatically, once', async () => {
  const calls = stubServer({ 'POST /auth/otp-verify': success({ reset_token: 'r1' }) });
  open(reset());
  expect(cells()).toHaveLength(6);
  expect(cells()[0]?.inputMode).toBe('numeric');
  expect(cells()[0]?.autocomplete).toBe('one-time-code');
  typeAt(0, 'x');
  expect(cells()[0]?.value).toBe('');
  for (const [index, digit] of [...'40712'].entries()) typeAt(index, digit);
  await settled();
  expect(calls).toEqual([]);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Verify' }).disabled).toBe(true);
  typeAt(5, '9');
  // Enter out of habit, before the code is seen to be on its way.
  fireEvent.submit(document.querySelector('form') as HTMLFormElement);
  await waitFor(() => expect(addressNow()).toBe('/reset-password'));
  expect(bodies(calls)).toEqual([
    { purpose: 'reset_password', loginId: 'tw7k3qmx9d', request_token: 'made-by-the-page-before', otp: '407129' },
  ]);
});

test('a wrong code clears the cells, is reported in the server’s words, and can be retried', async () => {
  const message = 'This code is wrong or has expired.';
  const calls = stubServer({ 'POST /auth/otp-verify': { status: 422, body: { status: 'error', message } } });
  open(reset());
  paste('111111');
  await waitFor(() => expect(cells()[0]?.getAttribute('aria-invalid')).toBe('true'));
  // Once as a toast, once below the cells.
  expect(screen.getAllByText(message)).toHaveLength(2);
  expect(
    cells()
      .map(({ value }) => value)
      .join(''),
  ).toBe('');
  expect(document.activeElement).toBe(cells()[0]);
  paste('222222');
  await waitFor(() => expect(bodies(calls)).toHaveLength(2));
});

test('the code of a sign-in, pasted as it is written, signs in', async () => {
  const user = { id: '7', name: 'Anika Rao' };
  const calls = stubServer({ 'POST /auth/otp-verify': success({ access_token: 'secret', user }) });
  open({ purpose: 'login', challenge: 'c1' });
  paste('407 129');
  await waitFor(() => expect(readStored('accessToken')).toBe('secret'));
  expect(bodies(calls)).toEqual([{ purpose: 'login', challenge: 'c1', otp: '407129' }]);
});

test('a recovery code signs in instead, with or without hyphens', async () => {
  const user = { id: '7', name: 'Anika Rao' };
  const calls = stubServer({ 'POST /auth/otp-verify': success({ access_token: 'secret', user }) });
  open({ purpose: 'login', challenge: 'c1' });
  fireEvent.click(screen.getByRole('button', { name: 'Use recovery code' }));
  const field = screen.getByLabelText('Recovery code');
  const verify = screen.getByRole('button', { name: 'Verify' });
  fireEvent.click(verify);
  expect(screen.getByText('Recovery code is required')).toBeDefined();
  fireEvent.change(field, { target: { value: '7M2Q-X4AB' } });
  fireEvent.click(verify);
  expect(screen.getByText('Enter a valid recovery code.')).toBeDefined();
  await settled();
  expect(calls).toEqual([]);
  fireEvent.change(field, { target: { value: ' 7m2qx4ab9kdt3wzh ' } });
  fireEvent.click(verify);
  await waitFor(() => expect(readStored('accessToken')).toBe('secret'));
  expect(bodies(calls)).toEqual([{ purpose: 'login', challenge: 'c1', recovery_code: '7m2qx4ab9kdt3wzh' }]);
});

test('a refused recovery code is reported at its field, and the app can be used again', async () => {
  const message = 'This code is wrong, expired or already used. Enter a new code.';
  stubServer({
    'POST /auth/otp-verify': refused(422, 'wrong_second_factor', message, 'recovery_code'),
  });
  open({ purpose: 'login', challenge: 'c1' });
  fireEvent.click(screen.getByRole('button', { name: 'Use recovery code' }));
  fireEvent.change(screen.getByLabelText('Recovery code'), { target: { value: '7M2Q-X4AB-9KDT-3WZH' } });
  fireEvent.click(screen.getByRole('button', { name: 'Verify' }));
  screen.getByRole('button', { name: 'Verify' }).focus();
  await waitFor(() => expect(screen.getByLabelText('Recovery code').getAttribute('aria-invalid')).toBe('true'));
  expect(document.activeElement).toBe(screen.getByLabelText('Recovery code'));
  fireEvent.click(screen.getByRole('button', { name: 'Use authenticator app' }));
  expect(cells()).toHaveLength(6);
});

test('why the device refused the passkey stays above the button', async () => {
  vi.stubGlobal('PublicKeyCredential', class {});
  stubServer({ 'POST /auth/passkey/second-factor': success({ challenge: 'AAAA' }) });
  const { container } = open({ purpose: 'login', challenge: 'c1', methods: ['passkey'] });
  fireEvent.click(screen.getByRole('button', { name: 'Use a passkey' }));
  const main = within(container.querySelector('main') as HTMLElement);
  await main.findByText('The passkey did not work. Try again.');
});

test('an expired sign-in returns to the login page, with the reason in words', async () => {
  const message = 'This sign-in has expired. Please sign in again.';
  stubServer({ 'POST /auth/otp-verify': refused(422, 'sign_in_expired', message) });
  open({ purpose: 'login', challenge: 'c1' });
  paste('407129');
  // A toast: gone three seconds later, which a busy machine may take for the rest.
  expect(await screen.findByText(message)).toBeDefined();
  await waitFor(() => expect(addressNow()).toBe('/'));
});

test('it counts down how long the code is valid, and when another can be sent', async () => {
  vi.useFakeTimers();
  const again = { expires_at: inMs(700_000), resend_at: inMs(130_000) };
  const calls = stubServer({ 'POST /auth/forgot-password': success(again) });
  open(reset());
  expect(screen.getByText('Valid for 10:00')).toBeDefined();
  expect(screen.getByText('Resend in 1:00')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(42_000));
  expect(screen.getByText('Resend in 0:18')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Resend code' })).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(18_000));
  fireEvent.click(screen.getByRole('button', { name: 'Resend code' }));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(bodies(calls)).toEqual([{ loginId: 'tw7k3qmx9d', request_token: 'made-by-the-page-before' }]);
  expect(screen.getByText(/^Resend in 1:/)).toBeDefined();
});

test('an expired code is shown as expired', () => {
  stubServer({});
  open({ ...reset(), expiresAt: inMs(-1) });
  expect(screen.getByText('This code has expired')).toBeDefined();
});

test.each([[null], ['text'], [{ purpose: 'login' }], [{ purpose: 'reset_password', loginId: 'x' }]])(
  'opened with %o its six cells are disabled, and it says what to do',
  (state) => {
    stubServer({});
    open(state);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Enter code');
    expect(cells().map(({ disabled }) => disabled)).toEqual([true, true, true, true, true, true]);
    expect(
      screen.getByText('No code has been sent yet. Sign in, or request a code with Forgot Password.'),
    ).toBeDefined();
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/');
    expect(screen.getByRole('link', { name: 'Forgot Password' }).getAttribute('href')).toBe('/forgot-password');
  },
);
