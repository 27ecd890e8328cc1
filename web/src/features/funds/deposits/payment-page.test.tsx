import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DepositState } from '#contract/funds/deposits.ts';
import { aDeposit, depositList } from '../../../../test/deposits.ts';
import { queryOf, showPage } from '../../../../test/render.tsx';
import { refused, success } from '../../../../test/server.ts';
import { PaymentPage } from './payment-page.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

const open = (address: string, answers: Parameters<typeof showPage>[2]) => showPage(address, <PaymentPage />, answers);

test.each([
  ['success', 'expired', null, 'Invoice expired', /success|is in your Primary Wallet/i],
  ['failed', 'credited', 500, 'The money is in your Primary Wallet.', /failed/i],
] as const)('the address says %s, the server says %s: so it is', async (address, state, credited, words, not) => {
  open(`/payment/${address}?deposit=7`, { 'GET /secure/7': success(aDeposit({ state, credited })) });
  await pass(50);
  expect(screen.getByText(words).closest('section')?.textContent).not.toMatch(not);
});

test('without a deposit in the address the newest is shown', async () => {
  const { calls } = open('/payment/pending', { 'GET /secure/hist': success(depositList([aDeposit()])) });
  await pass(50);
  expect(screen.getByText('DP-7M2QX4')).toBeTruthy();
  expect(calls.map(queryOf)).toEqual([{ limit: '1' }]);
});

test.each([
  ['/payment/success', { 'GET /secure/hist': success(depositList([])) }, 'No deposits yet'],
  [
    '/payment/success?deposit=9',
    { 'GET /secure/9': refused(404, 'deposit_not_found', 'This deposit does not exist.') },
    'This deposit does not exist.',
  ],
])('%s without its deposit is not taken for a payment', async (address, answers, words) => {
  open(address, answers);
  await pass(50);
  expect(screen.getAllByText(words)[0]).toBeTruthy();
});

test('it polls until the deposit is final', async () => {
  let state: DepositState = 'created';
  const { sentTo } = open('/payment/pending?deposit=7', {
    'GET /secure/7': () => success(aDeposit({ state, credited: state === 'credited' ? 500 : null })),
  });
  await pass(50);
  expect(screen.getByText('Waiting for your payment')).toBeTruthy();
  state = 'pending';
  await pass(3_100);
  expect(screen.getByText('The gateway is confirming it.', { exact: false })).toBeTruthy();
  state = 'credited';
  await pass(3_100);
  expect(screen.getByText('The money is in your Primary Wallet.')).toBeTruthy();
  await pass(100);
  const before = sentTo('GET /secure/7').length;
  await pass(60_000);
  expect(sentTo('GET /secure/7')).toHaveLength(before);
});
