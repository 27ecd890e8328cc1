import type { PublishedHeads } from '#contract/solvency/heads.ts';
import type { FundedPeriod } from '#contract/solvency/sheet.ts';
import type { Solvency } from '../src/features/solvency/cover.ts';

/** A period whose fees of 27.12 went to incomes (2.234), pools (2) and revenue (22.886). */
export const aPeriod = (change: Partial<FundedPeriod> = {}): FundedPeriod => ({
  from: '2026-02-01',
  to: '2026-02-28',
  trade_fees: 8,
  performance_fees: 19.12,
  execution_cost: 0,
  gains: 199.2,
  losses: 99.6,
  incomes: [
    { kind: 'referral', amount: 0.8 },
    { kind: 'level', amount: 0 },
    { kind: 'team_profit', amount: 1.434 },
    { kind: 'weekly', amount: 0 },
    { kind: 'monthly', amount: 0 },
    { kind: 'reward', amount: 0 },
  ],
  incomes_total: 2.234,
  pools_change: 2,
  revenue: 22.886,
  ...change,
});

/** Assets of 1025.4999 against liabilities of 1000. */
export const aSolvency = (change: Partial<Solvency> = {}): Solvency => ({
  simulated: true,
  at: '2026-11-21T12:00:00.000Z',
  market_time: '2026-03-04T14:05:00.000Z',
  assets: { booked: 1025.4999, gateway: 625.4999, venue: 400, reported: null },
  gateway_deviation: null,
  gateway_coins: [],
  liabilities: 1000,
  surplus: 25.4999,
  accounts: [
    { name: 'gateway', group: 'asset', amount: 625.4999 },
    { name: 'venue', group: 'asset', amount: 400 },
    { name: 'primary', group: 'member', amount: 500 },
    { name: 'profit', group: 'member', amount: 60 },
    { name: 'trade_escrow', group: 'member', amount: 398.4 },
    { name: 'investment', group: 'member', amount: 30 },
    { name: 'withdrawal_hold', group: 'member', amount: 0 },
    { name: 'unallocated', group: 'owed', amount: 0 },
    { name: 'trade_fees', group: 'owed', amount: 1.6 },
    { name: 'performance_fees', group: 'owed', amount: 0 },
    { name: 'pool_weekly', group: 'owed', amount: 4 },
    { name: 'pool_monthly', group: 'owed', amount: 4 },
    { name: 'pool_rewards', group: 'owed', amount: 2 },
    { name: 'fee_revenue', group: 'surplus', amount: 28 },
    { name: 'withdrawal_fees', group: 'surplus', amount: 1 },
    { name: 'venue_result', group: 'surplus', amount: -3.5001 },
    { name: 'gateway_result', group: 'surplus', amount: 0 },
    { name: 'adjustments', group: 'surplus', amount: 0 },
  ],
  exposure: 0,
  residuals: [],
  held: 0,
  sealed_at: '2026-03-04T00:00:12.000Z',
  root: '8f3a61c9d2b409e7'.repeat(4),
  own: null,
  heads: null,
  lifetime: aPeriod({ from: '2026-02-27', to: '2026-03-04', trade_fees: 9.6 }),
  months: [aPeriod({ from: '2026-03-01', to: '2026-03-31', gains: 12 }), aPeriod()],
  sessions: [aPeriod({ from: '2026-03-03', to: '2026-03-03', gains: 12 })],
  members: { traded: 13, negative: 8 },
  checked: { session: '2026-03-03', at: '2026-11-20T23:10:00.000Z' },
  ...change,
});

export const aPublication = (): PublishedHeads => ({
  format: 'tradewind/heads/1',
  published_at: '2026-11-21T12:00:02.000Z',
  heads: [
    { chain: 'ledger', no: '48213', hash: '1'.repeat(64), sealed_at: '2026-11-21T11:59:00.000Z' },
    { chain: 'audit', no: '9120', hash: '2'.repeat(64), sealed_at: '2026-11-21T11:58:00.000Z' },
    { chain: 'liabilities', no: '36', hash: '3'.repeat(64), sealed_at: '2026-11-21T00:00:12.000Z' },
  ],
  public_key: '4'.repeat(64),
  fingerprint: '5'.repeat(64),
  signature: '6'.repeat(128),
});
