import { beforeEach, expect, test, vi } from 'vitest';
import { identity, operatorAccounts, operatorPayouts, trading } from '#contract/endpoints.ts';
import { aUser } from '../../test/account.ts';
import { signInAs } from '../../test/console.ts';
import { stubServer, success } from '../../test/server.ts';
import { call, signOutByCall } from './call.ts';
import { getOperatorToken } from './operator-state.ts';
import { changeMember, getAccessToken, signIn, signOut } from './sign-in-state.ts';
import { readStored, writeStored } from './storage.ts';

beforeEach(() => {
  signIn('secret', aUser());
  signInAs();
});

test('a sign-out is the last request sent with its token', async () => {
  const calls = stubServer({
    'POST /auth/logout': success(null),
    'GET /operator/payout-switch': success({}),
    'GET /trading/session': success(null),
  });
  const out = signOutByCall(identity.logout);
  void call(trading.getWalletBalance);
  await Promise.all([call(operatorPayouts.getPayoutSwitch), call(trading.getSession), out]);
  expect(calls.map(({ name }) => name)).toEqual([
    'POST /auth/logout',
    'GET /operator/payout-switch',
    'GET /trading/session',
  ]);
  expect(getAccessToken()).toBeUndefined();
  expect(getOperatorToken()).toBe('operator-secret');
});

test('an operator’s sign-out leaves the member signed in', async () => {
  stubServer({ 'POST /operator/logout': success(null) });
  await signOutByCall(operatorAccounts.signOutOperator);
  expect(getOperatorToken()).toBeUndefined();
  expect(getAccessToken()).toBe('secret');
});

test('a sign-out without an answer still clears the token', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  await expect(signOutByCall(identity.logout)).rejects.toMatchObject({ status: 0 });
  expect(getAccessToken()).toBeUndefined();
});

test('nothing of the member stays stored, nor is stored by an answer that comes later', () => {
  writeStored('announcement', null);
  signOut();
  changeMember(aUser());
  for (const key of ['accessToken', 'userDetail', 'announcement'] as const) expect(readStored(key)).toBeUndefined();
});

test('a browser whose storage another tab cleared is signed out', () => {
  localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage'));
  expect([getAccessToken(), getOperatorToken()]).toEqual([undefined, undefined]);
});
