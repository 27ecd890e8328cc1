import type { Db } from '#server/db/connect.ts';
import { getBalances, type MemberClass, sumTransfers } from '#server/ledger/index.ts';
import type { Quotes } from '../orders/show-trade.ts';
import { getNetWorth, type NetWorth } from './get-net-worth.ts';
import { findTotals, listPlaced, type Placed, type Totals } from './portfolio-sql.ts';

/** Team incomes and rewards; results of trades are not among them. */
const incomes = ['referral_bonus', 'level_bonus', 'team_profit', 'weekly_income', 'monthly_income', 'reward'] as const;

/** What the portfolio and `wallet-summary` both say, in micros, so that they cannot disagree. */
export type MoneySums = {
  readonly balances: Record<MemberClass, bigint>;
  readonly placed: readonly Placed[];
  readonly totals: Totals;
  readonly netWorth: NetWorth;
  readonly deposited: bigint;
  readonly withdrawn: bigint;
  readonly income: bigint;
  /** What corrections by operators gave, less what they took. */
  readonly corrections: bigint;
  /** Trade fees of trades that are open. */
  readonly openFees: bigint;
};

export async function readMoneySums(db: Db, memberId: bigint, quotes?: Quotes): Promise<MoneySums> {
  const sum = (side: 'credit' | 'debit', reasons: Parameters<typeof sumTransfers>[1]['reasons']) =>
    sumTransfers(db, { memberId, side, reasons });
  const [balances, placed, totals, netWorth, deposited, withdrawn, income, given, taken] = await Promise.all([
    getBalances(db, memberId),
    listPlaced(db, memberId),
    findTotals(db, memberId),
    getNetWorth(db, memberId, quotes),
    sum('credit', ['deposit', 'deposit_allocated']),
    sum('debit', ['withdrawal_payout', 'withdrawal_fee']),
    sum('credit', incomes),
    sum('credit', ['correction']),
    sum('debit', ['correction']),
  ]);
  const openFees = placed.reduce((fees, trade) => fees + trade.fees, 0n);
  return {
    balances,
    placed,
    totals,
    netWorth,
    deposited,
    withdrawn,
    income,
    corrections: given - taken,
    openFees,
  };
}
