import assert from 'node:assert';
import type { IncomeKind } from '#contract/income.ts';
import { reasonOf, teamKinds } from './income-reasons.ts';

/** How much moved between two kinds of account for a reason. */
type Moved = { readonly from: string; readonly to: string; readonly reason: string; readonly micros: bigint };

export type AccountGroup = 'asset' | 'member' | 'owed' | 'surplus';
export type AccountSum = { readonly name: string; readonly group: AccountGroup; readonly micros: bigint };

/** Every account there is, by what it is to the members (docs/product.md, section 1), in the order of the page. */
const groups = {
  asset: ['gateway', 'venue'],
  member: ['primary', 'profit', 'trade_escrow', 'investment', 'withdrawal_hold'],
  owed: ['unallocated', 'trade_fees', 'performance_fees', 'pool_weekly', 'pool_monthly', 'pool_rewards'],
  surplus: ['fee_revenue', 'withdrawal_fees', 'venue_result', 'gateway_result', 'adjustments'],
} as const satisfies Record<AccountGroup, readonly string[]>;

export type BalanceSheet = {
  readonly accounts: readonly AccountSum[];
  readonly assets: { readonly booked: bigint; readonly gateway: bigint; readonly venue: bigint };
  /** What members have, what waits to be theirs, and what is set aside to be shared. */
  readonly liabilities: bigint;
  /** What is left for the house. */
  readonly surplus: bigint;
};

/**
 * Assets, liabilities and surplus as docs/product.md, section 1 defines them. The house's balances and the members'
 * come from two records of the ledger that are kept apart, so that assets = liabilities + surplus says something: where
 * it does not hold, the ledger is inconsistent and no figure is shown.
 *
 * 1000 $ deposited, 2 $ of it taken as a fee that is shared already: assets 1000 (gateway), liabilities 998, surplus 2.
 *
 * @param house balances, credits less debits, by name of account: what gateway and venue hold is theirs with the sign turned
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

/** Both sides of a period: what came in, and what was paid of it. */
export type Funding = {
  readonly tradeFees: bigint;
  readonly performanceFees: bigint;
  /** What of the fees execution took before every share. */
  readonly executionCost: bigint;
  readonly gains: bigint;
  readonly losses: bigint;
  readonly incomes: readonly { readonly kind: IncomeKind; readonly micros: bigint }[];
  readonly incomesTotal: bigint;
  readonly poolsChange: bigint;
  readonly revenue: bigint;
};

/**
 * Proof of funded incomes: what the flows of a period collected, what trades gained from the venue and lost to it (before fees,
 * so a gain contains its performance fee), and where the fees went. Fees = execution cost + incomes + change of the pools +
 * revenue + what is not shared yet, whatever the period.
 *
 * A session with 10 $ of trade fees of which 2 $ were paid as referral bonus and 2.50 $ put into pools, the rest kept:
 * incomes 2, change of the pools 2.50, revenue 5.50.
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

/** Whether nothing of it happened. */
export const isIdle = ({ incomes, ...sums }: Funding): boolean =>
  Object.values(sums).every((micros) => micros === 0n) && incomes.every(({ micros }) => micros === 0n);
