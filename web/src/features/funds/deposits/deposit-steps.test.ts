import { expect, test } from 'vitest';
import { type DepositState, depositStates } from '#contract/funds/deposits.ts';
import { depositSteps } from './deposit-steps.ts';

const stepsOf = (state: DepositState) =>
  depositSteps({
    id: '7',
    reference: 'DP-7M2QX4',
    amount: 500,
    credited: null,
    currency: 'USDT',
    state,
    pay_url: null,
    pay_ways: [],
    note: null,
    transaction: null,
    expires_at: '2026-03-04T14:52:00Z',
    created_at: '2026-03-04T13:52:00Z',
    updated_at: '2026-03-04T13:58:00Z',
  });

test.each([
  ['created', 'Created current, Payment seen ahead, Credited ahead', '13:52 UTC, waiting for your payment'],
  ['pending', 'Created done, Payment seen current, Credited ahead', '13:58 UTC, being confirmed'],
  ['underpaid', 'Created done, Payment seen current, Credited ahead', '13:58 UTC, less than asked'],
  ['credited', 'Created done, Payment seen done, Credited done', '13:58 UTC, to the Primary Wallet'],
  ['expired', 'Created done, Expired stopped, Credited ahead', '14:52 UTC, no payment arrived'],
  ['review', 'Created done, Payment seen done, In review current', 'since 13:58 UTC'],
  ['refunded', 'Created done, Payment seen done, Refunded stopped', '13:58 UTC'],
  ['rejected', 'Created done, Payment seen done, Rejected stopped', '13:58 UTC'],
  ['failed', 'Created done, Failed stopped, Credited ahead', '13:58 UTC, refused by the gateway'],
] as const)('%s: %s', (state, way, detail) => {
  const steps = stepsOf(state);
  expect(steps.map(({ title, at }) => `${title} ${at}`).join(', ')).toBe(way);
  expect(steps.findLast(({ at }) => at !== 'ahead')?.detail).toBe(detail);
});

test('only a credited deposit shows the last step as done', () => {
  expect(depositStates.filter((state) => stepsOf(state)[2].at === 'done')).toEqual(['credited']);
});
