import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DepositState } from '#contract/funds/deposits.ts';
import { aDeposit, depositList, Refusal, showPage } from '../page-test.tsx';
import { PaymentPage } from './payment-page.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('the address says success, the server says expired: expired it is', async () => {
  showPage(<PaymentPage />, '/payment/success?deposit=7', { 'GET /secure/7': aDeposit({ state: 'expired' }) });
  await pass(50);
  expect(screen.getByText('The invoice expired')).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/success|is in your Primary Wallet/i);
});

test('the address says failed, the server says credited: credited it is', async () => {
  showPage(<PaymentPage />, '/payment/failed?deposit=7', {
    'GET /secure/7': aDeposit({ state: 'credited', credited: 500 }),
  });
  await pass(50);
  expect(screen.getByText('The money is in your Primary Wallet.')).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/failed/i);
});

test('without a deposit in the address the newest one is shown', async () => {
  const { sent } = showPage(<PaymentPage />, '/payment/pending', { 'GET /secure/hist': depositList([aDeposit()]) });
  await pass(50);
  expect(screen.getByText('DP-7M2QX4')).toBeTruthy();
  expect(sent.map(({ search }) => search.get('limit'))).toEqual(['1']);
});

test('without any deposit it says so', async () => {
  showPage(<PaymentPage />, '/payment/success', { 'GET /secure/hist': depositList([]) });
  await pass(50);
  expect(screen.getByText('No deposits yet')).toBeTruthy();
});

test('a deposit that is not there is not taken for a payment', async () => {
  showPage(<PaymentPage />, '/payment/success?deposit=9', {
    'GET /secure/9': new Refusal(404, { code: 'deposit_not_found', message: 'This deposit does not exist.' }),
  });
  await pass(50);
  expect(screen.getByRole('alert').textContent).toContain('This deposit does not exist.');
});

test('it asks until the deposit is final, and then no more', async () => {
  let state: DepositState = 'created';
  const { sentTo } = showPage(<PaymentPage />, '/payment/pending?deposit=7', {
    'GET /secure/7': () => aDeposit({ state, credited: state === 'credited' ? 500 : null }),
  });
  await pass(50);
  expect(screen.getByText('Waiting for your payment')).toBeTruthy();
  state = 'pending';
  await pass(3_100);
  expect(screen.getByText('It is being confirmed.', { exact: false })).toBeTruthy();
  state = 'credited';
  await pass(3_100);
  expect(screen.getByText('The money is in your Primary Wallet.')).toBeTruthy();
  await pass(100);
  const before = sentTo('GET /secure/7').length;
  await pass(60_000);
  expect(sentTo('GET /secure/7')).toHaveLength(before);
});
