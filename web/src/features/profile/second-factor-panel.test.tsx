import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Security } from '#contract/accounts/profile.ts';
import { theSecurity } from '../../../test/account.ts';
import { showPage } from '../../../test/render.tsx';
import { type Answers, refused, settled, success } from '../../../test/server.ts';
import { aCode } from '../../../test/withdrawals.ts';
import { SecondFactorPanel } from './second-factor-panel.tsx';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const URI = `otpauth://totp/Tradewind:TW7K3QMX9D?secret=${SECRET}&issuer=Tradewind`;
const CODES = ['7M2Q-X4AB-9KDT-3WZH', 'AAAA-BBBB-CCCC-DDDD'];
const SEND = 'GET /auth/send-otp';
const wrongPassword = refused(422, 'wrong_password', 'Your current password is wrong.', 'password');
const wrongCodeAt = (field: string) =>
  refused(422, 'wrong_second_factor', 'This code is wrong, expired or already used. Enter a new code.', field);

/** With a server whose state the test may change. */
function open(given: Partial<Security> = {}, answers: Answers = {}, history?: unknown) {
  const state = { security: theSecurity(given) };
  const { calls } = showPage({ pathname: '/profile', state: history }, <SecondFactorPanel />, {
    'GET /auth/security': () => success(state.security),
    [SEND]: success(aCode()),
    ...answers,
  });
  return { state, sentTo: (name: string) => calls.filter((call) => call.name === name).map(({ body }) => body) };
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
const typePassword = (value: string) => fireEvent.change(screen.getByLabelText('Password'), { target: { value } });
const typeCode = (value: string) =>
  fireEvent.paste(screen.getByLabelText('Digit 1 of 6'), { clipboardData: { getData: () => value } });
const digits = () =>
  screen
    .getAllByLabelText<HTMLInputElement>(/^Digit \d of 6$/)
    .map(({ value }) => value)
    .join('');

/** The key beside its button. */
const key = async () => (await screen.findByRole('button', { name: 'Copy key' })).parentElement?.textContent;

/** The dialog's own button; the panel's, behind it, has the same label. */
const turnOn = () => fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Turn on' }));

async function start() {
  await screen.findByText('Off');
  press('Set up');
  await inDialog('Set up two-factor authentication');
}

/** With the code from the mailbox and the password. */
async function prove(password = 'fair wind', code = '906142') {
  press('Send code');
  await screen.findByLabelText('Digit 1 of 6');
  typeCode(code);
  typePassword(password);
  press('Continue');
}

describe('turning it on', () => {
  test('its consequences are stated before it starts', async () => {
    open();
    await start();
    const dialog = await inDialog('Set up two-factor authentication');
    const costs = 'Turning it on signs out all other devices and pauses withdrawals for 24 hours.';
    expect(dialog.getByText(/pauses withdrawals/).textContent).toBe(costs);
  });

  test('goes from emailed code and password through key and first code to recovery codes, which must be stored to finish', async () => {
    const { state, sentTo } = open(
      {},
      {
        'POST /auth/totp/start': success({ secret: SECRET, uri: URI }),
        'POST /auth/totp/confirm': () => {
          state.security = theSecurity({ second_factor: true, recovery_codes_left: 10 });
          return success({ recovery_codes: CODES });
        },
      },
    );
    await start();
    await prove();
    expect(await key()).toBe(SECRET);
    expect(screen.getByRole('img', { name: 'QR code for your authenticator app' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'Open the app' }).getAttribute('href')).toBe(URI);
    typeCode('407129');
    await settled();
    expect(sentTo('POST /auth/totp/confirm')).toEqual([]);
    turnOn();
    const codes = within(await screen.findByRole('list', { name: 'Recovery codes' }));
    expect(codes.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(CODES);
    expect(sentTo('POST /auth/totp/start')).toEqual([{ password: 'fair wind', otp: '906142' }]);
    expect(sentTo('POST /auth/totp/confirm')).toEqual([{ otp: '407129' }]);

    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    const done = screen.getByRole<HTMLButtonElement>('button', { name: 'Done' });
    expect(done.disabled).toBe(true);
    fireEvent.click(screen.getByLabelText('I have saved my recovery codes'));
    fireEvent.click(done);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByText(CODES[0] as string)).toBeNull();
    expect(await screen.findByText('On')).toBeDefined();
    expect(screen.getByText(/10 recovery codes left/)).toBeDefined();
  });

  test('with a passkey already in use it takes a second factor, too, and adds the app only', async () => {
    const { sentTo } = open(
      { second_factor: true, app: false, passkeys: 1, recovery_codes_left: 10 },
      {
        'POST /auth/totp/start': success({ secret: SECRET, uri: URI }),
        'POST /auth/totp/confirm': success({ recovery_codes: null }),
      },
    );
    await screen.findByText('On');
    press('Set up');
    const dialog = await inDialog('Add authenticator app');
    expect(dialog.getByText(/^After your password you can then enter a code/)).toBeDefined();
    typePassword('fair wind');
    press('Continue');
    expect(await screen.findByText('Enter a valid recovery code.')).toBeDefined();
    fireEvent.change(screen.getByLabelText('Recovery code'), { target: { value: CODES[0] } });
    press('Continue');
    expect(await key()).toBe(SECRET);
    expect(sentTo('POST /auth/totp/start')).toEqual([{ password: 'fair wind', second_factor: CODES[0] }]);
    typeCode('407129');
    press('Add app');
    expect(await screen.findByText('Authenticator app added')).toBeDefined();
  });

  test('a wrong password is reported at its field', async () => {
    open({}, { 'POST /auth/totp/start': wrongPassword });
    await start();
    await prove('');
    expect(screen.getByText('Password is required')).toBeDefined();
    typePassword('guess');
    press('Continue');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Your current password is wrong.'));
    expect(document.activeElement).toBe(screen.getByLabelText('Password'));
    expect(digits()).toBe('906142');
  });

  test('a wrong emailed code is reported at its cells, and another one can be requested', async () => {
    const wrong = refused(422, 'wrong_otp', 'This code is wrong or has expired.', 'otp');
    const { sentTo } = open(
      {},
      { [SEND]: success(aCode({ resend_at: '2026-03-04T12:00:00Z' })), 'POST /auth/totp/start': wrong },
    );
    await start();
    await prove();
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('This code is wrong or has expired.'));
    expect(digits()).toBe('');
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('fair wind');
    press('Resend code');
    await waitFor(() => expect(sentTo(SEND)).toHaveLength(2));
  });

  test('a code that could not be sent says why, and a sent one is kept while the dialog is closed', async () => {
    let isEarly = true;
    const early = refused(429, 'too_many_requests', 'Too many requests. Try again later.');
    const { sentTo } = open({}, { [SEND]: () => (isEarly ? early : success(aCode())) });
    await start();
    press('Send code');
    expect(await screen.findByText(/^Too many requests/)).toBeDefined();
    isEarly = false;
    fireEvent.click(await screen.findByRole('button', { name: 'Send code' }));
    await screen.findByLabelText('Digit 1 of 6');
    press('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await start();
    press('Send code');
    await screen.findByLabelText('Digit 1 of 6');
    expect(sentTo(SEND)).toHaveLength(2);
  });

  test('a reload returns to the code, from which the set-up goes on', async () => {
    const { sent_to: sentTo, expires_at: expiresAt, resend_at: resendAt, delayed } = aCode();
    open(
      {},
      { 'POST /auth/totp/start': success({ secret: SECRET, uri: URI }) },
      { app: { asked: 'app', code: { sentTo, expiresAt, resendAt, delayed } } },
    );
    const dialog = await inDialog('Set up two-factor authentication');
    expect(dialog.getByText(sentTo)).toBeDefined();
    typeCode('906142');
    typePassword('fair wind');
    press('Continue');
    expect(await key()).toBe(SECRET);
    press('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('a page that did not know of a passkey asks for it instead of sending a code', async () => {
    const on = refused(409, 'second_factor_on', 'Two-factor authentication is already on.');
    const { state } = open({}, { [SEND]: on });
    await start();
    state.security = theSecurity({ second_factor: true, app: false, passkeys: 1, recovery_codes_left: 10 });
    press('Send code');
    expect(await screen.findByLabelText('Recovery code')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Send code' })).toBeNull();
  });

  test('a page that did not know of a passkey asks for the second factor', async () => {
    const required = refused(422, 'second_factor_required', 'Enter the second factor.', 'second_factor');
    open({}, { 'POST /auth/totp/start': required });
    await start();
    await prove();
    expect(await screen.findByLabelText('Authenticator code')).toBeDefined();
    expect(screen.queryByLabelText('Digit 1 of 6')).toBeNull();
  });

  test('a wrong first code clears the cells, and the next one works with the same key', async () => {
    const { sentTo } = open(
      {},
      { 'POST /auth/totp/start': success({ secret: SECRET, uri: URI }), 'POST /auth/totp/confirm': wrongCodeAt('otp') },
    );
    await start();
    await prove();
    await key();
    turnOn();
    expect(screen.getByText('The code has 6 digits.')).toBeDefined();
    typeCode('111111');
    turnOn();
    await waitFor(() => expect(digits()).toBe(''));
    expect(await key()).toBe(SECRET);
    typeCode('222222');
    turnOn();
    await waitFor(() => expect(sentTo('POST /auth/totp/confirm')).toEqual([{ otp: '111111' }, { otp: '222222' }]));
    expect(sentTo('POST /auth/totp/start')).toHaveLength(1);
  });
});

describe('once it is on', () => {
  const on = { second_factor: true, recovery_codes_left: 2 };
  const factorField = () => screen.getByLabelText<HTMLInputElement>('Authenticator code');
  const typeFactor = (value: string) => fireEvent.change(factorField(), { target: { value } });

  /** Fills the dialog that turns it off, and confirms it. */
  async function turnOff(button = 'Turn off', name = 'Turn off two-factor authentication?') {
    fireEvent.click(await screen.findByRole('button', { name: button }));
    const dialog = await inDialog(name);
    typeFactor('407129');
    typePassword('fair wind');
    fireEvent.click(dialog.getByRole('button', { name: button }));
    return dialog;
  }

  test('a low number of recovery codes is pointed out', async () => {
    open(on);
    expect(await screen.findByText(/2 recovery codes left\. Create new codes/)).toBeDefined();
  });

  test('its approved end is shown with what prevents it, until it is used', async () => {
    const { state } = open(
      { ...on, second_factor_ends_at: '2026-03-11T14:05:00Z' },
      {
        'POST /auth/totp/recovery-codes': () => {
          state.security = theSecurity(on);
          return success({ recovery_codes: CODES });
        },
      },
    );
    const end =
      /^It will be turned off on 11 Mar 2026, 14:05 UTC, .* keeps it on, .* press “This was not me” in our email\.$/;
    expect(await screen.findByText(end)).toBeDefined();
    press('Create recovery codes');
    await inDialog('Create recovery codes');
    typeFactor('407129');
    typePassword('fair wind');
    press('Create codes');
    await waitFor(() => expect(screen.queryByText(/^It will be turned off on/)).toBeNull());
  });

  test('new recovery codes take app code and password, and are shown', async () => {
    const { sentTo } = open(on, { 'POST /auth/totp/recovery-codes': success({ recovery_codes: CODES }) });
    await screen.findByText('On');
    press('Create recovery codes');
    await inDialog('Create recovery codes');
    typeFactor('407129');
    press('Create codes');
    expect(screen.getByText('Password is required')).toBeDefined();
    typePassword('fair wind');
    press('Create codes');
    expect(await screen.findByText(CODES[1] as string)).toBeDefined();
    expect(sentTo('POST /auth/totp/recovery-codes')).toEqual([{ password: 'fair wind', second_factor: '407129' }]);
  });

  test('it is turned off with both, and the panel says so', async () => {
    const { state, sentTo } = open(on, {
      'POST /auth/totp/disable': () => {
        state.security = theSecurity();
        return success(null);
      },
    });
    await turnOff();
    expect(await screen.findByText('Off')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sentTo('POST /auth/totp/disable')).toEqual([{ password: 'fair wind', second_factor: '407129' }]);
  });

  test('beside a passkey only the app is removed, and the recovery codes stay', async () => {
    const { state } = open(
      { ...on, passkeys: 1 },
      {
        'POST /auth/totp/disable': () => {
          state.security = theSecurity({ ...on, app: false, passkeys: 1 });
          return success(null);
        },
      },
    );
    expect(await screen.findByText(/^You sign in with a passkey, or with your password and a code/)).toBeDefined();
    const dialog = await turnOff('Remove app', 'Remove the authenticator app?');
    expect(dialog.getByText(/Your recovery codes keep working\./)).toBeDefined();
    expect(await screen.findByText('Authenticator app removed')).toBeDefined();
    expect(screen.getByText('On')).toBeDefined();
  });

  test.each([
    ['password', wrongPassword, '407129'],
    ['code', wrongCodeAt('second_factor'), ''],
  ])('a wrong %s is reported at its field, and only a wrong code is cleared', async (_name, answer, left) => {
    open(on, { 'POST /auth/totp/disable': answer });
    const dialog = await turnOff();
    expect((await dialog.findByRole('alert')).textContent).toBe(answer.body.message);
    expect(factorField().value).toBe(left);
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('fair wind');
  });
});

test('a state that could not be loaded is neither on nor off, and can be retried', async () => {
  let isDown = true;
  showPage('/profile', <SecondFactorPanel />, {
    'GET /auth/security': () => (isDown ? refused(500, 'internal', 'Broken.') : success(theSecurity())),
  });
  expect(await screen.findByText('This could not be loaded. Try again.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Set up' })).toBeNull();
  isDown = false;
  press('Try again');
  expect(await screen.findByText('Off')).toBeDefined();
});
