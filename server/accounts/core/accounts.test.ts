import { describe, expect, test } from 'vitest';
import { describeDevice } from './device.ts';
import { dialCodeOf, isDialCodeBlocked } from './dial-code.ts';
import { newDeviceEmail, passwordChangedEmail, registrationEmail, resetCodesEmail } from './emails.ts';
import { readLoginId } from './login-id.ts';
import { memberSessionLife, operatorSessionLife } from './session-life.ts';

test.each([
  ['tw7m2qx4ab', 'referral_code', 'TW7M2QX4AB'],
  ['  Tw7M2qX4aB ', 'referral_code', 'TW7M2QX4AB'],
  ['Anna.Berg@Mail.Example', 'email', 'anna.berg@mail.example'],
])('the login %j is the %s %s', (text, kind, value) => {
  expect(readLoginId(text)).toEqual({ kind, value });
});

describe('dial codes', () => {
  test('the dial code is what precedes the ten digits', () => {
    expect(dialCodeOf('+919876543210')).toBe('+91');
    expect(dialCodeOf('+12426123456789')).toBe('+1242');
    expect(dialCodeOf('+19876543210')).toBe('+1');
  });

  test.each([
    ['+19876543210', ['+1'], true],
    ['+12429876543210', ['+1'], true],
    ['+919876543210', ['+1', '+44'], false],
    ['+449876543210', ['+1', '+44'], true],
    ['+4479876543210', ['+44'], true],
    ['+49876543210', ['+44'], false],
    ['+19876543210', [], false],
  ])('%s with %j blocked: %s', (mobileNumber, blocked, isBlocked) => {
    expect(isDialCodeBlocked(mobileNumber, blocked)).toBe(isBlocked);
  });
});

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  ['curl/8.5.0', 'Unknown browser on unknown system'],
  ['', 'Unknown browser on unknown system'],
  ['<b>Call +1 900 555 now</b> Firefox/1', 'Firefox on unknown system'],
])('%s is shown as %s', (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device);
});

describe('emails', () => {
  const expiresAt = new Date('2026-03-04T12:10:00Z');

  test('the registration email carries the id and where to sign in', () => {
    const mail = registrationEmail('Tradewind', 'TW7M2QX4AB', 'https://tradewind.example/login');
    expect(mail.text).toContain('Your Registered Id is TW7M2QX4AB.');
    expect(mail.text).toContain('Sign in: https://tradewind.example/login');
    expect(registrationEmail('Tradewind', 'TW7M2QX4AB', undefined).text).not.toContain('Sign in:');
  });

  test('the email states the code, the id it is for and when it expires; its subject does not contain the code', () => {
    const mail = resetCodesEmail('Tradewind', [{ referralCode: 'TW7M2QX4AB', code: '012345' }], expiresAt);
    expect(mail.text).toContain('for the Registered Id TW7M2QX4AB is 012345.');
    expect(mail.text).toContain('until 12:10 UTC');
    expect(mail.subject).not.toMatch(/\d/);
  });

  test('warnings name the account and whom to contact', () => {
    const account = {
      brandName: 'Tradewind',
      referralCode: 'TW7M2QX4AB',
      supportEmail: 'support@tradewind.example',
    };
    const changed = passwordChangedEmail(false)(account).text;
    const device = newDeviceEmail('Firefox on Windows')(account).text;
    for (const text of [changed, device]) {
      expect(text).toContain('TW7M2QX4AB');
      expect(text).toContain('support@tradewind.example');
    }
    expect(device).toContain('Firefox on Windows');
  });
});

test('members stay signed in for 24 idle hours, or 30 days with Remember Me; operators for 8 hours in total', () => {
  expect(memberSessionLife(false)).toEqual({ seconds: 86_400, isIdle: true });
  expect(memberSessionLife(true)).toEqual({ seconds: 30 * 86_400, isIdle: true });
  expect(operatorSessionLife).toEqual({ seconds: 8 * 3600, isIdle: false });
});
