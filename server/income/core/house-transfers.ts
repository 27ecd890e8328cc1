import type { HouseShares } from './waterfall.ts';

type Flow = {
  readonly name: string;
  readonly share: keyof HouseShares;
  readonly from: 'trade_fees' | 'performance_fees';
  readonly to: 'pool_weekly' | 'pool_monthly' | 'pool_rewards' | 'fee_revenue';
  readonly reason: 'pool_weekly_fill' | 'pool_monthly_fill' | 'pool_rewards_fill' | 'fee_revenue';
};

const flows: readonly Flow[] = [
  { name: 'weekly-pool', share: 'poolWeekly', from: 'trade_fees', to: 'pool_weekly', reason: 'pool_weekly_fill' },
  { name: 'monthly-pool', share: 'poolMonthly', from: 'trade_fees', to: 'pool_monthly', reason: 'pool_monthly_fill' },
  { name: 'rewards-pool', share: 'poolRewards', from: 'trade_fees', to: 'pool_rewards', reason: 'pool_rewards_fill' },
  { name: 'trade-revenue', share: 'tradeRevenue', from: 'trade_fees', to: 'fee_revenue', reason: 'fee_revenue' },
  {
    name: 'performance-revenue',
    share: 'performanceRevenue',
    from: 'performance_fees',
    to: 'fee_revenue',
    reason: 'fee_revenue',
  },
];

/** The transfers that leave nothing in `trade_fees` and `performance_fees`; none for a share of nothing. */
export const houseTransfers = (session: { readonly day: string; readonly closesAt: Date }, shares: HouseShares) =>
  flows
    .filter(({ share }) => shares[share] > 0n)
    .map(({ name, share, from, to, reason }) => ({
      key: `bonus/${session.day}/${name}`,
      from: { class: from },
      to: { class: to },
      amountMicros: shares[share],
      reason,
      reference: `session ${session.day}`,
      marketAt: session.closesAt,
    }));
