import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { theFees } from '../../../test/fees.ts';
import { addressNow, showPage } from '../../../test/render.tsx';
import { type Answers, type Call, refused, settled, success } from '../../../test/server.ts';
import { readStored } from '../../api/storage.ts';
import { RegisterPage } from './register-page.tsx';

/** The costs beside the form are requested as well. */
const open = (search = '', answers: Answers = {}) =>
  showPage(`/register${search}`, <RegisterPage />, { 'GET /fees': theFees(), ...answers }).calls;
const asked = (calls: Call[]) => calls.filter(({ name }) => name !== 'GET /fees');

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'SIGN UP' }));
const sent = (calls: Call[]) => calls.find(({ name }) => name === 'POST /auth/register')?.body;

const chooseIndia = () => {
  const dialCode = screen.getByRole('combobox', { name: 'Dial code' });
  fireEvent.click(dialCode);
  fireEvent.change(dialCode, { target: { value: 'india' } });
  fireEvent.click(screen.getByRole('option', { name: /^India/ }));
};

const fillIn = () => {
  chooseIndia();
  type('Mobile', '9876543210');
  type('Name', ' Anika Rao ');
  type('Email Id', 'anika.rao@example.com');
  type('Password', 'correct-horse');
};

test('it welcomes', () => {
  open();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome to Tradewind');
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/');
});

test('the cost of an account is shown beside the form, from the fees in force', async () => {
  open('', { 'GET /fees': theFees({ trade_fee_bps: 30 }) });
  expect(await screen.findByText('0.40% of the amount when a trade opens')).toBeDefined();
  expect(screen.getByText('10% of a trade’s gain. No gain, no performance fee.')).toBeDefined();
  expect(screen.getByText('1% of the amount, at least $1.00')).toBeDefined();
});

test('each missing field is named as the specification says, and ticking the terms is optional', async () => {
  const calls = open();
  expect(document.querySelector('form')?.noValidate).toBe(true);
  submit();
  for (const label of ['Invitation id', 'Dial code', 'Mobile', 'Name', 'Email id', 'Password']) {
    expect(screen.getByText(`${label} is required`)).toBeDefined();
  }
  await settled();
  expect(asked(calls)).toEqual([]);
  // The button is at the end of a page longer than a phone screen.
  expect(document.activeElement).toBe(field('Invitation Id'));
});

test('a missing dial code is focused, without its list covering other errors', () => {
  open('?referralCode=TWQ4RN8ZHC');
  submit();
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Dial code' }));
  expect(screen.queryAllByRole('option')).toEqual([]);
});

test.each([
  ['Mobile', '5876543210', 'Enter valid Mobile.', true],
  ['Mobile', '987654321', 'Enter valid Mobile.', true],
  ['Mobile', '9876543210', 'Enter valid Mobile.', false],
  ['Email Id', 'anika.rao@', 'Enter valid Email id.', true],
  ['Email Id', 'anika rao@example.com', 'Enter valid Email id.', true],
  ['Email Id', 'anika@example.museum', 'Enter valid Email id.', true],
  ['Email Id', 'anika_rao-1@mail.example.com', 'Enter valid Email id.', false],
])('%s %s: %s (%s)', (label, value, message, isWrong) => {
  open();
  type(label, value);
  submit();
  expect(screen.queryByText(message) !== null).toBe(isWrong);
});

test('a mobile takes digits only, ten at most', () => {
  open();
  type('Mobile', '98a7-6');
  expect(field('Mobile').value).toBe('9876');
  expect(field('Mobile').maxLength).toBe(10);
  expect(field('Mobile').inputMode).toBe('numeric');
});

const paste = (text: string) => fireEvent.paste(field('Mobile'), { clipboardData: { getData: () => text } });

test('a pasted mobile may have spaces, hyphens and a dial code, which is then chosen', () => {
  open();
  paste('98765 43210');
  expect(field('Mobile').value).toBe('9876543210');
  const dialCode = screen.getByRole<HTMLInputElement>('combobox', { name: 'Dial code' });
  expect(dialCode.value).toBe('');
  type('Mobile', '');
  paste('+91 98765-43210');
  expect(field('Mobile').value).toBe('9876543210');
  expect(dialCode.value).toBe('+91');
});

test('pasting the dial code already chosen keeps its country', () => {
  open();
  chooseIndia();
  paste('+91 98765-43210');
  expect(field('Mobile').value).toBe('9876543210');
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Dial code' }).value).toBe('IN +91');
});

test('a country chosen again stays chosen', () => {
  open();
  chooseIndia();
  chooseIndia();
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Dial code' }).value).toBe('IN +91');
});

describe('the invitation id', () => {
  test('from the address is uppercased, locked and not looked up', async () => {
    vi.useFakeTimers();
    const calls = open('?referralCode=twq4rn8zhc', { 'GET /auth/get-refer': success({ name: 'Rohan Mehta' }) });
    expect(field('Invitation Id').value).toBe('TWQ4RN8ZHC');
    expect(field('Invitation Id').readOnly).toBe(true);
    expect(screen.queryByText(/^You need the Invitation Id/)).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    await settled();
    expect(asked(calls)).toEqual([]);
  });

  test('when typed is uppercased and looked up 500 ms after the last key, with the upline’s name beneath', async () => {
    vi.useFakeTimers();
    const calls = open('', { 'GET /auth/get-refer': success({ name: 'Rohan Mehta' }) });
    type('Invitation Id', 'twq4rn8zh');
    await act(() => vi.advanceTimersByTimeAsync(400));
    type('Invitation Id', 'twq4rn8zhc');
    expect(field('Invitation Id').value).toBe('TWQ4RN8ZHC');
    await act(() => vi.advanceTimersByTimeAsync(499));
    await settled();
    expect(asked(calls)).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(asked(calls).map(({ url }) => url)).toEqual(['/api/v1/auth/get-refer?referralCode=TWQ4RN8ZHC']);
    await act(() => vi.advanceTimersByTimeAsync(50));
    expect(screen.getByText('Invited by Rohan Mehta')).toBeDefined();
  });

  test('that does not exist is shown in the server’s words, which stay beneath', async () => {
    const message = 'Invalid Invitation Id.';
    open('', { 'GET /auth/get-refer': refused(404, 'unknown_invitation', message) });
    type('Invitation Id', 'TWNOBODY22');
    expect((await screen.findByRole('alert')).textContent).toBe(message);
    const beneath = () => document.getElementById(`${field('Invitation Id').getAttribute('aria-describedby')}`);
    await waitFor(() => expect(beneath()?.textContent).toBe(message));
    type('Invitation Id', 'TWNOBODY2');
    expect(beneath()?.textContent).toBe('Ask the member who invited you for it');
  });
});

test('signing up sends dial code and mobile joined, stores the new id and opens /login with the message', async () => {
  const message = 'Welcome to Tradewind. Your Registered Id is TW7K3QMX9D.';
  const calls = open('?referralCode=TWQ4RN8ZHC', {
    'POST /auth/register': success({ referral_code: 'TW7K3QMX9D' }, message),
  });
  fillIn();
  submit();
  // A toast, gone after three seconds.
  expect(await screen.findByText(message)).toBeDefined();
  await waitFor(() => expect(addressNow()).toBe('/login'));
  expect(sent(calls)).toEqual({
    referralCode: 'TWQ4RN8ZHC',
    mobile_number: '+919876543210',
    name: 'Anika Rao',
    email: 'anika.rao@example.com',
    password: 'correct-horse',
    terms: false,
  });
  expect(readStored('referral_code')).toBe('TW7K3QMX9D');
});

test('a server error for a field is shown at that field', async () => {
  const message = 'Registration is not open for this dial code.';
  const answer = refused(403, 'country_blocked', message, 'mobile_number');
  open('?referralCode=TWQ4RN8ZHC', { 'POST /auth/register': answer });
  fillIn();
  submit();
  // At the field, and for three seconds as a toast.
  await waitFor(() => expect(screen.getAllByText(message)).toHaveLength(2));
  expect(field('Mobile').getAttribute('aria-invalid')).toBe('true');
  expect(readStored('referral_code')).toBeUndefined();
});

test('a sign-up whose response was lost is repeated with its key, which opens no second account', async () => {
  let tries = 0;
  const calls = open('?referralCode=TWQ4RN8ZHC', {
    'POST /auth/register': () => {
      tries += 1;
      if (tries === 1) throw new TypeError('Failed to fetch');
      return success({ referral_code: 'TW7K3QMX9D' });
    },
  });
  fillIn();
  submit();
  await screen.findByText('No connection. Please try again.', { selector: '[role=alert] *, [role=alert]' });
  submit();
  await waitFor(() => expect(addressNow()).toBe('/login'));
  const keys = calls
    .filter(({ name }) => name === 'POST /auth/register')
    .map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toEqual([expect.stringMatching(/^[\w-]{43}$/), keys[0]]);
});
