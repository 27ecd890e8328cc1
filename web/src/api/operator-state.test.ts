import { beforeEach, expect, test } from 'vitest';
import { operatorPayouts, trading } from '#contract/endpoints.ts';
import { aUser } from '../../test/account.ts';
import { samuel, signInAs } from '../../test/console.ts';
import { stubServer, success } from '../../test/server.ts';
import { call } from './call.ts';
import { getOperatorToken } from './operator-state.ts';
import { getAccessToken, signIn } from './sign-in-state.ts';
import { readStored } from './storage.ts';

const balance = () => call(trading.getWalletBalance);
const answerBalance = (status: number, body: unknown) => stubServer({ 'GET /auth/wallet-balance': { status, body } });
const readSwitch = () => call(operatorPayouts.getPayoutSwitch);
const answerSwitch = (status: number, body: unknown) => stubServer({ 'GET /operator/payout-switch': { status, body } });

beforeEach(() => {
  signIn('secret', aUser());
  signInAs();
});

test('operators’ calls send the operator’s token, all others the member’s', async () => {
  const calls = stubServer({
    'GET /operator/payout-switch': success({ stopped: false, at: null, operator: null, why: null }),
    'GET /auth/wallet-balance': success({ primary_wallet: 1, profit_wallet: 2 }),
  });
  await readSwitch();
  await balance();
  expect(calls.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer operator-secret', 'Bearer secret']);
});

test('the console’s sign-in is ended by its own 401, which leaves the member signed in', async () => {
  answerSwitch(401, { status: 'error', code: 'session_required', message: 'Please sign in.' });
  await expect(readSwitch()).rejects.toMatchObject({ status: 401 });
  expect([getOperatorToken(), readStored('operatorToken')]).toEqual([undefined, undefined]);
  expect(getAccessToken()).toBe('secret');
});

test('the console’s sign-in is not ended by a member’s 401', async () => {
  answerBalance(401, { status: 'error', message: 'Please sign in.' });
  await expect(balance()).rejects.toMatchObject({ status: 401 });
  expect(getOperatorToken()).toBe('operator-secret');
});

test('the console’s sign-in is not made incomplete by a member’s missing second factor', async () => {
  answerBalance(403, { status: 'error', code: 'second_factor_missing', message: 'Set up two-factor first.' });
  await expect(balance()).rejects.toMatchObject({ code: 'second_factor_missing' });
  expect(readStored('operator')).toEqual(samuel);
});

test('the console’s sign-in stays incomplete without the second factor that the server requires', async () => {
  answerSwitch(403, {
    status: 'error',
    code: 'second_factor_missing',
    message: 'Set up your authenticator app first.',
  });
  await expect(readSwitch()).rejects.toMatchObject({ code: 'second_factor_missing' });
  expect(readStored('operator')).toEqual({ ...samuel, second_factor: false });
});
