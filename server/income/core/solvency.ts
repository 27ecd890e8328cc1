import assert from 'node:assert';
import type { IncomeKind } from '#contract/income.ts';
import { reasonOf, teamKinds } from './income-reasons.ts';

/** The sum of transfers between two account classes for a reason. */
type Moved = { readonly from: string; readonly to: string; readonly reason: string; readonly micros: bigint };

export type AccountGroup = 'asset' | 'member' | 'owed' | 'surplus';
export type AccountSum = { readonly name: string; readonly group: AccountGroup; readonly micros: bigint };

/** All account classes by their role towards members (docs/product.md, section 1), in display order. */
const groups = {
  asset: ['gateway', 'venue'],
  member: ['primary', 'profit', 'trade_escrow', 'investment', 'withdrawal_hold'],
  owed: ['unallocated', 'trade_fees', 'performance_fees', 'pool_weekly', 'pool_monthly', 'pool_rewards'],
  surplus: ['fee_revenue', 'withdrawal_fees', 'venue_result', 'gateway_result', 'adjustments'],
} as const satisfies Record<AccountGroup, readonly string[]>;

export type BalanceSheet = {
  readonly accounts: readonly AccountSum[];
  readonly assets: { readonly booked: bigint; readonly gateway: bigint; readonly venue: bigint };
  /** Members' balances, unallocated deposits, and fees and pools to be distributed. */
  readonly liabilities: bigint;
  readonly surplus: bigint;
};

/**
 * Assets, liabilities and surplus as defined in docs/product.md, section 1. House balances and member balances come
 * from two independent records of the ledger, which makes assets = liabilities + surplus a real check: if it fails, the
 * ledger is inconsistent and no figure is shown.
 *
 * $1,000 deposited, $2 of it charged as a fee and already distributed: assets 1000 (gateway), liabilities 998, surplus
 * 2.
 *
 * @param house balances by account name, credits less debits: assets at gateway and venue are negative
 * @param flows of all time
 */
export function balanceSheet(house: Readonly<Record<string, bigint>>, flows: readonly Moved[]): BalanceSheet {
  const micros = (name: string, group: AccountGroup): bigint => {
    if (group === 'member') return netOf(flows, name);
    const balance = house[name];
    assert(balance !== undefined, `no balance of ${name}`);
    return group === 'asset' ? -balance : balance;
  };
  const accounts = (Object.keys(groups) as AccountGroup[]).flatMap((group) =>
    groups[group].map((name) => ({ name, group, micros: micros(name, group) })),
  );
  const sumOf = (...wanted: AccountGroup[]) =>
    accounts.reduce((sum, account) => sum + (wanted.includes(account.group) ? account.micros : 0n), 0n);
  const assets = {
    booked: sumOf('asset'),
    gateway: micros('gateway', 'asset'),
    venue: micros('venue', 'asset'),
  };
  const liabilities = sumOf('member', 'owed');
  const surplus = sumOf('surplus');
  assert.equal(assets.booked, liabilities + surplus, 'assets are not liabilities and surplus');
  return { accounts, assets, liabilities, surplus };
}

/** Credits less debits. */
const netOf = (flows: readonly Moved[], name: string): bigint =>
  flows.reduce((sum, { from, to, micros }) => sum + (to === name ? micros : 0n) - (from === name ? micros : 0n), 0n);

/** Both sides of a period: money collected, and what was paid from it. */
export type Funding = {
  readonly tradeFees: bigint;
  readonly performanceFees: bigint;
  /** Charged to the fees before any share. */
  readonly executionCost: bigint;
  readonly gains: bigint;
  readonly losses: bigint;
  readonly incomes: readonly { readonly kind: IncomeKind; readonly micros: bigint }[];
  readonly incomesTotal: bigint;
  readonly poolsChange: bigint;
  readonly revenue: bigint;
};

/**
 * Proof of funded incomes: fees collected in a period, trades' gains from and losses to the venue (before fees, so a
 * gain includes its performance fee), and the use of the fees. For any period, fees = execution cost + incomes + change
 * of the pools + revenue + fees not yet distributed.
 *
 * A session with $10 of trade fees, $2 paid as referral bonus, $2.50 allocated to pools and the rest retained: incomes
 * 2, change of the pools 2.50, revenue 5.50.
 */
export function fundingOf(flows: readonly Moved[]): Funding {
  const sumOf = (...reasons: string[]) =>
    flows.reduce((sum, flow) => sum + (reasons.includes(flow.reason) ? flow.micros : 0n), 0n);
  const incomes = teamKinds.map((kind) => ({ kind, micros: sumOf(reasonOf[kind]) }));
  return {
    tradeFees: sumOf('trade_fee'),
    performanceFees: sumOf('performance_fee'),
    executionCost: sumOf('execution_cost'),
    gains: sumOf('trade_gain', 'trade_profit', 'performance_fee'),
    losses: sumOf('trade_loss'),
    incomes,
    incomesTotal: incomes.reduce((sum, { micros }) => sum + micros, 0n),
    poolsChange:
      sumOf('pool_weekly_fill', 'pool_monthly_fill', 'pool_rewards_fill') -
      sumOf('weekly_income', 'monthly_income', 'reward', 'pool_release'),
    revenue: sumOf('fee_revenue', 'pool_release'),
  };
}

/** Whether all figures are 0. */
export const isIdle = ({ incomes, ...sums }: Funding): boolean =>
  Object.values(sums).every((micros) => micros === 0n) && incomes.every(({ micros }) => micros === 0n);
