import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Security } from '#contract/accounts/profile.ts';
import { aUser, theSecurity } from '../../../test/account.ts';
import { showPage } from '../../../test/render.tsx';
import { type Answers, refused, settled, success } from '../../../test/server.ts';
import { aCode } from '../../../test/withdrawals.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { readStored } from '../../api/storage.ts';
import { EmailPanel } from './email-panel.tsx';

const OWN = 'anika@example.com';
const NEW = 'rao@example.org';
const SEND = 'GET /auth/send-otp';
const SAVE = 'PUT /auth/email';

function open(given: Partial<Security> = {}, answers: Answers = {}, state?: unknown, frozen = false) {
  signIn('token', aUser());
  return showPage({ pathname: '/profile', state }, <EmailPanel email={OWN} frozen={frozen} />, {
    'GET /auth/security': success(theSecurity(given)),
    [SEND]: success(aCode()),
    [SAVE]: success(aUser({ email: NEW })),
    ...answers,
  });
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

async function enter(otp: string, password: string, old = '') {
  const cell = await screen.findByLabelText('Digit 1 of 6');
  fireEvent.paste(cell, { clipboardData: { getData: () => otp } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } });
  if (old !== '') fireEvent.change(screen.getByLabelText('Code from your current mailbox'), { target: { value: old } });
}

async function askForNew() {
  press('Change email address');
  const dialog = await inDialog('Change email address');
  fireEvent.change(dialog.getByLabelText('New email address'), { target: { value: NEW } });
  press('Send code');
}

describe('verifying', () => {
  test('sends a code to the current address and submits it with the password', async () => {
    const { sentTo } = open({}, { [SAVE]: success(aUser()) });
    await screen.findByText('Not verified');
    press('Verify');
    const dialog = await inDialog('Verify email address');
    expect(dialog.getByLabelText<HTMLInputElement>('Email address').value).toBe(OWN);
    press('Send code');
    await enter('407129', 'fair wind');
    fireEvent.click(dialog.getByRole('button', { name: 'Verify' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sentTo(SEND)[0]?.url).toContain('purpose=email&email=anika%40example.com');
    expect(sentTo(SAVE)[0]?.body).toEqual({ email: OWN, otp: '407129', password: 'fair wind' });
  });

  test('is not offered for a verified address', async () => {
    open({ email_verified: true });
    expect(await screen.findByText('Verified')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Verify' })).toBeNull();
  });
});

describe('changing', () => {
  test('states the consequences, and the new address is shown afterwards', async () => {
    const { sentTo } = open();
    press('Change email address');
    const dialog = await inDialog('Change email address');
    expect(dialog.getByText(/^We send a code/).textContent).toContain('withdrawals are paused for 24 hours.');
    fireEvent.change(dialog.getByLabelText('New email address'), { target: { value: ` ${NEW} ` } });
    press('Send code');
    await enter('407129', 'fair wind', '518230');
    press('Confirm new address');
    await waitFor(() => expect(readStored('userDetail')?.email).toBe(NEW));
    expect(readStored('accessToken')).toBe('token');
    expect(sentTo(SAVE)[0]?.body).toEqual({ email: NEW, otp: '407129', old_otp: '518230', password: 'fair wind' });
  });

  test.each([
    ['', 'Email id is required'],
    ['rao@example', 'Enter valid Email id.'],
  ])('%o is not sent', async (typed, message) => {
    const { sentTo } = open();
    press('Change email address');
    const dialog = await inDialog('Change email address');
    fireEvent.change(dialog.getByLabelText('New email address'), { target: { value: typed } });
    press('Send code');
    expect(screen.getByRole('alert').textContent).toBe(message);
    await settled();
    expect(sentTo(SEND)).toEqual([]);
  });

  test('takes the code of the current mailbox, and shows the server’s errors there', async () => {
    const words = 'This code is wrong or has expired.';
    const { sentTo } = open({}, { [SAVE]: refused(422, 'wrong_otp', words, 'old_otp') });
    await askForNew();
    await enter('407129', 'fair wind');
    press('Confirm new address');
    expect((await screen.findByRole('alert')).textContent).toBe('The code has 6 digits.');
    await settled();
    expect(sentTo(SAVE)).toEqual([]);
    await enter('407129', 'fair wind', '518230');
    press('Confirm new address');
    await screen.findByText(words, { selector: '[role=alert]' });
    expect(screen.getByLabelText<HTMLInputElement>('Code from your current mailbox').value).toBe('');
  });

  test('an account with two-factor authentication is asked for its code', async () => {
    const { sentTo } = open({ second_factor: true });
    await askForNew();
    await enter('407129', 'fair wind', '518230');
    await screen.findByLabelText('Authenticator code');
    press('Confirm new address');
    expect((await screen.findByRole('alert')).textContent).toBe('The code has 6 digits.');
    fireEvent.change(screen.getByLabelText('Authenticator code'), { target: { value: '660210' } });
    press('Confirm new address');
    await waitFor(() => expect(sentTo(SAVE)[0]?.body).toMatchObject({ old_otp: '518230', second_factor: '660210' }));
  });

  test('a code that still works is not sent twice', async () => {
    const { sentTo } = open();
    await askForNew();
    await screen.findByLabelText('Digit 1 of 6');
    press('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await askForNew();
    await screen.findByLabelText('Digit 1 of 6');
    expect(sentTo(SEND)).toHaveLength(1);
  });

  test('a page reopened while the email was read continues with its code', async () => {
    const { sent_to: sentTo, expires_at: expiresAt, resend_at: resendAt, delayed } = aCode();
    const code = { sentTo, expiresAt, resendAt, delayed };
    open({}, {}, { email: { asked: { aim: 'change', email: NEW }, code } });
    const dialog = await inDialog('Change email address');
    expect(dialog.getByText(NEW)).toBeDefined();
    expect(dialog.getByLabelText('Digit 1 of 6')).toBeDefined();
  });

  test('is disabled while the account is frozen, and says why', () => {
    open({}, {}, undefined, true);
    expect(screen.getByText(/You cannot change it while your account is frozen/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Change email address' })).toBeNull();
  });

  test('without access to the old mailbox a change can be requested instead', async () => {
    const { sentTo } = open({ second_factor: true }, { 'POST /auth/email-request': success(null) });
    await askForNew();
    await enter('407129', 'fair wind');
    press('I lost access to the old mailbox');
    expect(screen.queryByLabelText('Code from your current mailbox')).toBeNull();
    fireEvent.change(await screen.findByLabelText('Authenticator code'), { target: { value: '660210' } });
    press('Request change');
    await waitFor(() =>
      expect(sentTo('POST /auth/email-request')[0]?.body).toEqual({
        email: NEW,
        otp: '407129',
        password: 'fair wind',
        second_factor: '660210',
      }),
    );
    await settled();
    expect(sentTo(SAVE)).toEqual([]);
  });

  test('a requested change is shown with its next steps, and can be withdrawn', async () => {
    const request = { email: 'r•••@example.org', requested_at: '2026-03-04T12:00:00Z', due_at: '2026-03-11T12:00:00Z' };
    const { sentTo } = open({ email_request: request }, { 'DELETE /auth/email-request': success(null) });
    await screen.findByText(/It changes to r•••@example.org on 11 Mar 2026/);
    press('Withdraw request');
    await waitFor(() => expect(sentTo('DELETE /auth/email-request')).toHaveLength(1));
  });
});
