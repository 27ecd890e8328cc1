import type { Withdrawal, WithdrawalDetail, WithdrawalTerms } from '#contract/funds/withdrawals.ts';

export const ADDRESS = 'TKq8mZ4vRw2Xc7Nd9LhPb5Ys3FgJt6QeAu';

export const aWithdrawal = (given: Partial<Withdrawal> = {}): Withdrawal => ({
  id: '7',
  reference: 'WD-7M2QX4',
  amount: 500,
  fee: 5,
  net: 495,
  wallet_type: 'profit',
  network: 'TRC20',
  address: ADDRESS,
  state: 'requested',
  transaction: null,
  note: null,
  created_at: '2026-03-04T13:05:00Z',
  updated_at: '2026-03-04T13:05:00Z',
  ...given,
});

export const aDetail = (given: Partial<WithdrawalDetail> = {}): WithdrawalDetail => ({
  ...aWithdrawal(given),
  steps: [{ state: 'requested', note: null, at: '2026-03-04T13:05:00Z' }],
  ...given,
});

/** Without restrictions: an old address, and 300 of the day's 10 000 withdrawn. */
export const theTerms = (given: Partial<WithdrawalTerms> = {}): WithdrawalTerms => ({
  minimum: 10,
  day_limit: 10_000,
  day_left: 9_700,
  fee_bps: 100,
  fee_minimum: 1,
  address: { network: 'TRC20', address: ADDRESS, usable_from: '2026-01-14T08:30:00Z' },
  bar: null,
  payouts_stopped: false,
  simulated: true,
  network_fee_estimated: false,
  ...given,
});

export const aCode = (given: Record<string, unknown> = {}) => ({
  sent_to: 'a•••@example.com',
  expires_at: new Date(Date.now() + 600_000).toISOString(),
  resend_at: new Date(Date.now() + 60_000).toISOString(),
  delayed: false,
  ...given,
});
