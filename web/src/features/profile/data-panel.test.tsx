import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { aUser, theSecurity } from '../../../test/account.ts';
import { showPage } from '../../../test/render.tsx';
import { savedFiles } from '../../../test/saved-files.ts';
import { type Answers, refused, settled, success } from '../../../test/server.ts';
import { getAccessToken, signIn } from '../../api/sign-in-state.ts';
import { DataPanel } from './data-panel.tsx';

const user = aUser();
beforeEach(() => signIn('token', user));

const open = (answers: Answers = {}, secondFactor = false) => {
  return showPage('/profile', <DataPanel user={user} />, {
    'GET /auth/security': success(theSecurity({ second_factor: secondFactor })),
    'GET /auth/wallet-balance': success({ primary_wallet: 0, profit_wallet: 0 }),
    'POST /profile/close': success(null),
    ...answers,
  }).calls;
};
const askToClose = async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Close my account' }));
  return within(await screen.findByRole('dialog', { name: 'Close your account permanently?' }));
};
const close = (dialog: Awaited<ReturnType<typeof askToClose>>) => {
  fireEvent.change(dialog.getByLabelText('Password'), { target: { value: 'a harbour at dusk' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Close my account' }));
};
const forfeitOf = (body: unknown) => (body as { forfeit?: number }).forfeit;
const sent = (calls: ReturnType<typeof open>) => calls.filter(({ name }) => name === 'POST /profile/close');

test('all data held on the member is saved as a file', async () => {
  const saved = savedFiles();
  open({ 'GET /profile/export': { status: 200, body: { account: [] } } });
  fireEvent.click(screen.getByRole('button', { name: 'Export my data' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(JSON.parse((await saved[0]?.file.text()) ?? '')).toEqual({ account: [] });
});

test('a sign-in that is too old is told to sign in again', async () => {
  const message = 'Your sign-in is older than 15 minutes. Sign in again first.';
  open({ 'GET /profile/export': refused(403, 'fresh_sign_in_required', message) });
  fireEvent.click(screen.getByRole('button', { name: 'Export my data' }));
  expect((await screen.findByRole('alert')).textContent).toBe(message);
});

test('closing says what is deleted and what is kept, takes the password, and signs out', async () => {
  const calls = open();
  const dialog = await askToClose();
  expect(dialog.getByText('Deleted:')).toBeDefined();
  expect(dialog.getByText('Kept without your name:')).toBeDefined();
  expect(dialog.getByRole('button', { name: 'Close my account' }).dataset.variant).toBe('danger');
  fireEvent.click(dialog.getByRole('button', { name: 'Close my account' }));
  expect(dialog.getByRole('alert').textContent).toBe('Password is required');
  await settled();
  expect(sent(calls)).toEqual([]);
  close(dialog);
  await waitFor(() => expect(getAccessToken()).toBeUndefined());
  expect(sent(calls).map(({ body }) => body)).toEqual([{ password: 'a harbour at dusk' }]);
});

test('with two-factor authentication it takes a code as well', async () => {
  const calls = open({}, true);
  const dialog = await askToClose();
  fireEvent.change(await dialog.findByLabelText('Authenticator code'), { target: { value: '123456' } });
  close(dialog);
  await waitFor(() => expect(getAccessToken()).toBeUndefined());
  expect(sent(calls).map(({ body }) => body)).toEqual([{ password: 'a harbour at dusk', second_factor: '123456' }]);
});

test('an obstacle stays above the buttons, and the member stays signed in', async () => {
  const message = 'Your account still holds money. Withdraw it first.';
  open({ 'POST /profile/close': refused(409, 'closing_balance', message) });
  const dialog = await askToClose();
  close(dialog);
  await dialog.findByText(message);
  expect(getAccessToken()).toBe('token');
});

test('what is left is forfeited by its exact amount, and by another once that has changed', async () => {
  let primary_wallet = 9.999999;
  const message = 'What is left in your wallets is not what you forfeit. Check the amount.';
  const calls = open({
    'GET /auth/wallet-balance': () => success({ primary_wallet, profit_wallet: 0.5 }),
    'POST /profile/close': ({ body }) =>
      forfeitOf(body) === 8.5 ? success(null) : refused(409, 'closing_remainder', message),
  });
  const dialog = await askToClose();
  const tick = await dialog.findByRole<HTMLInputElement>('checkbox', { name: /I forfeit the \$10\.499999 left/ });
  close(dialog);
  await dialog.findByText('Required to close the account.');
  expect(document.activeElement).toBe(tick);
  await settled();
  expect(sent(calls)).toEqual([]);
  fireEvent.click(tick);
  primary_wallet = 8;
  close(dialog);
  await dialog.findByText(message);
  const other = await dialog.findByRole<HTMLInputElement>('checkbox', { name: /I forfeit the \$8\.50 left/ });
  expect(other.checked).toBe(false);
  fireEvent.click(other);
  close(dialog);
  await waitFor(() => expect(getAccessToken()).toBeUndefined());
  expect(sent(calls).map(({ body }) => forfeitOf(body))).toEqual([10.499999, 8.5]);
});

test('a wallet that can be withdrawn is not forfeited', async () => {
  open({
    'GET /auth/wallet-balance': success({ primary_wallet: 10, profit_wallet: 0.5 }),
    'POST /profile/close': refused(409, 'closing_balance', 'Your account still holds money. Withdraw it first.'),
  });
  const dialog = await askToClose();
  close(dialog);
  await dialog.findByText('Your account still holds money. Withdraw it first.');
  expect(dialog.queryByRole('checkbox')).toBeNull();
});
