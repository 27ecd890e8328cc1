import { expect, test } from 'vitest';
import { identity, operator, trading } from '#contract/endpoints.ts';
import { samuel, signInAs } from '../../test/console.ts';
import { stubServer, success } from '../../test/server.ts';
import { call } from './call.ts';
import { signOut } from './sign-in-state.ts';
import { readStored } from './storage.ts';

const token = (letter: string) => letter.repeat(43);
const signedIn = (referralCode: string, deviceToken?: string) =>
  success({ access_token: 'secret', user: { referral_code: referralCode }, device_token: deviceToken });
const login = (loginId: string) => call(identity.login, { body: { loginId, password: 'quiet harbour 42' } });
const sentWith = (calls: { headers: Headers }[]) => calls.map(({ headers }) => headers.get('x-device-token'));

test('the token of a sign-in is stored, sent with later sign-ins and kept at sign-out', async () => {
  const calls = stubServer({
    'POST /auth/login': signedIn('TW7K3QMX9D', token('a')),
    'POST /auth/forgot-password': success({ expires_at: '', resend_at: '' }),
    'GET /auth/wallet-balance': success({ primary_wallet: 1, profit_wallet: 2 }),
    'POST /operator/login': success({ otp_required: true, challenge: 'c' }),
  });
  await login('TW7K3QMX9D');
  signOut();
  await login('TW7K3QMX9D');
  await call(identity.forgotPassword, { body: { loginId: 'TW7K3QMX9D' } });
  await call(trading.getWalletBalance);
  await call(operator.operatorLogin, { body: { email: 'a@b.test', password: 'quiet harbour 42' } });
  expect(sentWith(calls)).toEqual([null, token('a'), token('a'), null, null]);
});

test('each account in the browser has its own token, four at most; a new one replaces an invalid one', async () => {
  const names = ['TWA', 'TWB', 'TWC', 'TWD', 'TWE'];
  for (const [index, name] of names.entries()) {
    stubServer({ 'POST /auth/login': signedIn(name, token(String(index))) });
    await login(name);
  }
  stubServer({ 'POST /auth/login': signedIn('TWC', token('x')) });
  await login('TWC');
  stubServer({ 'POST /auth/login': signedIn('TWD') });
  await login('TWD');
  expect(readStored('deviceTokens')).toEqual({ TWB: token('1'), TWD: token('3'), TWE: token('4'), TWC: token('x') });
});

test('a completed reset makes the browser a known device, and the console keeps its own token', async () => {
  stubServer({
    'POST /auth/reset-password': success({ referral_code: 'TW7K3QMX9D', device_token: token('r') }),
    'POST /operator/otp-verify': success({ access_token: 't', operator: { id: '3' }, device_token: token('o') }),
  });
  await call(identity.resetPassword, { body: { reset_token: 'r', password: 'quiet harbour 42' } });
  await call(operator.verifyOperatorOtp, { body: { challenge: 'c', otp: '123456' } });
  expect(readStored('deviceTokens')).toEqual({ TW7K3QMX9D: token('r') });
  expect(readStored('operatorDeviceTokens')).toEqual({ 3: token('o') });
});

test('a browser in which an operator sets up their app becomes a known device of theirs', async () => {
  signInAs();
  stubServer({ 'POST /operator/totp/confirm': success({ device_token: token('o') }) });
  await call(operator.confirmOperatorTotp, { body: { otp: '123456' } });
  expect(readStored('operatorDeviceTokens')).toEqual({ [samuel.id]: token('o') });
});

test.each(['null', '[]', '"a"', '{"TWA":7}', '{"TWA":"two words"}'])(
  'stored as %s they are ignored, and nothing is sent',
  async (text) => {
    localStorage.setItem('deviceTokens', text);
    const calls = stubServer({ 'POST /auth/login': signedIn('TWA', token('a')) });
    await login('TWA');
    expect(sentWith(calls)).toEqual([null]);
    expect(readStored('deviceTokens')).toEqual({ TWA: token('a') });
  },
);
