import type { DataOf } from '#contract/endpoint.ts';
import type { Deposit, funds } from '#contract/funds/deposits.ts';

export const aDeposit = (given: Partial<Deposit> = {}): Deposit => ({
  id: '7',
  reference: 'DP-7M2QX4',
  amount: 500,
  paid: null,
  credited: null,
  held: 0,
  refunded: 0,
  currency: 'USDT',
  pay_with: null,
  state: 'created',
  pay_url: 'https://pay.test/i/7M2QX4',
  pay_ways: [],
  note: null,
  transaction: null,
  expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  created_at: '2026-03-04T13:52:00Z',
  updated_at: '2026-03-04T13:52:00Z',
  ...given,
});

export const depositList = (
  items: Deposit[],
  given: Partial<DataOf<typeof funds.listDeposits>> = {},
): DataOf<typeof funds.listDeposits> => ({
  items,
  next_cursor: null,
  risk_accepted: true,
  pay_with: [],
  own_week: null,
  ...given,
});
